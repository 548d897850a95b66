import type { Ajv } from 'ajv';
import addFormats from 'ajv-formats';

/** The formats that are asserted; every other one is an annotation. */
export const ASSERTED_FORMATS = ['date-time', 'date', 'time', 'duration', 'email', 'uri', 'uuid'] as const;

export function isAssertedFormat(format: unknown): boolean {
  return (ASSERTED_FORMATS as readonly unknown[]).includes(format);
}

export function useFormats(ajv: Ajv): void {
  addFormats.default(ajv, { mode: 'full', formats: [...ASSERTED_FORMATS] });
  // ajv-formats takes a blank for the T, an offset without minutes, and a UUID's URN.
  ajv.addFormat('date-time', isDateTime);
  ajv.addFormat('date', isDate);
  ajv.addFormat('time', isTime);
  ajv.addFormat('uuid', /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i);
}

const TIME = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:z|([+-])(\d\d):(\d\d))$/i;
const MINUTES_OF_DAY = 24 * 60;

/** RFC 3339, section 5.6. */
function isDateTime(text: string): boolean {
  return /^.{10}t/i.test(text) && isDate(text.slice(0, 10)) && isTime(text.slice(11));
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const date = new Date(`${text}T00:00:00Z`);
  // A day that the month does not have is the next month's.
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text);
}

/** A sixtieth second is a leap second, and stands at the end of a day in UTC alone. */
function isTime(text: string): boolean {
  const match = TIME.exec(text);
  if (match === null) return false;
  const [hour = 0, minute = 0, second = 0] = match.slice(1, 4).map(Number);
  const [offsetHour = 0, offsetMinute = 0] = match.slice(5, 7).map((part) => Number(part ?? 0));
  if (hour > 23 || minute > 59 || second > 60 || offsetHour > 23 || offsetMinute > 59) return false;
  const offset = (match[4] === '-' ? -1 : 1) * (offsetHour * 60 + offsetMinute);
  const utc = (hour * 60 + minute - offset + MINUTES_OF_DAY) % MINUTES_OF_DAY;
  return second < 60 || utc === MINUTES_OF_DAY - 1;
}
