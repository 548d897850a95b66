// What became of the last build of a function, for a question that finds no active version.
import { type NumberedEvent, type ReadTransaction, selectTyped } from '../../kernel/log/index.ts';
import type { FunctionKey } from './models-sql.ts';

const TYPES = ['build_asked', 'build_ended', 'activation_refused', 'shadow_failed'];
/** Events of all functions of the playbook that are read at once, and how often. */
const EVENTS_A_READ = 200;
const MOST_READS = 20;

async function lastEvent(tx: ReadTransaction, key: FunctionKey): Promise<NumberedEvent | undefined> {
  for (let reads = 0, after: number | undefined; reads < MOST_READS; reads += 1) {
    // oxlint-disable-next-line no-await-in-loop -- mostly the first page is enough
    const events = await selectTyped(tx, key, { types: TYPES, order: 'desc', after, limit: EVENTS_A_READ });
    const found = events.find(({ metadata }) => metadata.definition?.name === key.name);
    if (found !== undefined || events.length < EVENTS_A_READ) return found;
    after = events.at(-1)?.readPosition ?? undefined;
  }
  return undefined;
}

/** A sentence about the last build, with its run and why no version is active; undefined where there was none lately. */
export async function lastBuildWords(tx: ReadTransaction, key: FunctionKey): Promise<string | undefined> {
  const last = await lastEvent(tx, key);
  if (last === undefined) return undefined;
  const { type, data, metadata } = last;
  const build = `The last build, the run ${metadata.run_id}`;
  if (type === 'build_asked') return `${build}, is waiting for its trainer or being scored.`;
  const { version, detail } = data;
  const outcome =
    typeof version === 'number' ? `built version ${version}, which is not active` : 'ended without a version';
  return `${build}, ${outcome}${typeof detail === 'string' ? `: ${detail}` : '.'}`;
}
