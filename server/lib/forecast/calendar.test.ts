import fc from 'fast-check';
import { expect, test } from 'vitest';
import { labelOf, type ParsedLabel, PERIODS, parseLabel, PHASES, phasesOf } from './calendar.ts';

test('the form of a label says its period', () => {
  const labels = ['2024', '2024-Q1', '2024-01', '2024-W05', '2024-01-31', '2024-01-31T07'];
  expect(labels.map((label) => parseLabel(label)?.period)).toEqual(['year', 'quarter', 'month', 'week', 'day', 'hour']);
});

test.each([
  ['2024', '2025'],
  ['2024-Q4', '2025-Q1'],
  ['2024-12', '2025-01'],
  ['2020-W53', '2021-W01'],
  ['2019-W52', '2020-W01'],
  ['2024-02-28', '2024-02-29'],
  ['2023-02-28', '2023-03-01'],
  ['2024-12-31T23', '2025-01-01T00'],
  ['0099-12-31', '0100-01-01'],
])('after %s comes %s', (label, next) => {
  const { period, index } = parsed(label);
  expect(labelOf(period, index + 1)).toBe(next);
  expect(parseLabel(next)).toEqual({ period, index: index + 1 });
});

test.each([
  '',
  '24',
  '2024-13',
  '2024-00',
  '2024-Q5',
  '2024-Q0',
  '2024-W00',
  '2021-W53',
  '2023-02-29',
  '2024-01-00',
  '2024-01-31T24',
  '2024-1',
  '2024-01-31 07',
  '2024-01-31T07:00',
  ' 2024',
  '+2024',
])('%j is no label', (label) => {
  expect(parseLabel(label)).toBeUndefined();
});

test.each([
  ['9999', 1, '+010000'],
  ['9999-Q4', 1, '+010000-Q1'],
  ['9999-12', 2, '+010000-02'],
  ['9999-W52', 1, '+010000-W01'],
  ['9999-12-31', 1, '+010000-01-01'],
  ['9999-12-31T23', 1, '+010000-01-01T00'],
  ['0000', -1, '-000001'],
  ['0000-01', -1, '-000001-12'],
  ['0000-01-01T00', -1, '-000001-12-31T23'],
])('from %s by %d is %s, with more digits than a dataset may have', (label, by, other) => {
  const { period, index } = parsed(label);
  expect(labelOf(period, index + by)).toBe(other);
  expect(parseLabel(other)).toBeUndefined();
});

test('a label is the one of its index', () => {
  // From the year 1 to the year 9998, in each period.
  const indexes = fc.integer({ min: 1, max: 9997 }).chain((year) =>
    fc.constantFrom(...PERIODS).chain((period) => {
      const first = parseLabel(labelOfYear(period, year))?.index ?? Number.NaN;
      const last = parseLabel(labelOfYear(period, year + 1))?.index ?? Number.NaN;
      return fc.integer({ min: first, max: last }).map((index) => ({ period, index }));
    }),
  );
  fc.assert(
    fc.property(indexes, ({ period, index }) => {
      expect(parseLabel(labelOf(period, index))).toEqual({ period, index });
    }),
  );
});

function labelOfYear(period: (typeof PERIODS)[number], year: number): string {
  const forms = { year: '', quarter: '-Q1', month: '-01', week: '-W01', day: '-01-01', hour: '-01-01T00' };
  return `${String(year).padStart(4, '0')}${forms[period]}`;
}

test.each([
  ['2024-01-01T06', [6 / 24, 0, 0]],
  ['2023-12-31T23', [23 / 24, 6 / 7, 364 / 366]],
  ['2024-12-31', [1 / 7, 365 / 366]],
  ['2024-W01', [0]],
  ['2020-W53', [52 / 53]],
  ['2024-12', [11 / 12]],
  ['2024-Q3', [2 / 4]],
  ['2024', []],
])('the phases of %s are %j', (label, phases) => {
  const { period, index } = parsed(label);
  expect(phasesOf(period, index)).toEqual(phases);
  expect(PHASES[period]).toBe(phases.length);
});

function parsed(label: string): ParsedLabel {
  const found = parseLabel(label);
  if (found === undefined) throw new Error(label);
  return found;
}
