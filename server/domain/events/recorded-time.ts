import { invalidInput } from '../../lib/rejection.ts';
import { readIsoTime } from './iso-time.ts';

/** The last millisecond of the form in which times are recorded: what comes later is written otherwise. */
const LAST = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** A time in milliseconds in the form in which it is recorded, so that texts compare as times do. */
export function recordedTime(milliseconds: number): string {
  return new Date(Math.min(milliseconds, LAST)).toISOString();
}

/** A time that a caller gave, in the form in which times are recorded. @throws Refused `invalid_input` at the field */
export function requestedTime(field: string, text: string | undefined): string | undefined {
  if (text === undefined) return undefined;
  const milliseconds = readIsoTime(text);
  if (milliseconds !== undefined) return recordedTime(milliseconds);
  // In a query string a bare + stands for a space.
  const hint = / \d\d(:?\d\d)?$/.test(text) ? ' Write the + of the offset as %2B.' : '';
  throw invalidInput([
    {
      pointer: `/${field}`,
      detail: `\`${field}\` must be an existing date and time with an offset (ISO 8601), for example 2026-01-31T07:00:00Z; hours are 00 to 23.${hint}`,
    },
  ]);
}
