import { readFileSync } from 'node:fs';
import { DEFINITION_FACTS, type DefinitionType, isDefinitionType } from '../../../shared/definition-types.ts';
import type { Json } from '../../../shared/json.ts';
import { messageFirst } from '../../../shared/program-error.ts';
import { statusOfProblem, statusSentence } from '../../../shared/status-label.ts';
import type { Run } from '../../../shared/api/index.ts';
import { type ClientOptions, withClient } from './attach.ts';
import { awaitRun } from './await-run.ts';
import { type Client, type NamedPlaybook, ServiceRefusal } from './client.ts';
import { failed, misused } from './failure.ts';
import { readJsonText } from './json-text.ts';
import { problemWords, progress, show } from './output.ts';
import { readNamedFile, textOfBytes } from './text-file.ts';

export interface RunOptions extends ClientOptions {
  input?: string | undefined;
  runId?: string | undefined;
  /** If the run is waiting, wait until it ends. */
  wait?: boolean | undefined;
  /** A saved version instead of the current one. */
  version?: string | undefined;
  /** A model instead of the one in the document. */
  model?: string | undefined;
  /** A file to run instead of a saved version. */
  draft?: string | undefined;
  callTools?: boolean | undefined;
  callModels?: boolean | undefined;
}

/** Runs `TYPE/NAME` of a playbook; writes the output to stdout and the run id to stderr. */
export async function run(playbook: string, reference: string | undefined, options: RunOptions): Promise<void> {
  const input = options.input === undefined ? undefined : readInput(options.input);
  const version = options.version === undefined ? undefined : numberOf('--version', options.version, '3');
  if (options.draft !== undefined) {
    refuseWithDraft(options);
    const { runDraft } = await import('./run-draft.ts');
    return runDraft(playbook, { file: options.draft, reference, input }, options);
  }
  const definition = readReference(reference ?? '');
  await runDefinition({ playbook, ...definition, input, version, model: options.model }, options);
}

/** Runs a workflow again from a step; writes the output to stdout and the new run's id to stderr. */
export async function rerun(
  playbook: string,
  runId: string,
  options: RunOptions & { from: string; iterations?: string },
): Promise<void> {
  const { from: step, runId: new_run_id } = options;
  const iterations = options.iterations
    ?.split('.')
    .map((text) => numberOf('--iterations', text, '3, or 0.3 for nested loops'));
  const version = options.version === undefined ? undefined : numberOf('--version', options.version, '3');
  const fields = { step, iterations, version, new_run_id };
  await showRun(playbook, (client, at) => client.call('rerun', { ...at, run_id: runId, ...fields }), options);
}

/** A draft has no version, and its document names the model. */
function refuseWithDraft(options: RunOptions): void {
  const option = (['version', 'model'] as const).find((name) => options[name] !== undefined);
  if (option === undefined) return;
  throw misused(`--${option} is for saved definitions; leave it or --draft out.`);
}

/** @param example valid values, for the message */
export function numberOf(option: string, text: string, example: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw misused(`${option} is ${JSON.stringify(text)}; give a number, such as ${example}.`);
}

export function readReference(reference: string): { type: DefinitionType; name: string } {
  const [type = '', name = '', ...more] = reference.split('/');
  if (!isDefinitionType(type) || name === '' || more.length > 0) {
    throw misused(
      `${JSON.stringify(reference)} is not a definition; write TYPE/NAME, for example computation/priority-score.`,
    );
  }
  return { type, name };
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

export interface DefinitionRun {
  playbook: string;
  type: DefinitionType;
  name: string;
  input: Json | undefined;
  version?: number | undefined;
  model?: string | undefined;
}

/** @param write formats the output of a run that succeeded, for people */
export async function runDefinition(
  { playbook, ...definition }: DefinitionRun,
  options: Omit<RunOptions, 'input'>,
  write?: (output: Json) => string,
): Promise<void> {
  const start: StartRun = (client, at) =>
    client.call('run_definition', { ...at, ...definition, run_id: options.runId });
  const wait = options.wait === true && DEFINITION_FACTS[definition.type].mayWait === true;
  await showRun(playbook, start, { ...options, wait }, write);
}

export type StartRun = (client: Client, at: NamedPlaybook) => Promise<Run>;

/** Starts a run and shows it; with `--wait`, after it has ended. @param write formats the output for people */
export async function showRun(
  playbook: string,
  start: StartRun,
  options: Omit<RunOptions, 'input'>,
  write: (output: Json) => string = (output) => JSON.stringify(output, null, 2),
): Promise<void> {
  if (options.runId !== undefined && !UUID.test(options.runId)) {
    throw misused(
      `--run-id is ${JSON.stringify(options.runId)}; give a UUID, such as 0192b3a4-5c6d-7e8f-9a0b-1c2d3e4f5a6b.`,
    );
  }
  const at = { org: options.org, playbook };
  const answer = await withClient(
    options,
    { whenAbsent: 'refuse', needsTasks: options.wait === true },
    async (client) => {
      const run = await start(client, at);
      return run.status === 'started' && options.wait === true ? awaitEnd(client, at, run) : run;
    },
  ).catch((error: unknown) => {
    throw error instanceof ServiceRefusal ? withStatus(error) : error;
  });
  const { status, output = null, run_id: runId, detail } = answer;
  const sentence = statusSentence(`Run ${runId}`, answer);
  // A waiting run has no output yet: stdout gets its id and status.
  show(options, answer, () =>
    status === 'succeeded' ? write(output) : JSON.stringify({ run_id: runId, status }, null, 2),
  );
  if (status !== 'succeeded' && status !== 'started') {
    throw failed(detail === undefined ? sentence : `${messageFirst(detail)}\n${sentence}`);
  }
  progress(sentence);
}

/** Shows what the run waits for while it is in progress. */
function awaitEnd(client: Client, at: NamedPlaybook, started: Run): Promise<Run> {
  let shown = '';
  return awaitRun(client, at, started.run_id, {
    isEnough(run) {
      const sentence = statusSentence(`Run ${run.run_id}`, run);
      if (sentence !== shown) progress(sentence);
      shown = sentence;
      return false;
    },
    signal: new AbortController().signal,
  });
}

/** Adds the run id and the status to an error that ended a run, so that its history can be read. */
function withStatus({ problem, message }: ServiceRefusal): ServiceRefusal {
  const { run_id: runId, reason, kind, detail } = problem;
  if (typeof runId !== 'string') return new ServiceRefusal(problem, message);
  const cause = problemWords({ ...problem, detail: messageFirst(String(detail)) });
  const ended = statusOfProblem({ reason: String(reason), kind: kind === undefined ? undefined : String(kind) });
  return new ServiceRefusal(problem, `${cause}\n${statusSentence(`Run ${runId}`, ended)}`);
}

/** JSON text, `@FILE` to read a file, `-` to read standard input. */
function readInput(text: string): Json {
  const [source, json] =
    text === '-'
      ? ['Standard input', textOfBytes('Standard input', readFileSync(0))]
      : text.startsWith('@')
        ? [text.slice(1), readInputFile(text.slice(1))]
        : ['--input', text];
  const read = readJsonText(json);
  if (read.ok) return read.value;
  throw misused(`${source} ${read.fault}`);
}

function readInputFile(file: string): string {
  const hint = file === '-' ? '; write `--input -` for standard input' : '';
  return readNamedFile(file, (code) => `Cannot read the input file ${file} (${code})${hint}.`);
}
