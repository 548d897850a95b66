import { expect, test } from 'vitest';
import { horizonsOf } from './horizons.ts';

test('horizons are all up to the largest, or those that the function names', () => {
  expect(horizonsOf({ properties: { horizon: { type: 'integer', minimum: 1, maximum: 3 } } })).toEqual([1, 2, 3]);
  expect(horizonsOf({ properties: { horizon: { enum: [1, 12] } } })).toEqual([1, 12]);
  expect(horizonsOf(undefined)).toEqual([]);
});
