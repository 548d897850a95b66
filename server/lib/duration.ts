// Durations: ISO 8601 texts and an object form. Years and months are calendar time, the rest is exact.

/** ISO 8601, the object form, or an expression for either. */
export type Duration =
  | string
  | { days?: number; hours?: number; minutes?: number; seconds?: number; milliseconds?: number };

export interface ParsedDuration {
  months: number;
  milliseconds: number;
}

const NUMBER = '(\\d{1,15}(?:\\.\\d{1,9})?)';
const ISO = new RegExp(
  `^P(?!$)(?:${NUMBER}Y)?(?:${NUMBER}M)?(?:${NUMBER}W)?(?:${NUMBER}D)?(?:T(?!$)(?:${NUMBER}H)?(?:${NUMBER}M)?(?:${NUMBER}S)?)?$`,
);
const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const MEMBERS: Readonly<Record<string, number>> = {
  days: DAY,
  hours: HOUR,
  minutes: MINUTE,
  seconds: SECOND,
  milliseconds: 1,
};
/** No duration is longer: a hundred years. */
const LONGEST_MS = 36_600 * DAY;
const LONGEST_MONTHS = 1200;

/**
 * The duration, to the millisecond; undefined where it is none, is negative, is longer than a hundred years or has a
 * part of a month.
 */
export function parseDuration(duration: Duration): ParsedDuration | undefined {
  const parsed = typeof duration === 'string' ? parseIso(duration.trim()) : parseMembers(duration);
  if (parsed === undefined || !Number.isFinite(parsed.milliseconds)) return undefined;
  return parsed.milliseconds <= LONGEST_MS && parsed.months <= LONGEST_MONTHS ? parsed : undefined;
}

function parseIso(text: string): ParsedDuration | undefined {
  const match = ISO.exec(text);
  if (match === null) return undefined;
  const [years = 0, calendarMonths = 0, weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = match
    .slice(1)
    .map((part) => Number(part ?? 0));
  const months = 12 * years + calendarMonths;
  // How long half a month is, nobody can say.
  if (!Number.isInteger(months)) return undefined;
  const milliseconds = 7 * DAY * weeks + DAY * days + HOUR * hours + MINUTE * minutes + SECOND * seconds;
  return { months, milliseconds: Math.round(milliseconds) };
}

function parseMembers(duration: Exclude<Duration, string>): ParsedDuration | undefined {
  let milliseconds = 0;
  for (const [name, count] of Object.entries(duration)) {
    const unit = Object.hasOwn(MEMBERS, name) ? MEMBERS[name] : undefined;
    if (unit === undefined || typeof count !== 'number' || !(count >= 0)) return undefined;
    milliseconds += unit * count;
  }
  return { months: 0, milliseconds: Math.round(milliseconds) };
}

/** The moment a duration after another, both in milliseconds since 1970 UTC. A day that a month lacks is its last. */
export function addDuration(from: number, { months, milliseconds }: ParsedDuration): number {
  if (months === 0) return from + milliseconds;
  const start = new Date(from);
  const moved = new Date(from);
  moved.setUTCMonth(start.getUTCMonth() + months, 1);
  const lastDay = new Date(Date.UTC(moved.getUTCFullYear(), moved.getUTCMonth() + 1, 0)).getUTCDate();
  moved.setUTCDate(Math.min(start.getUTCDate(), lastDay));
  return moved.getTime() + milliseconds;
}

const UNITS = [
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
  ['second', SECOND],
] as const;

/** The whole duration in words: `1 day 30 minutes`. */
export function periodWords({ months = 0, milliseconds }: Partial<ParsedDuration> & { milliseconds: number }): string {
  const parts = [countWords(Math.floor(months / 12), 'year'), countWords(months % 12, 'month')];
  let remaining = milliseconds;
  for (const [unit, length] of UNITS) {
    parts.push(countWords(Math.floor(remaining / length), unit));
    remaining %= length;
  }
  if (remaining > 0) parts.push(`${remaining} ms`);
  return parts.filter((part) => part !== '').join(' ') || '0 seconds';
}

/** A duration of a document in words; what is not one yet, such as an expression, as it is. */
export function durationText(duration: string): string {
  const parsed = parseDuration(duration);
  return parsed === undefined ? duration : periodWords(parsed);
}

function countWords(count: number, unit: string): string {
  return count === 0 ? '' : `${count} ${unit}${count === 1 ? '' : 's'}`;
}
