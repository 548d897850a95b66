import { expect, test } from 'vitest';
import { pointWords, type Series, seriesRows } from './series-rows.ts';

const SERIES: Series = {
  lines: [
    {
      name: 'observed',
      points: [
        { at: '2024-01', value: 1 },
        { at: '2024-02', value: null },
      ],
    },
    { name: 'predicted', points: [{ at: '2024-03', value: 1500, low: 1000, high: 2000.5 }] },
  ],
};

test('a row has the value and the interval of each line at its time', () => {
  expect(seriesRows(SERIES)).toEqual([
    { at: '2024-01', observed: 1 },
    { at: '2024-02', observed: null },
    { at: '2024-03', predicted: 1500, 'predicted, interval': [1000, 2000.5] },
  ]);
});

test('words name the interval, and nothing where there is no value', () => {
  const [observed, predicted] = SERIES.lines;
  expect(predicted && pointWords(predicted, '2024-03')).toBe('1,500 (1,000 to 2,000.5)');
  expect(observed && pointWords(observed, '2024-01')).toBe('1');
  expect(observed && pointWords(observed, '2024-02')).toBe('');
});
