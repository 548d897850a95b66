import { readFileSync } from 'node:fs';
import { isDefinitionType } from '../../../shared/definition-types.ts';
import type { Json, JsonObject } from '../../../shared/json.ts';
import { outcomeOfProblem, outcomeText } from '../../../shared/outcome-words.ts';
import { messageFirst } from '../../../shared/program-error.ts';
import type { Run } from '../../../shared/schemas/index.ts';
import { type AttachOptions, withClient } from './attach.ts';
import { pathOf, ServiceRefusal } from './client.ts';
import { CommandFailure, EXIT } from './failure.ts';
import { progress, show } from './output.ts';
import { problemWords } from './problem-words.ts';

export interface RunOptions extends AttachOptions {
  org: string;
  input?: string | undefined;
  runId?: string | undefined;
  /** Wait for the end of a run that waits. */
  wait?: boolean | undefined;
  json?: boolean | undefined;
}

/** Runs `TYPE/NAME` of a playbook; writes the output on stdout and the run's id on stderr. */
export async function run(playbook: string, reference: string, options: RunOptions): Promise<void> {
  const [type = '', name = '', ...more] = reference.split('/');
  if (!isDefinitionType(type) || name === '' || more.length > 0) {
    throw new CommandFailure(
      `Name what to run as TYPE/NAME, for example computation/priority-score; this is ${reference}.`,
      EXIT.misused,
    );
  }
  const body: JsonObject = {
    ...(options.input === undefined ? {} : { input: readInput(options.input) }),
    ...(options.runId === undefined ? {} : { run_id: options.runId }),
  };
  const base = pathOf`/orgs/${options.org}/playbooks/${playbook}`;
  const answer = await withClient(options, { whenAbsent: 'refuse' }, async (client) => {
    const started = await client.send('POST', `${base}${pathOf`/definitions/${type}/${name}/run`}`, body);
    for (let run = started as unknown as Run, shown = ''; ; ) {
      if (run.status !== 'started' || options.wait !== true) return run;
      const outcome = `Run ${run.run_id}: ${outcomeText(run)}.`;
      if (outcome !== shown) progress(outcome);
      shown = outcome;
      await new Promise((resolve) => setTimeout(resolve, LOOKS_EVERY_MS));
      run = (await client.get(`${base}/runs/${run.run_id}`)) as unknown as Run;
    }
  }).catch((error: unknown) => {
    throw error instanceof ServiceRefusal ? withOutcome(error) : error;
  });
  const { status, output = null, run_id: runId, detail } = answer;
  const outcome = `Run ${runId}: ${outcomeText(answer)}.`;
  // A run that waits has no output yet: what stands on stdout says how to find it.
  show(options, answer, () => JSON.stringify(status === 'succeeded' ? output : { run_id: runId, status }, null, 2));
  if (status !== 'succeeded' && status !== 'started') {
    throw new CommandFailure(detail === undefined ? outcome : `${messageFirst(detail)}\n${outcome}`, EXIT.failed);
  }
  progress(outcome);
}

/** How often a run that waits is looked at, in milliseconds. */
const LOOKS_EVERY_MS = 500;

/** A refusal that is a run's ending: its cause first, then the run and its outcome, so that its history can be read. */
function withOutcome({ problem, message }: ServiceRefusal): ServiceRefusal {
  const { run_id: runId, reason, kind, detail } = problem;
  if (typeof runId !== 'string') return new ServiceRefusal(problem, message);
  const cause = problemWords({ ...problem, detail: messageFirst(String(detail)) });
  const ended = outcomeOfProblem({ reason: String(reason), kind: kind === undefined ? undefined : String(kind) });
  return new ServiceRefusal(problem, `${cause}\nRun ${runId}: ${outcomeText(ended)}.`);
}

/** JSON as it is written, `@FILE` for a file's, `-` for standard input's. */
function readInput(text: string): Json {
  const [source, json] =
    text === '-'
      ? ['Standard input', readFileSync(0, 'utf8')]
      : text.startsWith('@')
        ? [text.slice(1), readInputFile(text.slice(1))]
        : ['--input', text];
  try {
    return JSON.parse(json) as Json;
  } catch (error) {
    throw new CommandFailure(
      `${source} is not JSON: ${error instanceof Error ? error.message : String(error)}`,
      EXIT.misused,
    );
  }
}

function readInputFile(file: string): string {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    throw new CommandFailure(`The input file ${file} cannot be read.`, EXIT.misused);
  }
}
