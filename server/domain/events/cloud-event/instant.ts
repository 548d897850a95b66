// Times of RFC 3339 as instants: offsets normalised, fractions of any length kept, a leap second read as the first
// second of the next day.

const RFC_3339 =
  /^(\d{4})-(\d{2})-(\d{2})T([01]\d|2[0-3]):([0-5]\d):([0-5]\d|60)(?:\.(\d+))?(?:Z|([+-])([01]\d|2[0-3]):([0-5]\d))$/i;

const SECONDS_A_DAY = 86_400;

export interface Instant {
  /** Whole seconds since 1970-01-01T00:00:00Z, leap seconds not counted. */
  seconds: number;
  /** Digits after the decimal point, without trailing zeros. */
  fraction: string;
}

/** The instant of an RFC 3339 time; undefined for other texts and for dates and seconds that do not exist. */
export function parseInstant(text: string): Instant | undefined {
  const parts = RFC_3339.exec(text);
  if (parts === null) return undefined;
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.slice(1, 7).map(Number);
  const days = daysSinceEpoch(year, month, day);
  if (days === undefined) return undefined;
  const [fraction = '', sign, offsetHour = '0', offsetMinute = '0'] = parts.slice(7);
  const offset = (Number(offsetHour) * 60 + Number(offsetMinute)) * (sign === '-' ? -60 : 60);
  const seconds = days * SECONDS_A_DAY + hour * 3600 + minute * 60 + second - offset;
  if (second === 60 && seconds % SECONDS_A_DAY !== 0) return undefined;
  return { seconds, fraction: withoutZerosAtTheEnd(fraction) };
}

/** Days from 1970-01-01 in the Gregorian calendar; undefined for a date that does not exist. */
export function daysSinceEpoch(year: number, month: number, day: number): number | undefined {
  // Not `Date.UTC`, which reads the years 0 to 99 as 1900 to 1999.
  const date = new Date(0);
  date.setUTCFullYear(year, month - 1, day);
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day
    ? date.getTime() / (SECONDS_A_DAY * 1000)
    : undefined;
}

/** A loop: a regular expression for it takes quadratic time on a long row of zeros. */
function withoutZerosAtTheEnd(digits: string): string {
  let end = digits.length;
  while (end > 0 && digits[end - 1] === '0') end -= 1;
  return digits.slice(0, end);
}

/**
 * Whether a retry's time leaves the event the same one: it may leave the time out, and may give one where the first
 * had none; two that were given are compared as instants.
 */
export function isSameTime(firstGiven: string | undefined, retryGiven: string | undefined): boolean {
  if (firstGiven === undefined || retryGiven === undefined || firstGiven === retryGiven) return true;
  const [first, retry] = [parseInstant(firstGiven), parseInstant(retryGiven)];
  return (
    first !== undefined && retry !== undefined && first.seconds === retry.seconds && first.fraction === retry.fraction
  );
}
