// Cron expressions: five fields, in a time zone.
import { Cron } from 'croner';

/** What is wrong with a cron expression, as the end of a sentence; undefined when there are times that it means. */
export function cronFault(expression: string): string | undefined {
  const fields = expression.trim().split(/\s+/);
  if (fields.length !== 5) {
    const instead = forNickname(fields[0] ?? '');
    return `has ${fields.length} field${fields.length === 1 ? '' : 's'}; write five: minute, hour, day of the month, month, day of the week${instead}`;
  }
  try {
    const cron = new Cron(expression, { mode: '5-part', paused: true, timezone: 'UTC' });
    return cron.nextRun(new Date(0)) === null ? 'never matches any day; write another one' : undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message.replace(/^CronPattern: /, '') : '';
    return `cannot be read (${asWritten(message).slice(0, 160)}); write for example ${twoRanges(fields) ?? '0 8 * * 1-5'}`;
  }
}

const NICKNAMES: Readonly<Record<string, string>> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
};

/** What to write for `@daily` and the like; empty for a text that is none. */
function forNickname(word: string): string {
  const name = word.toLowerCase();
  if (name === '@every') return '; for @every, use `every` instead';
  const fields = Object.hasOwn(NICKNAMES, name) ? NICKNAMES[name] : undefined;
  return fields === undefined ? '' : `; for ${name}, write ${fields}`;
}

/** The parser counts days and months from 0 in its messages. */
function asWritten(message: string): string {
  return message.replace(
    /^(Invalid value for (?:day|month): )(-?\d+)/,
    (_all, words: string, value: string) => `${words}${Number(value) + 1}`,
  );
}

/** The expression with `22-2` as `22-23,0-2`; undefined if no range of numbers runs over the end of its field. */
function twoRanges(fields: readonly string[]): string | undefined {
  const ends = [
    [0, 59],
    [0, 23],
    [1, 31],
    [1, 12],
    [0, 6],
  ];
  const split = fields.map((field, at) => {
    const [, from = '', to = ''] = /^(\d{1,2})-(\d{1,2})$/.exec(field) ?? [];
    const [least = 0, most = 0] = ends[at] ?? [];
    const isOver = Number(from) > Number(to) && Number(from) <= most && Number(to) >= least;
    return isOver ? `${from}-${most},${least}-${to}` : field;
  });
  return split.join(' ') === fields.join(' ') ? undefined : split.join(' ');
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
