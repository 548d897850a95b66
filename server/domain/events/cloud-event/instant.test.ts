import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isSameTime, parseInstant } from './instant.ts';

describe('a time of RFC 3339', () => {
  test.each([
    '2026-01-31T07:00:00Z',
    '2026-01-31t07:00:00z',
    '2026-01-31T23:59:59.123456789012345678901234567890+23:59',
    '2026-01-31T00:00:00-00:00',
    '2024-02-29T00:00:00Z',
    '2000-02-29T00:00:00Z',
    '0000-01-01T00:00:00Z',
    '0099-12-31T00:00:00Z',
    '9999-12-31T23:59:59Z',
    '2016-12-31T23:59:60Z',
    '2016-12-31T23:59:60.999Z',
    '2017-01-01T08:59:60+09:00',
    '2016-12-31T18:29:60-05:30',
  ])('given %s, then it is one', (text) => {
    expect(parseInstant(text)).toBeDefined();
  });

  test.each([
    ['a day that the month lacks', '2026-02-29T00:00:00Z'],
    ['29 February of a century year', '1900-02-29T00:00:00Z'],
    ['day 0', '2026-01-00T00:00:00Z'],
    ['day 32', '2026-01-32T00:00:00Z'],
    ['month 0', '2026-00-01T00:00:00Z'],
    ['month 13', '2026-13-01T00:00:00Z'],
    ['hour 24', '2026-01-31T24:00:00Z'],
    ['minute 60', '2026-01-31T00:60:00Z'],
    ['second 61', '2016-12-31T23:59:61Z'],
    ['second 60 within a UTC day', '2026-01-31T12:00:60Z'],
    ['second 60 at the end of a day elsewhere', '2016-12-31T23:59:60+01:00'],
    ['offset hour 24', '2026-01-31T00:00:00+24:00'],
    ['offset minute 60', '2026-01-31T00:00:00+01:60'],
    ['no offset', '2026-01-31T00:00:00'],
    ['an offset without minutes', '2026-01-31T00:00:00+01'],
    ['a date alone', '2026-01-31'],
    ['no seconds', '2026-01-31T00:00Z'],
    ['a point without digits', '2026-01-31T00:00:00.Z'],
    ['a space instead of T', '2026-01-31 00:00:00Z'],
    ['a line break behind it', '2026-01-31T00:00:00Z\n'],
    ['a year of five digits', '12026-01-31T00:00:00Z'],
    ['digits of another script', '２026-01-31T00:00:00Z'],
    ['nothing', ''],
  ])('given %s, then it is none', (_case, text) => {
    expect(parseInstant(text)).toBeUndefined();
  });
});

describe('the same event', () => {
  test.each([
    ['a retry without time', '2026-01-31T07:00:00Z', undefined],
    ['a retry that gives a time to an event without one', undefined, '2026-01-31T07:00:00Z'],
    ['no time at all', undefined, undefined],
    ['another offset', '2026-01-31T07:00:00Z', '2026-01-31T08:30:00+01:30'],
    ['an offset across the year', '2026-01-01T00:30:00+01:00', '2025-12-31T23:30:00Z'],
    ['zeros behind the point', '2026-01-31T07:00:00Z', '2026-01-31T07:00:00.000Z'],
    ['more zeros at the end', '2026-01-31T07:00:00.10Z', '2026-01-31T07:00:00.1000000000000000000000Z'],
    ['a leap second', '2016-12-31T23:59:60Z', '2017-01-01T00:00:00Z'],
    ['a part of a leap second', '2016-12-31T23:59:60.5Z', '2017-01-01T00:00:00.5Z'],
    ['letters in lower case', '2026-01-31T07:00:00Z', '2026-01-31t07:00:00z'],
  ])('given %s, then it is', (_case, first, retry) => {
    expect(isSameTime(first, retry)).toBe(true);
  });

  test.each([
    ['a second later', '2026-01-31T07:00:00Z', '2026-01-31T07:00:01Z'],
    ['a 20th digit', '2026-01-31T07:00:00.1Z', '2026-01-31T07:00:00.10000000000000000001Z'],
    ['the second before a leap second', '2016-12-31T23:59:59Z', '2016-12-31T23:59:60Z'],
    ['the same local time elsewhere', '2026-01-31T07:00:00Z', '2026-01-31T07:00:00+01:00'],
    ['years a century apart', '0026-01-31T07:00:00Z', '1926-01-31T07:00:00Z'],
  ])('given %s, then it is not', (_case, first, retry) => {
    expect(isSameTime(first, retry)).toBe(false);
  });
});

const offset = fc
  .record({ sign: fc.constantFrom('+', '-'), hours: fc.nat(23), minutes: fc.nat(59) })
  .map(({ sign, hours, minutes }) => {
    const text = `${sign}${String(hours).padStart(2, '0')}:${String(minutes).padStart(2, '0')}`;
    return { text, milliseconds: (hours * 60 + minutes) * (sign === '-' ? -60_000 : 60_000) };
  });
const [FIRST, LAST] = [Date.UTC(1, 0, 2), Date.UTC(9999, 11, 30)];

test('whatever its offset and the zeros at its end, a time is the same instant', () => {
  fc.assert(
    fc.property(fc.integer({ min: FIRST, max: LAST }), offset, fc.nat(30), (at, { text, milliseconds }, zeros) => {
      const there = `${new Date(at + milliseconds).toISOString().slice(0, -1)}${'0'.repeat(zeros)}${text}`;
      expect(isSameTime(new Date(at).toISOString(), there)).toBe(true);
      expect(isSameTime(new Date(at + 1).toISOString(), there)).toBe(false);
    }),
  );
});
