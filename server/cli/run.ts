import { readFileSync } from 'node:fs';
import { isDefinitionType } from '../../shared/definition-types.ts';
import type { Json, JsonObject } from '../../shared/json.ts';
import { type AttachOptions, withClient } from './attach.ts';
import { pathOf } from './client.ts';
import { CommandFailure, EXIT } from './failure.ts';
import { progress, show } from './output.ts';

export interface RunOptions extends AttachOptions {
  org: string;
  input?: string | undefined;
  runId?: string | undefined;
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
  const answer = await withClient(options, (client) =>
    client.send('POST', pathOf`/orgs/${options.org}/playbooks/${playbook}/definitions/${type}/${name}/run`, body),
  );
  progress(`Run ${String(answer['run_id'])} ${String(answer['status'])}.`);
  show(options, answer, () => JSON.stringify(answer['output'] ?? null, null, 2));
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

/** Reads a run's history back, in the order in which it was recorded. */
export async function history(
  playbook: string,
  runId: string,
  options: AttachOptions & { org: string; json?: boolean | undefined },
): Promise<void> {
  const base = pathOf`/orgs/${options.org}/playbooks/${playbook}/runs/${runId}`;
  const { events } = await withClient(options, async (client) => {
    const found: JsonObject[] = [];
    for (let cursor: Json = ''; cursor !== null; ) {
      const page = await client.get(`${base}/history?limit=100${cursor === '' ? '' : `&cursor=${String(cursor)}`}`);
      found.push(...(page['events'] as JsonObject[]));
      cursor = page['next_cursor'] ?? null;
    }
    return { events: found };
  });
  show(options, { events }, () =>
    events
      .map(({ type, summary, data, metadata }) => {
        const { at } = metadata as JsonObject;
        return `${String(at)}  ${String(type)}\n  ${String(summary)}\n  ${JSON.stringify(data)}`;
      })
      .join('\n'),
  );
}
