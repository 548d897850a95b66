// Runs a file as a definition that is not saved. On a terminal, prompts for the answers and results that the run needs.
import path from 'node:path';
import { type DefinitionType, isDefinitionType, typeOfFile } from '../../../shared/definition-types.ts';
import type { Json, JsonObject } from '../../../shared/json.ts';
import { LIMITS } from '../../../shared/limits.ts';
import { placedWords } from '../../../shared/issues.ts';
import { statusSentence } from '../../../shared/status-label.ts';
import type { DraftRun, Input } from '../../../shared/api/index.ts';
import { askForAnswer, type Checker, openTerminal, type Terminal, withChecker } from './ask-answer.ts';
import { type ClientOptions, withClient } from './attach.ts';
import type { Client } from './client.ts';
import { CommandFailure, EXIT, misused } from './failure.ts';
import { progress, show } from './output.ts';
import { readTextFile } from './text-file.ts';

export interface DraftOptions extends ClientOptions {
  callTools?: boolean | undefined;
  callModels?: boolean | undefined;
}

type Question = DraftRun['questions'][number];

/** @param reference TYPE or TYPE/NAME; if absent, it is read from the name of the file */
export async function runDraft(
  playbook: string,
  { file, reference, input }: { file: string; reference: string | undefined; input: Json | undefined },
  options: DraftOptions,
): Promise<void> {
  const { type, name } = draftOf(file, reference);
  const source = readTextFile(file, LIMITS.sourceBytes, 'make the document smaller');
  if (source === undefined) throw misused(`There is no file ${file}.`);
  const terminal = options.json === true ? undefined : openTerminal();
  const { org, callTools: call_tools, callModels: call_models } = options;
  const draft = { org, playbook, type, name, source, input, call_tools, call_models };
  try {
    const ran = await withClient(options, { whenAbsent: 'refuse' }, (client) =>
      withChecker((check) => runWithAnswers(client, draft, terminal, check)),
    );
    showDraft(ran, options);
  } finally {
    terminal?.close();
  }
}

/** Runs the draft again with each group of answers, until it has no question that a person answers. */
async function runWithAnswers(
  client: Client,
  draft: Input<'run_draft'>,
  terminal: Terminal | undefined,
  check: Checker,
): Promise<DraftRun> {
  for (let continued: DraftRun['continuation']; ; ) {
    const ran = await client.call('run_draft', { ...draft, ...continued });
    const { continuation, questions } = ran;
    if (continuation === undefined || questions.length === 0 || terminal === undefined) return ran;
    const given = await answers(questions, terminal, check);
    if (given === undefined) return ran;
    continued = { ...continuation, results: [...continuation.results, ...given] };
  }
}

function draftOf(file: string, reference: string | undefined): { type: DefinitionType; name: string | undefined } {
  const [type = '', name] = reference?.split('/') ?? [];
  if (isDefinitionType(type)) return { type, name };
  const named = typeOfFile(file);
  if (reference === undefined && named !== undefined) return { type: named, name: path.basename(file).split('.')[0] };
  throw misused(
    reference === undefined
      ? `The name of ${file} does not say its type; write TYPE/NAME behind the playbook, for example computation/priority-score.`
      : `${JSON.stringify(reference)} is not a definition; write TYPE/NAME, for example computation/priority-score.`,
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
