// Exact percentiles of durations: counts show which range contains the rank, and only the durations in that range are
// read from the runs.
import type { PlaybookKey, ReadTransaction } from '../../kernel/log/index.ts';
import { addDurations, boundsOf, type Durations } from '../runs/index.ts';
import { selectDurations } from './sql.ts';

export interface Percentiles {
  p50: number | null;
  p95: number | null;
}

/**
 * Nearest rank: the duration at rank ceil(p n) of n sorted durations, in milliseconds; null if there are none.
 * @param days the durations of each day
 */
export async function percentilesOf(
  tx: ReadTransaction,
  playbookKey: PlaybookKey,
  days: ReadonlyMap<string, Durations>,
  type: string | undefined,
): Promise<Percentiles> {
  const all: Durations = new Map();
  for (const durations of days.values()) addDurations(all, durations);
  const ranges = [...all].toSorted(([a], [b]) => a - b);
  const count = ranges.reduce((sum, [, runs]) => sum + runs, 0);

  async function at(percent: number): Promise<number | null> {
    const rank = Math.ceil((percent * count) / 100);
    const found = firstAt(ranges, rank);
    if (found === undefined) return null;
    const { value: range, before } = found;
    const { from, to } = boundsOf(range);
    if (from === to) return from;
    const within = [...days].flatMap(([day, durations]) => (durations.has(range) ? [day] : []));
    const rows = await selectDurations(tx, playbookKey, { days: within, type, from, to });
    const exact = rows.map(({ duration_ms: duration, runs }) => [Number(duration), Number(runs)] as const);
    return firstAt(exact, rank - before)?.value ?? null;
  }

  return { p50: await at(50), p95: await at(95) };
}

/** The value at a rank, counted from 1, and how many runs come before that value. */
function firstAt(
  counted: readonly (readonly [value: number, runs: number])[],
  index: number,
): { value: number; before: number } | undefined {
  let before = 0;
  for (const [value, runs] of counted) {
    if (index > before && index <= before + runs) return { value, before };
    before += runs;
  }
  return undefined;
}
