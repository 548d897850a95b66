import { Cron } from 'croner';
import { describe, expect, test } from 'vitest';
import { nextCronTime } from './cron-times.ts';

/** The times from a moment on, without milliseconds. */
function times(expression: string, timezone: string, from: string, count: number): string[] {
  const found: string[] = [];
  for (let now = Date.parse(from); found.length < count; ) {
    const next = nextCronTime(expression, timezone, now);
    if (next === undefined) break;
    found.push(new Date(next).toISOString().replace(':00.000Z', 'Z'));
    now = next;
  }
  return found;
}

describe('a fixed time that the clock skips comes right after the gap, and one that it repeats comes once', () => {
  test.each<[expression: string, timezone: string, from: string, times: string[]]>([
    [
      '15 2,14 * * *',
      'Europe/Berlin',
      '2026-10-25T00:14:35Z',
      ['2026-10-25T00:15Z', '2026-10-25T13:15Z', '2026-10-26T01:15Z'],
    ],
    [
      '15 2,14 * * *',
      'Europe/Berlin',
      '2027-03-27T20:00:00Z',
      ['2027-03-28T01:00Z', '2027-03-28T12:15Z', '2027-03-29T00:15Z'],
    ],
    [
      '0,30 2 * * *',
      'Europe/Berlin',
      '2026-10-24T20:00:00Z',
      ['2026-10-25T00:00Z', '2026-10-25T00:30Z', '2026-10-26T01:00Z'],
    ],
    ['0,30 2 * * *', 'Europe/Berlin', '2027-03-27T20:00:00Z', ['2027-03-28T01:00Z', '2027-03-29T00:00Z']],
    ['0,30 2,3 * * *', 'Europe/Berlin', '2027-03-27T20:00:00Z', ['2027-03-28T01:00Z', '2027-03-28T01:30Z']],
    [
      '0 1-3 * * *',
      'Europe/Berlin',
      '2026-10-24T20:00:00Z',
      ['2026-10-24T23:00Z', '2026-10-25T00:00Z', '2026-10-25T02:00Z'],
    ],
    [
      '0 1-3 * * *',
      'Europe/Berlin',
      '2027-03-27T20:00:00Z',
      ['2027-03-28T00:00Z', '2027-03-28T01:00Z', '2027-03-28T23:00Z'],
    ],
    [
      '10-50/20 2 * * *',
      'Europe/Berlin',
      '2026-10-24T20:00:00Z',
      ['2026-10-25T00:10Z', '2026-10-25T00:30Z', '2026-10-25T00:50Z', '2026-10-26T01:10Z'],
    ],
    ['30 2 28 3 *', 'Europe/Berlin', '2027-01-01T00:00:00Z', ['2027-03-28T01:00Z', '2028-03-28T00:30Z']],
    ['30 2 * * SUN#L', 'Europe/Berlin', '2027-03-01T00:00:00Z', ['2027-03-28T01:00Z', '2027-04-25T00:30Z']],
    // Half an hour is skipped and repeated.
    [
      '0,15,45 2 * * *',
      'Australia/Lord_Howe',
      '2026-10-03T10:00:00Z',
      ['2026-10-03T15:30Z', '2026-10-03T15:45Z', '2026-10-04T15:00Z'],
    ],
    ['35 1 * * *', 'Australia/Lord_Howe', '2027-04-03T10:00:00Z', ['2027-04-03T14:35Z', '2027-04-04T15:05Z']],
    // The clock changes at midnight.
    [
      '0,30 0 * * *',
      'America/Santiago',
      '2026-09-05T12:00:00Z',
      ['2026-09-06T04:00Z', '2026-09-07T03:00Z', '2026-09-07T03:30Z'],
    ],
    ['30 23 * * *', 'America/Santiago', '2027-04-03T12:00:00Z', ['2027-04-04T02:30Z', '2027-04-05T03:30Z']],
    ['0 0 * * *', 'Asia/Beirut', '2026-03-28T12:00:00Z', ['2026-03-28T22:00Z', '2026-03-29T21:00Z']],
    ['15 23 * * *', 'Asia/Beirut', '2026-10-24T12:00:00Z', ['2026-10-24T20:15Z', '2026-10-25T21:15Z']],
    // The gap ends on the next day.
    ['45 23 * * *', 'Asia/Pyongyang', '2018-05-04T00:00:00Z', ['2018-05-04T15:00Z', '2018-05-05T14:45Z']],
    // A whole day is missing, which is a correction of the zone.
    [
      '0 9 * * *',
      'Pacific/Apia',
      '2011-12-29T12:00:00Z',
      ['2011-12-29T19:00Z', '2011-12-30T19:00Z', '2011-12-31T19:00Z'],
    ],
    ['0-59 0-23 30 12 *', 'Pacific/Apia', '2011-12-29T12:00:00Z', ['2012-12-29T10:00Z']],
  ])('%s in %s from %s', (expression, timezone, from, expected) => {
    expect(times(expression, timezone, from, expected.length)).toEqual(expected);
  });
});

describe('an expression whose minute or hour begins with a star follows the clock', () => {
  test.each<[expression: string, timezone: string, from: string, times: string[]]>([
    [
      '*/15 2 * * *',
      'Europe/Berlin',
      '2026-10-25T00:29:00Z',
      ['2026-10-25T00:30Z', '2026-10-25T00:45Z', '2026-10-25T01:00Z'],
    ],
    ['*/15 2 * * *', 'Europe/Berlin', '2027-03-27T20:00:00Z', ['2027-03-29T00:00Z', '2027-03-29T00:15Z']],
    [
      '30 * * * *',
      'Europe/Berlin',
      '2026-10-24T23:45:00Z',
      ['2026-10-25T00:30Z', '2026-10-25T01:30Z', '2026-10-25T02:30Z'],
    ],
    [
      '30 */2 * * *',
      'Europe/Berlin',
      '2026-10-24T23:45:00Z',
      ['2026-10-25T00:30Z', '2026-10-25T01:30Z', '2026-10-25T03:30Z'],
    ],
    ['30 */2 * * *', 'Europe/Berlin', '2027-03-27T22:45:00Z', ['2027-03-27T23:30Z', '2027-03-28T02:30Z']],
    ['45 * * * *', 'Australia/Lord_Howe', '2027-04-03T14:00:00Z', ['2027-04-03T14:45Z', '2027-04-03T15:15Z']],
    ['15 * * * *', 'Australia/Lord_Howe', '2026-10-03T15:00:00Z', ['2026-10-03T16:15Z']],
  ])('%s in %s from %s', (expression, timezone, from, expected) => {
    expect(times(expression, timezone, from, expected.length)).toEqual(expected);
  });
});

const MINUTE = 60_000;

/** Local times, written as if they were UTC, of each minute of a period and of the six hours before it. */
function localTimes(timezone: string, start: number, end: number): { now: number; local: number }[] {
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone, dateStyle: 'short', timeStyle: 'short' });
  const times: { now: number; local: number }[] = [];
  for (let now = start - 6 * 60 * MINUTE; now <= end; now += MINUTE) {
    times.push({ now, local: Date.parse(`${format.format(now).replace(' ', 'T')}Z`) });
  }
  return times;
}

/** The times of an expression by the rules of cronie's main loop, minute by minute. */
function timesOfCronie(expression: string, minutes: ReturnType<typeof localTimes>): number[] {
  const cron = new Cron(expression, { timezone: 'UTC', mode: '5-part', paused: true });
  const isWild = /^\*|^\S+ \*/.test(expression);
  const known = new Map<number, boolean>();
  const isDueAt = (local: number): boolean => {
    const isDue = known.get(local) ?? cron.match(new Date(local));
    known.set(local, isDue);
    return isDue;
  };
  let virtual = (minutes[0]?.local ?? 0) - MINUTE;
  return minutes.flatMap(({ now, local }) => {
    if (local - virtual > 180 * MINUTE) virtual = local - MINUTE;
    let isDue = isWild && isDueAt(local);
    while (virtual < local) {
      virtual += MINUTE;
      isDue ||= !isWild && isDueAt(virtual);
    }
    return isDue ? [now] : [];
  });
}

test.each([
  ['Europe/Berlin', '2026-10-24T16:00:00Z'],
  ['Europe/Berlin', '2027-03-27T16:00:00Z'],
  ['Australia/Lord_Howe', '2026-10-03T08:00:00Z'],
  ['Australia/Lord_Howe', '2027-04-03T08:00:00Z'],
  ['America/Santiago', '2026-09-05T20:00:00Z'],
  ['America/Santiago', '2027-04-03T20:00:00Z'],
  ['Asia/Beirut', '2026-03-28T14:00:00Z'],
  ['Asia/Beirut', '2026-10-24T14:00:00Z'],
  ['Antarctica/Troll', '2026-10-24T16:00:00Z'],
  ['Pacific/Apia', '2011-12-30T02:00:00Z'],
])('in %s from %s, the times are those of cronie', (timezone, from) => {
  const start = Date.parse(from);
  const end = start + 24 * 60 * MINUTE;
  const minutes = localTimes(timezone, start, end);
  for (const expression of EXPRESSIONS) {
    const found: number[] = [];
    let next = nextCronTime(expression, timezone, start);
    for (; next !== undefined && next <= end; next = nextCronTime(expression, timezone, next)) found.push(next);
    const expected = timesOfCronie(expression, minutes).filter((time) => time > start);
    expect({ expression, found }).toEqual({ expression, found: expected });
    // From any moment, the next time is the next of the list.
    for (let now = start + 7.5 * MINUTE; now < (found.at(-1) ?? 0); now += 197 * MINUTE) {
      expect(nextCronTime(expression, timezone, now)).toBe(found.find((time) => time > now));
    }
  }
});

const EXPRESSIONS = [
  '0 0 * * *',
  '30 0,1,2 * * *',
  '0,20,40 1-3 * * *',
  '5-55/10 0-3,22-23 * * *',
  '15 23 * * *',
  '59 23,0,1,2,3 * * *',
  '*/20 2 * * *',
  '15 * * * *',
  '*/10 */2 * * *',
  '45 */3 * * *',
  '*/7 0,1,2,23 * * *',
  '10 0-23 * * 6,0',
];
