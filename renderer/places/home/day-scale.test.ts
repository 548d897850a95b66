import { describe, expect, test } from 'vitest';
import { evenScale, roundDurations } from './day-scale.ts';

describe('an even scale', () => {
  test('has at most five round steps, the last at or above the highest value', () => {
    expect(evenScale([]).ticks).toEqual([0, 1]);
    expect(evenScale([3]).ticks).toEqual([0, 1, 2, 3]);
    expect(evenScale([7, 2]).ticks).toEqual([0, 2, 4, 6, 8]);
    expect(evenScale([1_234]).ticks).toEqual([0, 500, 1_000, 1_500]);
  });

  test('places a value proportionally between them', () => {
    const { shareOf } = evenScale([8]);
    expect([0, 4, 8].map(shareOf)).toEqual([0, 0.5, 1]);
  });
});

describe('a scale of round durations', () => {
  test('ends at the first round duration that holds the longest, or at the longest itself', () => {
    expect(roundDurations([12]).ticks).toEqual([1, 100, 1_000]);
    expect(roundDurations([61_000]).ticks.at(-1)).toBe(3_600_000);
    expect(roundDurations([900_000_000]).ticks.at(-1)).toBe(900_000_000);
  });

  test('shows a duration of a millisecond, and nothing without runs', () => {
    const { shareOf } = roundDurations([1_000]);
    expect(shareOf(0)).toBe(0);
    expect(shareOf(1)).toBeGreaterThan(0);
    expect(shareOf(1_000)).toBe(1);
  });
});
