// Points in time as ISO 8601 writes them, with their offset from UTC: calendar, week and ordinal dates, in the basic or
// the extended format; a time may end at its hours or minutes, and its last unit may have a fraction.
import { daysSinceEpoch } from './cloud-event/index.ts';

const DATE = {
  extended: /^(\d{4})-(?:(\d{2})-(\d{2})|W(\d{2})-(\d)|(\d{3}))$/i,
  basic: /^(\d{4})(?:(\d{2})(\d{2})|W(\d{2})(\d)|(\d{3}))$/i,
};
const TIME = {
  extended: /^(\d{2})(?::(\d{2})(?::(\d{2}))?)?(?:[.,](\d+))?$/,
  basic: /^(\d{2})(?:(\d{2})(\d{2})?)?(?:[.,](\d+))?$/,
};
/** The offset may have a colon or none, whatever the time has: many programs write `T07:00:00+0100`. */
const OFFSET = /(?:Z|([+-])([01]\d|2[0-3])(?::?([0-5]\d))?)$/i;

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

/**
 * The first whole millisecond since 1970 that is not before the time. Undefined for a text that is not such a time, has
 * no offset, or names a date, hour (00 to 23) or leap second that does not exist. At most 64 characters are read.
 */
export function readIsoTime(text: string): number | undefined {
  const [date = '', clock, ...rest] = text.length > 64 ? [] : text.split(/T/i);
  const offset = OFFSET.exec(clock ?? '');
  if (clock === undefined || offset === null || rest.length > 0) return undefined;
  for (const format of ['extended', 'basic'] as const) {
    const day = dayOf(DATE[format].exec(date));
    const time = timeOf(TIME[format].exec(clock.slice(0, offset.index)));
    if (day === undefined || time === undefined) continue;
    const [, sign, hours = '0', minutes = '0'] = offset;
    const offsetMs = (Number(hours) * HOUR_MS + Number(minutes) * MINUTE_MS) * (sign === '-' ? -1 : 1);
    const whole = day * DAY_MS + time.whole - offsetMs;
    // A leap second is the last one of a UTC day.
    if (time.isLeap && whole % DAY_MS !== 0) return undefined;
    return whole + time.fraction;
  }
  return undefined;
}

/** Days since 1970-01-01. */
function dayOf(parts: RegExpExecArray | null): number | undefined {
  if (parts === null) return undefined;
  const [year = 0, month, day, week, weekday, ordinal] = parts
    .slice(1)
    .map((part) => (part === undefined ? undefined : Number(part)));
  if (month !== undefined && day !== undefined) return daysSinceEpoch(year, month, day);
  if (ordinal !== undefined) return dayOfYear(year, ordinal);
  return dayOfWeek(year, week ?? 0, weekday ?? 0);
}

function dayOfYear(year: number, ordinal: number): number | undefined {
  const first = firstDay(year);
  return ordinal >= 1 && first + ordinal <= firstDay(year + 1) ? first + ordinal - 1 : undefined;
}

function dayOfWeek(year: number, week: number, weekday: number): number | undefined {
  const monday = firstMonday(year) + (week - 1) * 7;
  const exists = week >= 1 && weekday >= 1 && weekday <= 7 && monday < firstMonday(year + 1);
  return exists ? monday + weekday - 1 : undefined;
}

/** The Monday of week 1, which is the week of 4 January. */
function firstMonday(year: number): number {
  const fourth = firstDay(year) + 3;
  // 1970-01-01 was a Thursday.
  return fourth - ((((fourth + 3) % 7) + 7) % 7);
}

function firstDay(year: number): number {
  return daysSinceEpoch(year, 1, 1) ?? Number.NaN;
}

/** Milliseconds of the day; `fraction` rounded up to a whole one. */
function timeOf(parts: RegExpExecArray | null): { whole: number; fraction: number; isLeap: boolean } | undefined {
  if (parts === null) return undefined;
  const [, hours = '', minutes, seconds, digits = ''] = parts;
  if (Number(hours) > 23 || Number(minutes ?? 0) > 59 || Number(seconds ?? 0) > 60) return undefined;
  const whole = Number(hours) * HOUR_MS + Number(minutes ?? 0) * MINUTE_MS + Number(seconds ?? 0) * 1000;
  const unit = seconds !== undefined ? 1000 : minutes !== undefined ? MINUTE_MS : HOUR_MS;
  const scale = 10n ** BigInt(digits.length);
  const fraction = Number((BigInt(digits === '' ? 0 : digits) * BigInt(unit) + scale - 1n) / scale);
  return { whole, fraction, isLeap: seconds === '60' };
}
