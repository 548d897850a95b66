import { expect, test } from 'vitest';
import { levelOf } from './level.ts';

test.each([
  ['the deviation', [1, 3, Number.NaN, 5], { mean: 3, scale: Math.sqrt(8 / 3), count: 3 }],
  ['the mean of values that are equal', [-4, -4], { mean: -4, scale: 4, count: 2 }],
  ['1 for zeros', [0, 0], { mean: 0, scale: 1, count: 2 }],
  ['1 without any value', [Number.NaN], { mean: 0, scale: 1, count: 0 }],
  ['the mean of values that hardly differ', [1e9, 1e9 + 1], { mean: 1e9 + 0.5, scale: 1e9 + 0.5, count: 2 }],
])('the scale is %s', (_, values, level) => {
  expect(levelOf(Float64Array.from(values))).toEqual(level);
});
