import { describe, expect, test } from 'vitest';
import { ASSERTED_FORMATS } from '../../../shared/formats.ts';
import { type OffsetAt, pickedTime, readTime, type TimeFormat } from './time-text.ts';

/** Berlin in 2026: the clock skips 02:00 to 03:00 on 29 March, and shows it twice on 25 October. */
const berlin: OffsetAt = (instant) =>
  instant >= Date.UTC(2026, 2, 29, 1) && instant < Date.UTC(2026, 9, 25, 1) ? 120 : 60;
const NOW = Date.UTC(2026, 11, 1);
const read = (format: TimeFormat, text: string, offsetAt = berlin) => readTime(format, text, offsetAt, NOW);

describe('a text is read', () => {
  test.each<[TimeFormat, string, string]>([
    ['date', '2026-05-01', '2026-05-01'],
    ['date', ' 2026-5-1 ', '2026-05-01'],
    ['date', '2026/05/01', '2026-05-01'],
    ['date', '٢٠٢٦-٠٥-٠١', '2026-05-01'],
    ['date', '२०२६-०५-०१', '2026-05-01'],
    ['date', '２０２６－０５－０１', '2026-05-01'],
    ['date', '2026–05–01', '2026-05-01'],
    ['time', '０７：３０', '07:30:00+01:00'],
    ['time', '07:30 UTC', '07:30:00Z'],
    ['time', '07:30', '07:30:00+01:00'],
    ['time', '7:30', '07:30:00+01:00'],
    ['time', '07:30:15.25', '07:30:15.25+01:00'],
    ['time', '7:30 pm', '19:30:00+01:00'],
    ['time', '12:00 a.m.', '00:00:00+01:00'],
    ['time', '07:30Z', '07:30:00Z'],
    ['time', '07:30 +05:30', '07:30:00+05:30'],
    ['time', '07:30:00-0800', '07:30:00-08:00'],
    ['date-time', '2026-11-15 07:30', '2026-11-15T07:30:00+01:00'],
    ['date-time', '2026-07-15 07:30', '2026-07-15T07:30:00+02:00'],
    ['date-time', '2026-11-15T07:30:05', '2026-11-15T07:30:05+01:00'],
    ['date-time', '2026-11-15 00:00:00', '2026-11-15T00:00:00+01:00'],
    ['date-time', '2026-11-15, 7:30 PM', '2026-11-15T19:30:00+01:00'],
    ['date-time', '2026-11-15T07:30:00Z', '2026-11-15T07:30:00Z'],
    ['date-time', '2026-11-15 07:30 -03', '2026-11-15T07:30:00-03:00'],
    ['date-time', '2026-10-25 02:30 +02:00', '2026-10-25T02:30:00+02:00'],
    ['date-time', '2026-03-29 03:00', '2026-03-29T03:00:00+02:00'],
    ['date-time', '2016-12-31T23:59:60Z', '2016-12-31T23:59:60Z'],
  ])('as %s: %s', (format, text, sent) => {
    expect(read(format, text)).toEqual({ text: sent });
    expect(ASSERTED_FORMATS.get(format)?.isValid(sent)).toBe(true);
  });

  test('with the offset of the person', () => {
    expect(read('time', '07:30', () => 0)).toEqual({ text: '07:30:00Z' });
    expect(read('time', '07:30', () => -210)).toEqual({ text: '07:30:00-03:30' });
    expect(read('date-time', '2026-11-15 07:30', () => 345)).toEqual({ text: '2026-11-15T07:30:00+05:45' });
  });
});

test.each<[TimeFormat, string, RegExp]>([
  ['date', '1 May', /^Write the date as year-month-day, such as 2026-05-01\.$/],
  ['date', '01.05.2026', /year-month-day/],
  ['date', '5/1/2026', /year-month-day/],
  ['date', '2026-02-30', /^There is no 2026-02-30/],
  ['date', '2026-05-01T07:30:00Z', /year-month-day/],
  ['time', 'noon', /^Write the time as 07:30/],
  ['time', '25:00', /^There is no time 25:00/],
  ['time', '13:00 pm', /^There is no time/],
  ['time', '07:30+25:00', /^There is no offset \+25:00/],
  ['date-time', '1 May', /^Write the date and time as 2026-05-01 07:30\.$/],
  ['date-time', '2026-05-01', /^Add a time, such as 2026-05-01 07:30\.$/],
  ['date-time', '2026-02-30 07:30', /^There is no 2026-02-30/],
  ['date-time', '2026-05-01 24:30', /^There is no time 24:30/],
  ['date-time', '2026-03-29 02:30', /^The clock skips 02:30:00 on this day/],
  ['date-time', '2026-10-25 02:30', /Write 02:30:00\+02:00 or 02:30:00\+01:00\.$/],
])('as %s, %s is refused with what to write', (format, text, problem) => {
  expect(read(format, text)).toEqual({ problem: expect.stringMatching(problem) });
});

test.each<[TimeFormat, string, { date?: string; time?: string }, string]>([
  ['date', '', { date: '2026-05-01' }, '2026-05-01'],
  ['date', '2026-5-2', { date: '2026-05-01' }, '2026-05-01'],
  ['time', '7:30', { time: '08:15' }, '08:15'],
  ['time', '7:30Z', { time: '08:15' }, '08:15Z'],
  ['date-time', '', { date: '2026-05-01' }, '2026-05-01 00:00'],
  ['date-time', '', { time: '08:15' }, '2026-12-01 08:15'],
  ['date-time', '2026-05-01 7:30', { date: '2026-05-02' }, '2026-05-02 07:30'],
  ['date-time', '2026-5-1 7:30 pm', { date: '2026-05-02' }, '2026-05-02 19:30'],
  ['date-time', '2026/5/1 07:30', { time: '08:15' }, '2026-05-01 08:15'],
  ['date-time', '2026-05-01T07:30:15+02:00', { date: '2026-12-02' }, '2026-12-02 07:30:15'],
  ['date-time', '2026-05-01T07:30:00Z', { date: '2026-05-02' }, '2026-05-02 07:30Z'],
  ['date-time', '2026-05-01 07:30 +05:30', { time: '08:15' }, '2026-05-01 08:15+05:30'],
  ['date-time', '2026-05-01', { time: '08:15' }, '2026-05-01 08:15'],
  ['date-time', '2026-05-01 07:30', { time: '' }, '2026-05-01'],
])('as %s, %j after %j is picked is %j', (format, text, picked, after) => {
  expect(pickedTime(format, text, picked, berlin, NOW).text).toBe(after);
});

test('a blank text is no time', () => {
  expect(read('date', ' ')).toBeUndefined();
});
