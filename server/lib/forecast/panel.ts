// A dataset in memory, with the roles of its columns: numbers by series and period, without gaps. What is missing is NaN.
import { labelOf, type Period } from './calendar.ts';
import { createBlocks, type Blocks } from './blocks.ts';
import { type Cell, cellFault, createCellReader } from './cells.ts';
import { invalidInput } from '../rejection.ts';
import { refusedAt } from './read-csv.ts';
import { columnIndex, type Header, quoted, type Row, readRows } from './read-rows.ts';
import type { ColumnRoles, StaticCodes } from './spec.ts';

/** Numbers of all columns of a panel together: 256 MiB. */
const MOST_NUMBERS = 32 * 1024 * 1024;
/** The length of a text in a static column: versions keep them. */
const MOST_TEXT = 256;

export interface PanelData {
  period: Period;
  /** The names of the series, in the order in which they appear. */
  names: readonly string[];
  /** The number of each series. */
  numbers: ReadonlyMap<string, number>;
  /** The index of each series' first row's period. */
  starts: Int32Array;
  /** Where each series begins in a column, and at last the length of a column. */
  offsets: Int32Array;
  /** The index of each series' first period with a value, and of its last one. */
  firstValue: Int32Array;
  lastValue: Int32Array;
  target: Float64Array;
  /** The `known` columns, then the `observed` ones. */
  covariates: readonly Float64Array[];
  /** By static column: the text of each series, empty where it has none. */
  statics: readonly { name: string; texts: readonly string[] }[];
  codes: StaticCodes;
  /** What the panel takes of the memory, roughly. */
  bytes: number;
}

/**
 * Reads a dataset as it streams.
 * @param wanted the period that dates are to stand for, where they can
 * @throws Refused `invalid_input` with an issue at the body
 */
export async function readPanel(
  chunks: AsyncIterable<Uint8Array>,
  roles: ColumnRoles,
  wanted?: Period,
): Promise<PanelData> {
  const numeric = [roles.value, ...roles.known, ...roles.observed];
  const cells: (Blocks | undefined)[] = numeric.map(() => createBlocks((length) => new Float64Array(length)));
  const statics = roles.static.map((name) => ({ name, texts: [] as string[] }));
  const begin = ({ columns, delimiter }: Header): ((row: Row) => void) => {
    const names = columns.map(({ name }) => name);
    const placeOf = (name: string): number => {
      const { at } = columns[columnIndex(names, name)] ?? {};
      if (at === undefined) throw invalidInput([{ pointer: '', detail: `The dataset has no column \`${name}\`.` }]);
      return at;
    };
    const read = createCellReader(delimiter);
    const numbers = numeric.map((name, column) => ({ name, at: placeOf(name), cells: cells[column] }));
    const texts = statics.map((column) => ({ column, at: placeOf(column.name) }));
    return (row) => {
      for (const column of numbers) takeNumber(column, row, read);
      for (const { column, at } of texts) takeText(column, row, at);
    };
  };
  const rows = await readRows(chunks, begin, wanted);

  const length = rows.offsets.at(-1) ?? 0;
  if (length * numeric.length > MOST_NUMBERS) {
    throw invalidInput([
      {
        pointer: '',
        detail: `The dataset has ${length} periods of ${numeric.length} columns of numbers; at most ${MOST_NUMBERS} numbers are held.`,
      },
    ]);
  }
  const indexes = new Int32Array(rows.count);
  rows.eachPlace((index, row) => {
    indexes[row] = index;
  });
  const columns = cells.map((blocks, at) => {
    const column = new Float64Array(length).fill(Number.NaN);
    blocks?.each((value, row) => {
      column[indexes[row] ?? 0] = value;
    });
    // Not all numbers are in memory twice.
    cells[at] = undefined;
    return column;
  });
  const [target = new Float64Array(), ...covariates] = columns;
  const spans = rows.names.map((name, series) => {
    const values = target.subarray(rows.offsets[series], rows.offsets[series + 1]);
    const first = values.findIndex((value) => !Number.isNaN(value));
    if (first === -1) {
      throw refusedAt(
        rows.lines[series] ?? 1,
        `the series ${quoted(name)} has no value in the column \`${roles.value}\`.`,
      );
    }
    const start = rows.starts[series] ?? 0;
    return { first: start + first, last: start + values.findLastIndex((value) => !Number.isNaN(value)) };
  });
  return {
    period: rows.period,
    names: rows.names,
    numbers: new Map(rows.names.map((name, series) => [name, series])),
    starts: rows.starts,
    offsets: rows.offsets,
    firstValue: Int32Array.from(spans, ({ first }) => first),
    lastValue: Int32Array.from(spans, ({ last }) => last),
    target,
    covariates,
    statics: statics.map(({ name, texts }) => ({ name, texts: rows.names.map((_, series) => texts[series] ?? '') })),
    codes: Object.fromEntries(statics.map(({ name, texts }) => [name, distinct(texts)])),
    bytes: columns.length * length * 8 + rows.names.length * (300 + statics.length * 100),
  };
}

interface NumberColumn {
  name: string;
  at: number;
  cells: Blocks | undefined;
}

function takeNumber({ name, at, cells }: NumberColumn, { fields, line }: Row, read: (field: string) => Cell): void {
  const field = fields[at] ?? '';
  const cell = read(field);
  if (cell === 'missing') cells?.push(Number.NaN);
  else if (typeof cell === 'number') cells?.push(cell);
  else throw refusedAt(line, cellFault(cell, quoted(field), name));
}

function takeText({ name, texts }: { name: string; texts: string[] }, row: Row, at: number): void {
  const text = row.fields[at] ?? '';
  if (text === '') return;
  if (text.length > MOST_TEXT) {
    throw refusedAt(row.line, `the text in the static column \`${name}\` is longer than ${MOST_TEXT} characters.`);
  }
  const before = texts[row.series];
  texts[row.series] ??= text;
  if (before !== undefined && before !== text) {
    const detail = `${quoted(text)} in the static column \`${name}\` differs from ${quoted(before)} in an earlier row of the series`;
    throw refusedAt(row.line, `${detail}; a static column holds the same text in all rows of a series.`);
  }
}

function distinct(texts: readonly (string | undefined)[]): string[] {
  const found = new Set(texts.filter((text) => text !== undefined && text !== ''));
  return [...found]
    .filter((text) => text !== undefined)
    .toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

/** Copies the numbers of a series from a period on; what the panel does not hold is NaN. */
export function copyPeriods(
  panel: PanelData,
  column: Float64Array,
  series: number,
  from: number,
  into: Float64Array,
): void {
  const start = panel.starts[series] ?? 0;
  const offset = panel.offsets[series] ?? 0;
  const end = panel.offsets[series + 1] ?? 0;
  for (let step = 0, index = offset + from - start; step < into.length; step += 1, index += 1) {
    into[step] = index >= offset && index < end ? (column[index] ?? Number.NaN) : Number.NaN;
  }
}

/** The values of a series from its first one to this period, inclusive. */
export function historyOf(
  { target, firstValue, starts, offsets }: PanelData,
  series: number,
  until: number,
): Float64Array {
  const base = (offsets[series] ?? 0) - (starts[series] ?? 0);
  const begin = base + (firstValue[series] ?? 0);
  return target.subarray(begin, Math.max(begin, Math.min(base + until + 1, offsets[series + 1] ?? 0)));
}

/** The last period that has a value, of any series. */
export function lastPeriod({ lastValue }: PanelData): number {
  return lastValue.reduce((most, last) => Math.max(most, last));
}

/** The first period that has a value, of any series. */
export function firstPeriod({ firstValue }: PanelData): number {
  return firstValue.reduce((least, first) => Math.min(least, first));
}

const DATES: Readonly<Partial<Record<Period, string>>> = {
  week: ' Dates stand for weeks if all of them are the same day of the week.',
  month: ' Dates stand for months if all of them are the first or the last day of a month.',
  quarter: ' Dates stand for quarters if all of them are the first or the last day of a quarter.',
  year: ' Dates stand for years if all of them are the first or the last day of a year.',
};

/** @throws Refused `invalid_input` where the labels have another period */
export function requirePeriod(panel: PanelData, period: Period): void {
  if (panel.period === period) return;
  const example = labelOf(panel.period, lastPeriod(panel));
  throw invalidInput([
    {
      pointer: '',
      detail: `The dataset has the period ${panel.period} (\`${example}\`); the function needs ${period}.${DATES[period] ?? ''}`,
    },
  ]);
}
