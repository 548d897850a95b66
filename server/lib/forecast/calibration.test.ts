import fc from 'fast-check';
import { expect, test } from 'vitest';
import { calibrate, widen } from './calibration.ts';

test('a step with enough errors has their conformal quantile', () => {
  // ceil(10 * 0.8) = 8: the eighth of nine.
  const { steps } = calibrate([Float64Array.of(9, 1, 8, 2, 7, 3, 6, 4, 5)], 0.8);
  expect(steps).toEqual([{ q: 8, pool: 'step', errors: 9 }]);
});

test('few errors of a step are pooled with those of all steps', () => {
  const { steps } = calibrate([Float64Array.of(1, 2), Float64Array.of(5, 3), Float64Array.of()], 0.8);
  // ceil(5 * 0.8) = 4: the largest of four.
  expect(steps).toEqual(Array.from({ length: 3 }, () => ({ q: 5, pool: 'all_steps', errors: 4 })));
});

test('where all are few, the largest one is used and flagged', () => {
  const { steps } = calibrate([Float64Array.of(1), Float64Array.of(-2)], 0.9);
  expect(steps).toEqual(Array.from({ length: 2 }, () => ({ q: 1, pool: 'maximum', errors: 2 })));
});

test('without any error nothing is widened', () => {
  expect(calibrate([Float64Array.of()], 0.8).steps).toEqual([{ q: 0, pool: 'maximum', errors: 0 }]);
});

test('the quantile is the one of the sorted errors', () => {
  const errors = fc.array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 20, maxLength: 60 });
  fc.assert(
    fc.property(errors, fc.constantFrom(0.5, 0.8, 0.9), (values, coverage) => {
      // Zero and its negative are one error, in any order.
      const sorted = Float64Array.from(values, (value) => value + 0).toSorted();
      const rank = Math.ceil((values.length + 1) * coverage - 1e-9);
      expect((calibrate([Float64Array.from(values)], coverage).steps[0]?.q ?? Number.NaN) + 0).toBe(sorted[rank - 1]);
    }),
  );
});

test('an interval is widened, or narrowed to its value at most', () => {
  expect(widen({ low: 8, value: 10, high: 13 }, 2, 1.5)).toEqual({ low: 5, value: 10, high: 16 });
  expect(widen({ low: 8, value: 10, high: 13 }, 2, -1.25)).toEqual({ low: 10, value: 10, high: 10.5 });
});
