import { parseDuration } from '../../lib/duration.ts';
import type { Findings } from '../../lib/yaml/index.ts';

export const MINUTE = 60_000;
const DAY = 24 * 60 * MINUTE;

/** Bounds in milliseconds. */
export interface DurationRange {
  least: number;
  most: number;
  /** The bounds in words, with an example. */
  words: string;
}

/** How long a question may stay open. */
export const EXPIRES: DurationRange = { least: MINUTE, most: 90 * DAY, words: 'PT1M to P90D, for example P3D' };
export const EXPIRES_DEFAULT = 'P7D';

/** Reports a text that is not a duration within the range. */
export function checkDuration(
  pointer: string,
  text: string | undefined,
  { least, most, words }: DurationRange,
  findings: Findings,
): void {
  if (text === undefined) return;
  const parsed = parseDuration(text);
  const isWithin =
    parsed !== undefined && parsed.months === 0 && parsed.milliseconds >= least && parsed.milliseconds <= most;
  if (!isWithin) findings.error(pointer, `This must be an ISO 8601 duration of ${words}.`);
}
