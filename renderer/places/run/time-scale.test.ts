import { expect, test } from 'vitest';
import { makeTimeScale } from './time-scale.ts';

test('given moments without a long pause, then positions are proportional to time', () => {
  const { at, gaps } = makeTimeScale([0, 100, 250, 1_000]);
  expect([0, 100, 250, 1_000].map(at)).toEqual([0, 0.1, 0.25, 1]);
  expect(gaps).toEqual([]);
});

test('given a week of waiting between short steps, then the week is cut and the steps keep most of the axis', () => {
  const week = 7 * 24 * 3_600_000;
  const moments = [0, 40, 100, 100 + week, 160 + week, 200 + week];
  const { at, gaps } = makeTimeScale(moments);
  expect(gaps).toHaveLength(1);
  expect(gaps[0]?.length).toBe(week);
  expect((gaps[0]?.to ?? 0) - (gaps[0]?.from ?? 0)).toBeCloseTo(0.07);
  expect(at(100)).toBeCloseTo(0.465);
  expect(at(200 + week)).toBeCloseTo(1);
  const indexes = moments.map(at);
  expect(indexes).toEqual(indexes.toSorted((a, b) => a - b));
});

test('given one moment, no moment, or only a wait, then every position is on the axis', () => {
  expect(makeTimeScale([5]).at(5)).toBe(0);
  expect(makeTimeScale([]).gaps).toEqual([]);
  const { at } = makeTimeScale([0, 60_000]);
  expect([at(0), at(60_000)]).toEqual([0, 1]);
});
