import { expect, test } from 'vitest';
import { readPanel } from './panel.ts';
import { chunksOf, DEATHS_SPEC, readDeaths, yearly, YEARLY_SPEC } from './panels.testing.ts';
import type { ForecastSpec } from './spec.ts';
import { trainingRows } from './training-rows.ts';
import { planWindows } from './windows.ts';

async function rowsOf(text: string, spec: ForecastSpec, mostRows?: number): Promise<string[]> {
  const panel = await readPanel(chunksOf(text), spec);
  return [...trainingRows(panel, spec, planWindows(panel, spec), mostRows)];
}

test('rows are normalised, and hold nothing after the first window began', async () => {
  // 12 years: two windows of 2 years, so that training ends with 2007.
  const [header, ...rows] = await rowsOf(yearly([1, 3, 1, 3, 1, null, 5, 3, 1, 3, 99, 99]), {
    ...YEARLY_SPEC,
    windows: 2,
  });
  expect(header).toBe('series,origin,center,scale,weight,x1,x2,x3,m1,m2,m3,y1,y2\n');
  expect(rows.map((row) => row.split(',')[1])).toEqual(['2000', '2001', '2002', '2003', '2004', '2005', '2006']);
  // The mean of the changes 2, 2, 2, 2 and 2 is 2.
  expect(rows[3]).toBe(
    'a,2003,2.3333333333333335,0.9428090415820634,0.4714045207910317,0.707106769,-1.41421354,0.707106769,1,1,1,-1.41421354,\n',
  );
  expect(rows[4]).toBe(
    'a,2004,1.6666666666666667,0.9428090415820634,0.4714045207910317,-0.707106769,1.41421354,-0.707106769,1,1,1,,3.53553391\n',
  );
  expect(rows[5]).toBe('a,2005,2,1,0.5,1,-1,0,1,1,0,3,1\n');
  // 2007 is the last period of training; 2008 is empty although the dataset has it.
  expect(rows[6]).toBe('a,2006,3,2,1,-1,0,1,1,0,1,0,\n');
});

test('rows have time features, covariates and static codes', async () => {
  const panel = await readDeaths();
  const [header = '', ...rows] = [...trainingRows(panel, DEATHS_SPEC, planWindows(panel, DEATHS_SPEC))];
  const columns = header.trim().split(',');
  const count = (letter: string): number =>
    columns.filter((column) => new RegExp(`^${letter}\\d+$`).test(column)).length;
  expect(['x', 'm', 't', 'p', 'f', 's', 'y'].map(count)).toEqual([24, 24, 54, 48, 3, 1, 3]);
  const cells = rows.map((row) => row.trimEnd().split(','));
  expect(new Set(cells.map(({ length }) => length))).toEqual(new Set([columns.length]));
  expect(new Set(cells.map((row) => `${row[0]} ${row[columns.indexOf('s1')]}`))).toEqual(
    new Set(['accidents 2', 'women 1', 'men 1', 'lungs 1', 'passengers 3']),
  );
  expect(cells.every((row) => (row[1] ?? '') < '1978-06')).toBe(true);
  // The covariate of the period after the last one of training is known, and stays out.
  const last = cells.findLast((row) => row[0] === 'lungs' && row[1] === '1978-05') ?? [];
  expect(['f2', 'f3', 'y2', 'y3'].map((name) => last[columns.indexOf(name)])).toEqual(['0', '0', '', '']);
});

test('too many origins are thinned out, and every phase of the season stays', async () => {
  const spec: ForecastSpec = { ...YEARLY_SPEC, season: 4, windows: 0 };
  const text = yearly(Array.from({ length: 400 }, (_, t) => t % 7));
  const rows = (await rowsOf(text, spec, 100)).slice(1);
  // 399 origins would need every fourth one, which is always the same phase: every fifth one is taken.
  expect(rows).toHaveLength(80);
  expect(new Set(rows.map((row) => Number(row.split(',')[1]) % 4))).toEqual(new Set([0, 1, 2, 3]));
});

test('the name of a series is quoted where CSV needs it', async () => {
  const rows = await rowsOf('series,period,v\n"a ""b"", c",2000,1\n"a ""b"", c",2001,2\n', YEARLY_SPEC);
  expect(rows[1]).toMatch(/^"a ""b"", c",2000,/);
});
