import { expect, test } from 'vitest';
import { durationWords } from './durations.ts';

test.each([
  [0, '0 ms'],
  [12.4, '12 ms'],
  [1_240, '1.2 s'],
  [42_000, '42 s'],
  [125_000, '2 min 5 s'],
  [120_000, '2 min'],
  [3_599_700, '60 min'],
  [7_260_000, '2 h 1 min'],
  [273_600_000, '3 d 4 h'],
])('%i ms is %s', (milliseconds, words) => {
  expect(durationWords(milliseconds)).toBe(words);
});
