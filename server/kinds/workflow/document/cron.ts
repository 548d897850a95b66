// Cron expressions: five fields, in a time zone.
import { Cron } from 'croner';

/** What is wrong with a cron expression, as the end of a sentence; undefined when there are times that it means. */
export function cronFault(expression: string): string | undefined {
  const fields = expression.trim().split(/\s+/);
  if (fields.length !== 5) {
    return `has ${fields.length} field${fields.length === 1 ? '' : 's'}; write five: minute, hour, day of the month, month, day of the week`;
  }
  try {
    const cron = new Cron(expression, { mode: '5-part', paused: true, timezone: 'UTC' });
    return cron.nextRun(new Date(0)) === null ? 'never matches any day; write another one' : undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message.replace(/^CronPattern: /, '') : '';
    return `cannot be read (${message.slice(0, 160)}); write for example 0 8 * * 1-5`;
  }
}

/** Whether days match that match only one of the day of the month and the day of the week. */
export function hasEitherDay(expression: string): boolean {
  const [, , day = '', , weekday = ''] = expression.trim().split(/\s+/);
  return !EVERY_DAY.test(day) && !EVERY_DAY.test(weekday) && !weekday.startsWith('+');
}

const EVERY_DAY = /^[*?]$/;

/** Whether the time zone is in the database of time zones. Offsets are no zones: they know no summer time. */
export function isTimeZone(name: string): boolean {
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone !== '';
  } catch {
    return false;
  }
}
