// Runs a file as a definition that is not saved. A terminal is asked for the answers and results that the run needs.
import path from 'node:path';
import { type DefinitionType, isDefinitionType, typeOfFile } from '../../../shared/definition-types.ts';
import type { Json, JsonObject } from '../../../shared/json.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { placedWords } from '../../../shared/issues.ts';
import { statusSentence } from '../../../shared/status-label.ts';
import type { DraftRun } from '../../../shared/api/index.ts';
import { createSchemaChecker } from '../../lib/schemas/index.ts';
import { askForAnswer, type Checker, openTerminal, type Terminal } from './ask-answer.ts';
import { type AttachOptions, withClient } from './attach.ts';
import { CommandFailure, EXIT } from './failure.ts';
import { progress, show } from './output.ts';
import { readTextFile } from './text-file.ts';

export interface DraftOptions extends AttachOptions {
  org: string | undefined;
  json?: boolean | undefined;
  callTools?: boolean | undefined;
  callModels?: boolean | undefined;
  model?: string | undefined;
}

type Question = DraftRun['questions'][number];

/** @param reference TYPE or TYPE/NAME; if absent, the name of the file says it */
export async function runDraft(
  playbook: string,
  { file, reference, input }: { file: string; reference: string | undefined; input: Json | undefined },
  options: DraftOptions,
): Promise<void> {
  const { type, name } = draftOf(file, reference);
  const source = readTextFile(file, LIMITS.sourceBytes, 'make the document smaller');
  if (source === undefined) throw new CommandFailure(`There is no file ${file}.`, EXIT.misused);
  const terminal = options.json === true ? undefined : openTerminal();
  const schemas = createSchemaChecker();
  const check: Checker = async (schema, value) => schemas.compileSchema(schema, 'The answer').check(value, '');
  try {
    const draft = await withClient(options, { whenAbsent: 'refuse' }, async (client) => {
      const { callTools, callModels, model, org } = options;
      const asked = { org, playbook, type, name, source, input, call_tools: callTools, call_models: callModels, model };
      for (let continued: DraftRun['continuation']; ; ) {
        const ran = await client.call('run_draft', { ...asked, ...continued });
        const { continuation, questions } = ran;
        if (continuation === undefined || questions.length === 0 || terminal === undefined) return ran;
        const given = await answers(questions, terminal, check);
        if (given === undefined) return ran;
        continued = { ...continuation, results: [...continuation.results, ...given] };
      }
    });
    showDraft(draft, options);
  } finally {
    terminal?.close();
    await schemas.close();
  }
}

function draftOf(file: string, reference: string | undefined): { type: DefinitionType; name: string | undefined } {
  const [type = '', name] = reference?.split('/') ?? [];
  if (isDefinitionType(type)) return { type, name };
  const named = typeOfFile(file);
  if (reference === undefined && named !== undefined) return { type: named, name: path.basename(file).split('.')[0] };
  throw new CommandFailure(
    reference === undefined
      ? `The name of ${file} does not say its type; write TYPE/NAME behind the playbook, for example computation/priority-score.`
      : `${JSON.stringify(reference)} is not a definition; write TYPE/NAME, for example computation/priority-score.`,
    EXIT.misused,
  );
}

/** Undefined if the person entered nothing for a question. */
async function answers(
  questions: readonly Question[],
  terminal: Terminal,
  check: Checker,
): Promise<{ call: string; output: Json }[] | undefined> {
  const given: { call: string; output: Json }[] = [];
  for (const question of questions) {
    progress(questionWords(question));
    const output = await askForAnswer(question.schema ?? {}, terminal.ask, progress, check);
    if (output === undefined) return undefined;
    given.push({ call: question.call, output });
  }
  return given;
}

function questionWords({ call, called, to, message, detail, issues = [] }: Question): string {
  const head = message === undefined ? `${called} at ${call}: ${detail ?? 'give its result.'}` : `${to}: ${message}`;
  return [head, ...issues.map((issue) => `  ${issue.detail}`)].join('\n');
}

function showDraft(draft: DraftRun, options: DraftOptions): void {
  const { valid, issues, status = 'failed', output, detail, rejection, questions } = draft;
  const data = draft as unknown as JsonObject;
  if (!valid) {
    throw new CommandFailure(issues.map(placedWords).join('\n'), EXIT.failed, data);
  }
  if (status === 'succeeded') return show(options, draft, () => JSON.stringify(output, null, 2));
  if (status === 'waiting') {
    show(options, draft, () => [detail ?? '', ...questions.map(questionWords)].join('\n'));
    return;
  }
  const sentence = statusSentence('The draft run', { status, reason: rejection?.reason, kind: rejection?.kind });
  throw new CommandFailure(`${detail ?? ''}\n${sentence}`, EXIT.failed, data);
}
