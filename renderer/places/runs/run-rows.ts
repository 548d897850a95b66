// The rows of the list of runs: each run, and below a run that is open the runs that it called.
import type { RunListEntry } from '../../../shared/api/index.ts';

/** What is loaded of the runs that a run called, newest first. */
export interface CalledRuns {
  runs: readonly RunListEntry[];
  hasMore: boolean;
  isFetching: boolean;
  error: Error | null;
  /** Loads the next page. */
  showMore: () => void;
}

export type RunRow =
  | { is: 'run'; key: string; depth: number; run: RunListEntry; isOpen: boolean }
  /** Ends the runs that a run called, unless all of them are listed. */
  | { is: 'rest'; key: string; depth: number; caller: RunListEntry; called: CalledRuns | undefined };

/**
 * A run may be listed both by itself and below its caller, so the key of a row contains those of the rows above it.
 * @param opened the keys of the rows that are open
 * @param called by the id of the calling run; absent until they are read
 */
export function runRows(
  runs: readonly RunListEntry[],
  opened: ReadonlySet<string>,
  called: ReadonlyMap<string, CalledRuns>,
  above = '',
  depth = 0,
): RunRow[] {
  return runs.flatMap((run): RunRow[] => {
    const key = `${above}${run.run_id}`;
    const isOpen = opened.has(key);
    const row: RunRow = { is: 'run', key, depth, run, isOpen };
    if (!isOpen) return [row];
    const below = called.get(run.run_id);
    const rows = runRows(below?.runs ?? [], opened, called, `${key}/`, depth + 1);
    if (rows.length > 0 && below?.hasMore === false && below.error === null) return [row, ...rows];
    return [row, ...rows, { is: 'rest', key: `${key}/rest`, depth: depth + 1, caller: run, called: below }];
  });
}

/** The run whose row has this key. */
export function runIdOfKey(key: string): string {
  return key.slice(key.lastIndexOf('/') + 1);
}
