// The formats of texts that are asserted, with the words that say what is expected. Every other format is an annotation.
import { fullFormats } from 'ajv-formats/dist/formats.js';

export interface TextFormat {
  isValid: (text: string) => boolean;
  /** What is expected, with its article and an example. */
  words: string;
}

const TIME = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|([+-])(\d\d):(\d\d))$/i;
const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;
const MINUTES_OF_DAY = 24 * 60;

/** RFC 3339, section 5.6. */
export function isDateTime(text: string): boolean {
  return /^.{10}t/i.test(text) && isDate(text.slice(0, 10)) && isTime(text.slice(11));
}

export function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  // A day that the month does not have is the next month's.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** A sixtieth second is a leap second, and stands at the end of a day in UTC alone. */
export function isTime(text: string): boolean {
  const match = TIME.exec(text);
  if (match === null) return false;
  const [hour = 0, minute = 0, second = 0] = match.slice(1, 4).map(Number);
  const [offsetHour = 0, offsetMinute = 0] = match.slice(5, 7).map((part) => Number(part ?? 0));
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return false;
  const offset = (match[4] === '-' ? -1 : 1) * (offsetHour * 60 + offsetMinute);
  const utc = (hour * 60 + minute - offset + MINUTES_OF_DAY) % MINUTES_OF_DAY;
  return second < 60 || utc === MINUTES_OF_DAY - 1;
}

/** The check that ajv-formats has for a format. */
function full(name: 'duration' | 'email' | 'uri'): (text: string) => boolean {
  const format: unknown = fullFormats[name];
  if (format instanceof RegExp) return (text) => format.test(text);
  if (typeof format === 'function') return (text) => (format as (text: string) => boolean)(text);
  throw new Error(`ajv-formats has no check for ${name}.`);
}

// ajv-formats takes a blank for the T, an offset without minutes, and a UUID's URN.
export const ASSERTED_FORMATS: ReadonlyMap<string, TextFormat> = new Map([
  ['date-time', { isValid: isDateTime, words: 'a date and time such as 2026-01-31T07:00:00Z' }],
  ['date', { isValid: isDate, words: 'a date such as 2026-01-31' }],
  ['time', { isValid: isTime, words: 'a time with its offset such as 07:00:00Z' }],
  ['duration', { isValid: full('duration'), words: 'an ISO 8601 duration such as P3D or PT2H' }],
  ['email', { isValid: full('email'), words: 'an e-mail address' }],
  ['uri', { isValid: full('uri'), words: 'an absolute URI such as https://example.com/a' }],
  ['uuid', { isValid: (text: string) => UUID.test(text), words: 'a UUID' }],
]);
