import type { PlaybookKey, ReadTransaction } from '../../../kernel/log/index.ts';
import { recordedTime } from '../../events/index.ts';
import { selectFirstStart, selectRuns, type Span } from './select-runs.ts';

/** Milliseconds. A clock may have been set back by as much, or differ between processes. */
const CLOCK_TOLERANCE = 3_600_000;

/**
 * The part of a span in which runs of a range of time can be. Starts are listed in the order of time but for
 * `CLOCK_TOLERANCE`, so halving the span finds its ends in about 20 steps for a million runs.
 */
export async function spanOfTime(
  tx: ReadTransaction,
  place: PlaybookKey,
  { since, until }: { since?: string | undefined; until?: string | undefined },
  span: Span,
): Promise<Span> {
  if (since === undefined && until === undefined) return span;
  const [newest] = await selectRuns(tx, place, {}, span, 1);
  if (newest === undefined) return span;
  const whole = { from: span.from, before: Number(newest.started_position) + 1 };
  const from = since === undefined ? whole.from : await positionAt(tx, place, shifted(since, -CLOCK_TOLERANCE), whole);
  const before =
    until === undefined ? whole.before : await positionAt(tx, place, shifted(until, CLOCK_TOLERANCE), whole);
  return { from, before };
}

/** The first position of the span from which on runs started at the time or later. */
async function positionAt(tx: ReadTransaction, place: PlaybookKey, time: string, span: Span): Promise<number> {
  let { from: low, before: high } = span;
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    const run = await selectFirstStart(tx, place, { from: middle, before: high });
    if (run === undefined || run.startedAt >= time) high = middle;
    else low = run.position + 1;
  }
  return low;
}

function shifted(time: string, milliseconds: number): string {
  return recordedTime(Date.parse(time) + milliseconds);
}
