import { expect, test } from 'vitest';
import { listSeries } from './list-series.ts';
import { readPanel } from './panel.ts';
import { chunksOf, YEARLY_SPEC } from './panels.testing.ts';

const CSV = `series,period,v
North,2001,1
North,2003,3
South,2000,5
Northwest,2002,7
Northwest,2004,
`;

const panel = readPanel(chunksOf(CSV), YEARLY_SPEC);
const QUERY = { search: undefined, after: undefined, limit: 10, periods: 10 };

test('series are listed in the order of the dataset, from their first to their last value', async () => {
  expect(listSeries(await panel, QUERY)).toEqual({
    items: [
      {
        position: 0,
        series: 'North',
        first: '2001',
        last: '2003',
        points: [
          { at: '2001', value: 1 },
          { at: '2002', value: null },
          { at: '2003', value: 3 },
        ],
      },
      { position: 1, series: 'South', first: '2000', last: '2000', points: [{ at: '2000', value: 5 }] },
      { position: 2, series: 'Northwest', first: '2002', last: '2002', points: [{ at: '2002', value: 7 }] },
    ],
    hasMore: false,
  });
});

test('a search finds a part of the name in any case, page by page, with the latest periods', async () => {
  const search = { ...QUERY, search: 'NORTH', limit: 1, periods: 1 };
  const first = listSeries(await panel, search);
  expect(first).toMatchObject({ items: [{ series: 'North', points: [{ at: '2003', value: 3 }] }], hasMore: true });
  const second = listSeries(await panel, { ...search, after: first.items[0]?.position });
  expect(second).toMatchObject({ items: [{ series: 'Northwest' }], hasMore: false });
  expect(listSeries(await panel, { ...QUERY, search: 'east' })).toEqual({ items: [], hasMore: false });
});

test('a page of long series has fewer of them, but at least one', async () => {
  const long = Array.from({ length: 9000 }, (_, year) => `${String(year + 1).padStart(4, '0')},1\n`);
  const rows = ['a', 'b', 'c'].map((name) => long.map((row) => `${name},${row}`).join(''));
  const data = await readPanel(chunksOf(`series,period,v\n${rows.join('')}`), YEARLY_SPEC);
  const page = listSeries(data, { ...QUERY, periods: 9000 });
  expect(page.items.map(({ series, points }) => [series, points.length])).toEqual([
    ['a', 9000],
    ['b', 9000],
  ]);
  expect(page.hasMore).toBe(true);
});
