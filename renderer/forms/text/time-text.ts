// Dates and times as people write them, turned into the texts that a schema's format demands (RFC 3339).
import { isDate, isDateTime, isTime } from '../../../shared/formats.ts';
import { plainText } from './plain-text.ts';

/** The person's offset from UTC at an instant, in minutes; positive east of Greenwich. */
export type OffsetAt = (instant: number) => number;

/** A text that the format demands, or what is wrong. */
export type ReadTime = { text: string } | { problem: string };

export type TimeFormat = 'date' | 'time' | 'date-time';

/** What a person may write. */
export const TIME_EXAMPLES: Readonly<Record<TimeFormat, string>> = {
  date: '2026-05-01',
  time: '07:30',
  'date-time': '2026-05-01 07:30',
};

export const localOffset: OffsetAt = (instant) => -new Date(instant).getTimezoneOffset();

const DATE = /^(\d{4})([-/.])(\d{1,2})\2(\d{1,2})$/;
const TIME = /^(\d{1,2}):(\d\d)(?::(\d\d)(\.\d+)?)?(?:\s?([ap])\.?m\.?)?\s?(z|utc|gmt|[+-]\d\d(?::?\d\d)?)?$/i;
const DATE_AND_TIME = /^(\S+?)(?:\s*[t,]\s*|\s+)(\d.*)$/i;

/**
 * Reads a text; undefined if it is blank.
 * @param now milliseconds since 1970; its offset is that of a time without a date
 */
export function readTime(format: TimeFormat, text: string, offsetAt: OffsetAt, now: number): ReadTime | undefined {
  const plain = plainText(text).replaceAll(/\s+/g, ' ');
  if (plain === '') return undefined;
  switch (format) {
    case 'date':
      return readDate(plain);
    case 'time':
      return readTimeOfDay(plain, () => [offsetAt(now)]);
    case 'date-time':
      return readDateTime(plain, offsetAt);
  }
}

/** The parts of a text that a picker shows, and the text after a part is picked. */
interface PickedTime {
  date: string | undefined;
  time: string | undefined;
  text: string;
}

/** The other part stays as it is, and so does an offset that is not the person's. */
export function pickedTime(
  format: TimeFormat,
  text: string,
  picked: { date?: string; time?: string },
  offsetAt: OffsetAt,
  now: number,
): PickedTime {
  const read = readTime(format, text, offsetAt, now);
  const known = read !== undefined && 'text' in read ? read.text : text;
  const date = /\d{4}-\d\d-\d\d/.exec(known)?.[0];
  const [, time, zone = ''] = /(?<!\d)(\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:\d\d)?/i.exec(known) ?? [];
  const own = offsetText(offsetAt(format === 'time' || date === undefined ? now : Date.parse(known)));
  const parts = { date: picked.date ?? date, time: (picked.time ?? time)?.replace(/^(\d\d:\d\d):00$/, '$1') };
  const clock = parts.time ?? (picked.date === undefined ? '' : '00:00');
  const shownTime = clock === '' || zone === own ? clock : `${clock}${zone}`;
  const shownDate = parts.date ?? isoDate(now + offsetAt(now) * 60_000);
  const shown = { date: shownDate, time: shownTime, 'date-time': `${shownDate} ${shownTime}`.trim() };
  return { ...parts, text: shown[format] };
}

const isoDate = (instant: number): string => new Date(instant).toISOString().slice(0, 10);

function readDate(text: string): ReadTime {
  const [, year = '', , month = '', day = ''] = DATE.exec(text) ?? [];
  if (year === '') return { problem: `Write the date as year-month-day, such as ${TIME_EXAMPLES.date}.` };
  const date = `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`;
  return isDate(date)
    ? { text: date }
    : { problem: `There is no ${date}. Write a date such as ${TIME_EXAMPLES.date}.` };
}

function readDateTime(text: string, offsetAt: OffsetAt): ReadTime {
  if (isDateTime(text)) return { text };
  const parts = DATE_AND_TIME.exec(text);
  const date = readDate(parts?.[1] ?? text);
  if ('problem' in date) {
    return DATE.test(parts?.[1] ?? text)
      ? date
      : { problem: `Write the date and time as ${TIME_EXAMPLES['date-time']}.` };
  }
  if (parts === null) return { problem: `Add a time, such as ${date.text} 07:30.` };
  const time = readTimeOfDay(parts[2] ?? '', (clock) => offsetsOf(`${date.text}T${clock}`, offsetAt));
  return 'problem' in time ? time : { text: `${date.text}T${time.text}` };
}

/** @param offsetsOf the offsets at which the clock shows a time, as `HH:MM:SS` */
function readTimeOfDay(text: string, offsetsOf: (clock: string) => readonly number[]): ReadTime {
  if (isTime(text)) return { text };
  const [, hours = '', minutes = '', seconds = '00', fraction = '', half, zone] = TIME.exec(text) ?? [];
  if (hours === '')
    return { problem: `Write the time as ${TIME_EXAMPLES.time}, with or without an offset such as +02:00.` };
  const hour = half === undefined ? Number(hours) : hourOfHalf(Number(hours), half);
  const clock = `${String(hour).padStart(2, '0')}:${minutes}:${seconds}`;
  if (!isTime(`${clock}Z`)) return { problem: `There is no time ${text}. Write a time such as ${TIME_EXAMPLES.time}.` };
  if (zone !== undefined) return withOffset(`${clock}${fraction}`, fullOffset(zone));
  const offsets = offsetsOf(clock);
  const [first, second] = offsets;
  if (first === undefined)
    return { problem: `The clock skips ${clock} on this day. Write another time, or add an offset.` };
  if (second === undefined) return withOffset(`${clock}${fraction}`, offsetText(first));
  const choices = offsets.map((offset) => `${clock}${offsetText(offset)}`).join(' or ');
  return { problem: `The clock shows ${clock} twice on this day. Write ${choices}.` };
}

function withOffset(clock: string, offset: string): ReadTime {
  const text = `${clock}${offset}`;
  return isTime(text) ? { text } : { problem: `There is no offset ${offset}. Write one such as +02:00 or Z.` };
}

/** NaN for an hour that a clock of twelve hours does not have. */
function hourOfHalf(hour: number, half: string): number {
  if (hour < 1 || hour > 12) return Number.NaN;
  return (hour % 12) + (half.toLowerCase() === 'p' ? 12 : 0);
}

/** `+02` and `+0200` as `+02:00`, and `UTC` as `Z`. */
function fullOffset(zone: string): string {
  if (/^[a-z]/i.test(zone)) return 'Z';
  const digits = zone.replace(':', '');
  return `${digits.slice(0, 3)}:${digits.slice(3).padEnd(2, '0')}`;
}

function offsetText(minutes: number): string {
  const size = Math.abs(Math.round(minutes));
  if (size === 0) return 'Z';
  const part = (value: number): string => String(value).padStart(2, '0');
  return `${minutes < 0 ? '-' : '+'}${part(Math.floor(size / 60))}:${part(size % 60)}`;
}

const DAY = 24 * 60 * 60 * 1000;

/** The offsets at which the clock shows a local time: none where it is skipped, two where it is repeated. */
function offsetsOf(local: string, offsetAt: OffsetAt): number[] {
  const asUtc = Date.parse(`${local}Z`);
  const around = new Set([offsetAt(asUtc - DAY), offsetAt(asUtc + DAY)]);
  return [...around].filter((offset) => offsetAt(asUtc - offset * 60_000) === offset);
}
