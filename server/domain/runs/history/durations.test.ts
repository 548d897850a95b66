import fc from 'fast-check';
import { expect, test } from 'vitest';
import { boundsOf, rangeOf, readDurations, writeDurations } from './durations.ts';

const duration = fc.oneof(fc.nat(1000), fc.nat(2 ** 40));

test('each duration is in one range, which a longer one never comes before and which is narrow', () => {
  fc.assert(
    fc.property(duration, duration, (a, b) => {
      const { from, to } = boundsOf(rangeOf(a));
      expect(from).toBeLessThanOrEqual(a);
      expect(to).toBeGreaterThanOrEqual(a);
      expect(to - from).toBeLessThanOrEqual(from / 16);
      expect(rangeOf(from)).toBe(rangeOf(to));
      expect(rangeOf(to + 1)).toBe(rangeOf(to) + 1);
      expect(Math.sign(rangeOf(b) - rangeOf(a)) * Math.sign(b - a)).toBeGreaterThanOrEqual(0);
    }),
  );
});

test('what is written is read again, without ranges that count nothing', () => {
  const text = writeDurations(
    new Map([
      [40, 2],
      [3, 1],
      [5, 0],
    ]),
  );
  expect(text).toBe('[3,1,40,2]');
  expect(readDurations(text)).toEqual(
    new Map([
      [3, 1],
      [40, 2],
    ]),
  );
});
