// What a dataset holds, before any function says which of its columns is what.
//
// Until then the value is the first column that begins with a number: the header's order is free, and a column of texts may come
// first. Other columns may hold anything, but a column of numbers has finite ones only.
import { type Period, labelOf } from './calendar.ts';
import { type Cell, cellFault, createCellReader } from './cells.ts';
import { refusedAt } from './read-csv.ts';
import { quoted, type Row, type Rows, readRows } from './read-rows.ts';

/** The values of a column of numbers. */
export interface ColumnValues {
  /** The label of the first period with a value, and of the last one. */
  first: string;
  last: string;
  /** Periods without a value between a series' first value and its last one, over all series. */
  missing: number;
}

export interface DatasetSummary extends ColumnValues {
  /** Without the header. */
  rows: number;
  /** The number of series. */
  series: number;
  /** All columns but `series` and `period`, in the file's order. */
  columns: string[];
  period: Period;
  /** The period that the labels look like, where they are dates that stand for longer periods. */
  form?: Period;
  /** By name: the columns that hold numbers only, since a function may forecast any of them. */
  values: Record<string, ColumnValues>;
}

interface Fault {
  line: number;
  detail: string;
}

/** What was seen of a column so far. */
interface SeenColumn {
  name: string;
  at: number;
  /** What its first field that is not empty is. */
  begins?: 'number' | 'text';
  text?: Fault;
  /** The first number that cannot be used. */
  badNumber?: Fault;
  /** By series: the number of its values, and the labels of the first and the last. */
  values: { count: number; first: number; last: number }[];
}

/**
 * Reads a dataset as it streams.
 * @throws Refused `invalid_input` with an issue at the body, whose detail begins with `Line N`
 */
export async function inspect(chunks: AsyncIterable<Uint8Array>): Promise<DatasetSummary> {
  let columns: SeenColumn[] = [];
  const rows = await readRows(chunks, (header) => {
    columns = header.columns.map(({ name, at }) => ({ name, at, values: [] }));
    const read = createCellReader(header.delimiter);
    return (row) => {
      for (const column of columns) take(column, row, read);
    };
  });
  const value = columns.find(({ begins }) => begins === 'number') ?? columns[0];
  if (value === undefined) throw refusedAt(1, 'the header has no column for the value.');
  refuseEarliest(faultsOf(columns, value, rows));

  const numbers = columns.filter(({ begins, text }) => begins === 'number' && text === undefined);
  return {
    rows: rows.count,
    series: rows.names.length,
    columns: columns.map(({ name }) => name),
    period: rows.period,
    ...(rows.form === rows.period ? {} : { form: rows.form }),
    ...valuesOf(value, rows),
    values: Object.fromEntries(numbers.map((column) => [column.name, valuesOf(column, rows)])),
  };
}

function valuesOf({ values }: SeenColumn, { period, indexOf }: Rows): ColumnValues {
  const counted = values
    .filter((series) => series !== undefined)
    .map(({ count, first, last }) => ({ count, first: indexOf(first), last: indexOf(last) }));
  const first = counted.reduce((least, series) => Math.min(least, series.first), Number.POSITIVE_INFINITY);
  const last = counted.reduce((most, series) => Math.max(most, series.last), Number.NEGATIVE_INFINITY);
  return {
    first: labelOf(period, first),
    last: labelOf(period, last),
    missing: counted.reduce((sum, series) => sum + series.last - series.first + 1 - series.count, 0),
  };
}

function take(column: SeenColumn, { fields, line, series, label }: Row, read: (field: string) => Cell): void {
  const field = fields[column.at] ?? '';
  const cell = read(field);
  if (cell === 'missing') return;
  column.begins ??= cell === 'text' ? 'text' : 'number';
  if (cell === 'text') column.text ??= { line, detail: cellFault(cell, quoted(field), column.name) };
  else if (typeof cell === 'string') column.badNumber ??= { line, detail: cellFault(cell, quoted(field), column.name) };
  else {
    const known = column.values[series];
    if (known === undefined) column.values[series] = { count: 1, first: label, last: label };
    else {
      known.count += 1;
      if (label < known.first) known.first = label;
      if (label > known.last) known.last = label;
    }
  }
}

function faultsOf(columns: readonly SeenColumn[], value: SeenColumn, { names, lines }: Rows): Fault[] {
  const faults = columns.flatMap(({ text, badNumber }) =>
    text === undefined && badNumber !== undefined ? [badNumber] : [],
  );
  if (value.text !== undefined) faults.push(value.text);
  if (value.badNumber !== undefined) faults.push(value.badNumber);
  names.forEach((name, series) => {
    if (value.values[series] !== undefined) return;
    faults.push({
      line: lines[series] ?? 1,
      detail: `the series ${quoted(name)} has no value in the column \`${value.name}\`.`,
    });
  });
  return faults;
}

function refuseEarliest(faults: readonly Fault[]): void {
  const [first] = faults.toSorted((a, b) => a.line - b.line);
  if (first !== undefined) throw refusedAt(first.line, first.detail);
}
