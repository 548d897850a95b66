import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readIsoTime } from './iso-time.ts';

const at = (text: string): string | undefined => {
  const milliseconds = readIsoTime(text);
  return milliseconds === undefined ? undefined : new Date(milliseconds).toISOString();
};

describe('a time of ISO 8601', () => {
  test.each([
    ['extended', '2026-01-31T07:30:15Z', '2026-01-31T07:30:15.000Z'],
    ['basic', '20260131T073015Z', '2026-01-31T07:30:15.000Z'],
    ['letters in lower case', '2026-w05-6t07:30:15z', '2026-01-31T07:30:15.000Z'],
    ['a week date', '2026-W05-6T07:30:15Z', '2026-01-31T07:30:15.000Z'],
    ['a basic week date', '2026W056T073015Z', '2026-01-31T07:30:15.000Z'],
    ['a week date of the year before', '2026-W01-1T00:00:00Z', '2025-12-29T00:00:00.000Z'],
    ['a week date of the year after', '2026-W53-7T00:00:00Z', '2027-01-03T00:00:00.000Z'],
    ['an ordinal date', '2026-031T07:30:15Z', '2026-01-31T07:30:15.000Z'],
    ['a basic ordinal date', '2026031T073015Z', '2026-01-31T07:30:15.000Z'],
    ['the last day of a leap year', '2024-366T00:00:00Z', '2024-12-31T00:00:00.000Z'],
    ['no seconds', '2026-01-31T07:30Z', '2026-01-31T07:30:00.000Z'],
    ['no seconds, basic', '20260131T0730Z', '2026-01-31T07:30:00.000Z'],
    ['hours alone', '2026-01-31T07Z', '2026-01-31T07:00:00.000Z'],
    ['hours alone, basic', '20260131T07Z', '2026-01-31T07:00:00.000Z'],
    ['a fraction of a second', '2026-01-31T07:30:15.25Z', '2026-01-31T07:30:15.250Z'],
    ['a comma', '2026-01-31T07:30:15,25Z', '2026-01-31T07:30:15.250Z'],
    ['a fraction of a minute', '2026-01-31T07:30,25Z', '2026-01-31T07:30:15.000Z'],
    ['a fraction of an hour', '20260131T07.5Z', '2026-01-31T07:30:00.000Z'],
    ['a part of a millisecond, which counts as a whole one', '2026-01-31T07:30:15.0001Z', '2026-01-31T07:30:15.001Z'],
    ['zeros behind the point', '2026-01-31T07:30:15.2500000000000000000000Z', '2026-01-31T07:30:15.250Z'],
    ['an offset', '2026-01-31T07:30:15+01:30', '2026-01-31T06:00:15.000Z'],
    ['an offset without a colon', '2026-01-31T07:30:15+0130', '2026-01-31T06:00:15.000Z'],
    ['an offset of hours', '2026-01-31T07:30:15-05', '2026-01-31T12:30:15.000Z'],
    ['a basic offset', '20260131T073015-0500', '2026-01-31T12:30:15.000Z'],
    ['hours with an offset of hours', '2026-01-31T07+05', '2026-01-31T02:00:00.000Z'],
    ['an offset across the year', '2026-001T00:30:00+01:00', '2025-12-31T23:30:00.000Z'],
    ['no offset but zero', '2026-01-31T00:00:00-00:00', '2026-01-31T00:00:00.000Z'],
    ['a leap second', '2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
    ['a part of a leap second elsewhere', '2017-01-01T08:59:60,5+09', '2017-01-01T00:00:00.500Z'],
    ['an early year', '0099-12-31T00:00:00Z', '0099-12-31T00:00:00.000Z'],
  ])('given %s: %s, then it is %s', (_case, text, instant) => {
    expect(at(text)).toBe(instant);
  });

  test.each([
    ['no offset', '2026-01-31T07:30:15'],
    ['no offset, basic', '20260131T073015'],
    ['a date alone', '2026-01-31'],
    ['a date with an offset', '2026-01-31Z'],
    ['a month', '2026-01T00:00:00Z'],
    ['a year', '2026T00Z'],
    ['a week', '2026-W05T00:00:00Z'],
    ['a time alone', 'T07:30:15Z'],
    ['a basic date and an extended time', '20260131T07:30:15Z'],
    ['an extended date and a basic time', '2026-01-31T073015Z'],
    ['a week date that is half basic', '2026-W056T00:00:00Z'],
    ['a day that the month lacks', '2026-02-29T00:00:00Z'],
    ['the same, basic', '20260229T000000Z'],
    ['29 February of a century year', '19000229T00Z'],
    ['month 13', '2026-13-01T00:00:00Z'],
    ['day 0', '2026-01-00T00:00:00Z'],
    ['ordinal day 0', '2026-000T00:00:00Z'],
    ['day 366 of a common year', '2026-366T00:00:00Z'],
    ['week 0', '2026-W00-1T00:00:00Z'],
    ['week 53 of a year that lacks it', '2025-W53-1T00:00:00Z'],
    ['weekday 0', '2026-W05-0T00:00:00Z'],
    ['weekday 8', '2026-W05-8T00:00:00Z'],
    ['hour 24', '2026-01-31T24:00:00Z'],
    ['hour 24, basic', '20260131T24Z'],
    ['hour 24 of a week date', '2026-W05-6T24:00Z'],
    ['minute 60', '2026-01-31T00:60Z'],
    ['second 61', '2016-12-31T23:59:61Z'],
    ['second 60 within a UTC day', '2026-01-31T12:00:60Z'],
    ['second 60 at the end of a day elsewhere', '2016-12-31T23:59:60+01:00'],
    ['offset hour 24', '2026-01-31T00:00:00+24:00'],
    ['offset minute 60', '2026-01-31T00:00:00+01:60'],
    ['an offset of one digit', '2026-01-31T00:00:00+1'],
    ['a fraction of minutes before seconds', '2026-01-31T07:30.5:15Z'],
    ['a point without digits', '2026-01-31T00:00:00.Z'],
    ['a space instead of T', '2026-01-31 00:00:00Z'],
    ['a line break behind it', '2026-01-31T00:00:00Z\n'],
    ['digits of another script', '２０２６-01-31T00:00:00Z'],
    ['65 characters', `2026-01-31T00:00:00.${'0'.repeat(44)}Z`],
    ['nothing', ''],
  ])('given %s, then it is none', (_case, text) => {
    expect(at(text)).toBeUndefined();
  });

  test('whatever its form and offset, a time is the same instant', () => {
    const [first, last] = [Date.UTC(1, 0, 2), Date.UTC(9999, 11, 30)];
    const offset = fc.integer({ min: -1439, max: 1439 });
    fc.assert(
      fc.property(fc.integer({ min: first, max: last }), offset, fc.boolean(), (instant, minutes, isBasic) => {
        const local = new Date(instant + minutes * 60_000).toISOString().slice(0, -1);
        const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
        const zone = `${minutes < 0 ? '-' : '+'}${String(hours).padStart(2, '0')}:${String(rest).padStart(2, '0')}`;
        const text = isBasic ? `${local.replaceAll(/[-:]/g, '')}${zone.replace(':', '')}` : `${local}${zone}`;
        expect(readIsoTime(text)).toBe(instant);
      }),
    );
  });
});
