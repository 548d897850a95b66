import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Refused } from '../rejection.ts';
import type { Period } from './calendar.ts';
import { copyPeriods, type PanelData, readPanel, requirePeriod } from './panel.ts';
import type { ColumnRoles } from './spec.ts';
import { chunksOf } from './panels.testing.ts';
import { levelOf } from './level.ts';

const ROLES: ColumnRoles = { value: 'v', known: ['k'], observed: [], static: ['s'] };

/** The values of every series from 2000 to 2009. */
function decade(panel: PanelData, column: Float64Array): Record<string, (number | null)[]> {
  const values = panel.names.map((name, series) => {
    const years = new Float64Array(10);
    copyPeriods(panel, column, series, 2000, years);
    return [name, Array.from(years, (value) => (Number.isNaN(value) ? null : value))] as const;
  });
  return Object.fromEntries(values);
}

test('a panel is the same for any order of rows and columns and any chunks', async () => {
  const cell = fc.option(fc.double({ noNaN: true, min: -1e37, max: 1e37 }), { nil: null });
  const name = fc
    .string({ unit: 'binary', minLength: 1, maxLength: 5 })
    .filter((text) => text.isWellFormed() && !text.includes('\0'));
  const dataset = fc.dictionary(name, fc.array(fc.tuple(cell, cell), { minLength: 10, maxLength: 10 }), {
    minKeys: 1,
    maxKeys: 3,
    noNullPrototype: true,
  });
  const shuffled = dataset.chain((data) => {
    const rows = Object.entries(data).flatMap(([series, cells]) => {
      const [first = [0, null], ...others] = cells;
      // Every series has a value, and a name that the file quotes where it must.
      const all = [[first[0] ?? 0, first[1]] as const, ...others];
      return all.map(([v, k], at) => ({ series, period: `${2000 + at}`, v, k, s: `of ${series.length}` }));
    });
    return fc.record({
      rows: fc.shuffledSubarray(rows, { minLength: rows.length, maxLength: rows.length }),
      columns: fc.shuffledSubarray(['series', 'period', 'v', 'k', 's'] as const, { minLength: 5, maxLength: 5 }),
      lineBreak: fc.constantFrom('\n', '\r\n'),
      cuts: fc.array(fc.nat(200)),
    });
  });
  await fc.assert(
    fc.asyncProperty(shuffled, async ({ rows, columns, lineBreak, cuts }) => {
      const field = (value: string | number | null): string => `"${String(value ?? '').replaceAll('"', '""')}"`;
      const lines = [columns.join(), ...rows.map((row) => columns.map((column) => field(row[column])).join())];
      const panel = await readPanel(chunksOf(lines.join(lineBreak), cuts), ROLES);
      const expected = (column: 'v' | 'k'): Record<string, (number | null)[]> => {
        const byName: Record<string, (number | null)[]> = {};
        for (const row of rows) {
          byName[row.series] ??= [];
          const years = byName[row.series];
          // -0 is written as 0.
          if (years !== undefined)
            years[Number(row.period) - 2000] = row[column] === null ? null : Number(String(row[column]));
        }
        return byName;
      };
      expect(decade(panel, panel.target)).toEqual(expected('v'));
      expect(decade(panel, panel.covariates[0] ?? new Float64Array())).toEqual(expected('k'));
    }),
    { numRuns: 20 },
  );
});

test('static texts have codes in the order of their code points', async () => {
  const rows = ['\u{1F989}', '\uFFFD', 'b', 'B', 'b', ''].map((text, at) => `s${at},2000,1,,${text}\n`);
  const panel = await readPanel(chunksOf(`series,period,v,k,s\n${rows.join('')}`), ROLES);
  expect(panel.codes).toEqual({ s: ['B', 'b', '\uFFFD', '\u{1F989}'] });
});

test.each([
  ['series,period,v,k\na,2000,1,1\n', 'The dataset has no column `s`.'],
  [
    'series,period,v,k,s\na,2000,1,1,x\na,2001,1,1,\na,2002,1,1,y\n',
    'Line 4: `y` in the static column `s` differs from `x`',
  ],
  [
    `series,period,v,k,s\na,2000,1,1,${'x'.repeat(257)}\n`,
    'Line 2: the text in the static column `s` is longer than 256',
  ],
  ['series,period,v,k,s\na,2000,1,much,x\n', 'Line 2: `much` in the column `k` is not a number'],
  ['series,period,k,v,s\na,2000,1,,x\n', 'Line 2: the series `a` has no value in the column `v`'],
])('%j does not fit: %s', async (text, detail) => {
  await expect(readPanel(chunksOf(text), ROLES)).rejects.toMatchObject({
    rejection: { reason: 'invalid_input', issues: [{ pointer: '', detail: expect.stringContaining(detail) }] },
  });
});

test('a dataset of another period does not fit', async () => {
  const panel = await readPanel(chunksOf('series,period,v,k,s\na,2000,1,1,x\n'), ROLES);
  expect(() => requirePeriod(panel, 'month')).toThrow(Refused);
  expect(() => requirePeriod(panel, 'month')).toThrow(
    'The dataset has the period year (`2000`); the function needs month.',
  );
});

test.each([
  ['the deviation', [1, 3, Number.NaN, 5], { mean: 3, scale: Math.sqrt(8 / 3), count: 3 }],
  ['the mean of values that are equal', [-4, -4], { mean: -4, scale: 4, count: 2 }],
  ['1 for zeros', [0, 0], { mean: 0, scale: 1, count: 2 }],
  ['1 without any value', [Number.NaN], { mean: 0, scale: 1, count: 0 }],
  ['the mean of values that hardly differ', [1e9, 1e9 + 1], { mean: 1e9 + 0.5, scale: 1e9 + 0.5, count: 2 }],
])('the scale is %s', (_, values, level) => {
  expect(levelOf(Float64Array.from(values))).toEqual(level);
});

test('dates stand for the period that is needed, where they can', async () => {
  const text = 'Series;Period;V\na;2024-01-01;1,5\na;2024-04-01;2\n';
  const roles = { value: 'v', known: [], observed: [], static: [] };
  const periodFor = async (wanted: Period) => (await readPanel(chunksOf(text), roles, wanted)).period;
  expect(await Promise.all((['day', 'week', 'month', 'quarter', 'year'] as const).map(periodFor))).toEqual([
    'day',
    'week',
    'month',
    'quarter',
    'quarter',
  ]);
  const { target, starts } = await readPanel(chunksOf(text), roles, 'month');
  expect([...target]).toEqual([1.5, Number.NaN, Number.NaN, 2]);
  expect([...starts]).toEqual([2024 * 12]);
});

test('a panel of days says when dates would stand for months', async () => {
  const panel = await readPanel(
    chunksOf('series,period,v\na,2024-01-05,1\na,2024-02-06,2\n'),
    { value: 'v', known: [], observed: [], static: [] },
    'month',
  );
  expect(() => requirePeriod(panel, 'month')).toThrow(
    /needs month\. Dates stand for months if all of them are the first or the last day/,
  );
});
