// What became of the last build of a function, for a question that finds no active version.
import { type ReadTransaction, selectTyped } from '../../kernel/log/index.ts';
import type { FunctionKey } from './models-sql.ts';

const TYPES = ['build_asked', 'build_ended', 'activation_refused', 'shadow_failed'];
/** Events of all functions of the playbook that are read. */
const MOST_EVENTS = 100;

/** A sentence about the last build, with its run and why no version is active; undefined where there was none lately. */
export async function lastBuildWords(tx: ReadTransaction, key: FunctionKey): Promise<string | undefined> {
  const events = await selectTyped(tx, key, { types: TYPES, order: 'desc', limit: MOST_EVENTS });
  const last = events.find(({ metadata }) => metadata.definition?.name === key.name);
  if (last === undefined) return undefined;
  const { type, data, metadata } = last;
  const build = `The last build, the run ${metadata.run_id}`;
  if (type === 'build_asked') return `${build}, is waiting for its trainer or being scored.`;
  const { version, detail } = data;
  const outcome =
    typeof version === 'number' ? `built version ${version}, which is not active` : 'ended without a version';
  return `${build}, ${outcome}${typeof detail === 'string' ? `: ${detail}` : '.'}`;
}
