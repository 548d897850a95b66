import { readFileSync } from 'node:fs';
import { isDefinitionType } from '../../shared/definition-types.ts';
import type { Json, JsonObject } from '../../shared/json.ts';
import { type AttachOptions, withClient } from './attach.ts';
import { pathOf, ServiceRefusal } from './client.ts';
import { CommandFailure, EXIT } from './failure.ts';
import { progress, show } from './output.ts';

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
    if (started['status'] !== 'started' || options.wait !== true) return started;
    progress(`Run ${String(started['run_id'])} started; waiting for its end.`);
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, LOOKS_EVERY_MS));
      const run = await client.get(`${base}/runs/${String(started['run_id'])}`);
      if (run['status'] !== 'started') return run;
    }
  }).catch((error: unknown) => {
    tellEnding(error);
    throw error;
  });
  const status = String(answer['status']);
  progress(`Run ${String(answer['run_id'])} ${status}.`);
  // A run that waits has no output yet: what stands on stdout says how to find it.
  const waiting = { run_id: answer['run_id'] ?? null, status };
  show(options, answer, () => JSON.stringify(status === 'succeeded' ? (answer['output'] ?? null) : waiting, null, 2));
  if (status !== 'succeeded' && status !== 'started') {
    throw new CommandFailure(String(answer['detail'] ?? `The run ended as ${status}.`), EXIT.failed);
  }
}

/** How often a run that waits is looked at, in milliseconds. */
const LOOKS_EVERY_MS = 500;

/** Names the run whose ending a refusal is, so that its history can be read. */
function tellEnding(error: unknown): void {
  if (!(error instanceof ServiceRefusal)) return;
  const { run_id: runId, status } = error.problem;
  if (typeof runId === 'string') progress(`Run ${runId} ${status === 500 ? 'failed' : 'rejected'}.`);
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
