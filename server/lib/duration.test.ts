import { describe, expect, test } from 'vitest';
import { addDuration, durationText, parseDuration } from './duration.ts';

describe('given a duration as a text', () => {
  test.each([
    ['PT30S', 0, 30_000],
    ['PT0S', 0, 0],
    ['P1DT2H3M4.005S', 0, 93_784_005],
    ['P2W', 0, 1_209_600_000],
    ['P1.5D', 0, 129_600_000],
    ['PT0.1H', 0, 360_000],
    ['P1Y2M', 14, 0],
    ['P0.5Y', 6, 0],
    ['P1Y2M3DT1S', 14, 259_201_000],
    [' PT1S ', 0, 1000],
  ])('%s is taken exactly', (text, months, milliseconds) => {
    expect(parseDuration(text)).toEqual({ months, milliseconds });
  });

  test.each([
    '',
    'P',
    'PT',
    'P1',
    '30s',
    'PT-1S',
    '-PT1S',
    'P0.5M',
    'PT1S1S',
    'P101Y',
    'P40000D',
    `P${'9'.repeat(400)}D`,
  ])('%s is none', (text) => {
    expect(parseDuration(text)).toBeUndefined();
  });
});

describe('given a duration as an object', () => {
  test('its members are added up', () => {
    const duration = { days: 1, hours: 2, minutes: 3, seconds: 4, milliseconds: 5 };
    expect(parseDuration(duration)).toEqual({ months: 0, milliseconds: 93_784_005 });
  });

  test.each([{ seconds: -1 }, { weeks: 1 }, { seconds: Number.NaN }])('%j is none', (duration) => {
    expect(parseDuration(duration)).toBeUndefined();
  });
});

describe('given a moment and a duration with months', () => {
  test('a day that the month lacks is its last', () => {
    const at = Date.UTC(2027, 0, 31, 8);
    expect(new Date(addDuration(at, { months: 1, milliseconds: 1000 })).toISOString()).toBe('2027-02-28T08:00:01.000Z');
  });
});

test.each([
  ['P7D', '7 days'],
  ['P1Y2M', '1 year 2 months'],
  ['P1DT30M0.5S', '1 day 30 minutes 500 ms'],
  ['PT0S', '0 seconds'],
  ['${ .pause }', '${ .pause }'],
])('%s is written as %s', (duration, text) => {
  expect(durationText(duration)).toBe(text);
});
