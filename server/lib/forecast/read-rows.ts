// The rows of a dataset: their series and periods, checked, and the index of each in an array that holds the periods of
// every series without gaps, one series after the other. What a row's other fields mean is its reader's business.
//
// 1. Memory is bounded by the file's size, the number of series and the number of periods, never by a label's distance.
// 2. A fault names the line on which its row starts.
import { type Period, labelOf, parseLabel } from './calendar.ts';
import { createDatedLabels, type DatedLabels } from './dated-labels.ts';
import { createBlocks } from './blocks.ts';
import { type Delimiter, readCsv, refusedAt } from './read-csv.ts';

const MOST_SERIES = 10_000;
/** Periods of all series together, from the first row of each to its last. */
const MOST_PERIODS = 16 * 1024 * 1024;
const MOST_COLUMNS = 256;
const MOST_NAME = 256;
/** Labels whose index is remembered: all series share them. */
const MOST_LABELS = 100_000;

export interface Header {
  /** All columns but `series` and `period`, in the file's order, and where the fields of each stand in a row. */
  columns: readonly { name: string; at: number }[];
  /** What separates the fields. */
  delimiter: Delimiter;
}

export interface Row {
  fields: readonly string[];
  line: number;
  /** The number of the row's series, from 0 in the order in which they appear. */
  series: number;
  /** The index of the row's label, which `Rows.indexOf` turns into that of its period. */
  label: number;
}

export interface Rows {
  period: Period;
  /** The period that the labels look like: `day` or `hour` for dates that stand for longer periods. */
  form: Period;
  /** The index of a label's period. */
  indexOf: (label: number) => number;
  /** The number of rows. */
  count: number;
  /** The names of the series. */
  names: readonly string[];
  /** The line of each series' first row. */
  lines: readonly number[];
  /** The index of each series' first period. */
  starts: Int32Array;
  /** Where each series begins in the array of all periods, and at last its length. */
  offsets: Int32Array;
  /** Calls back with each row's index in that array. */
  eachPlace(visit: (index: number, row: number) => void): void;
}

/**
 * Reads the rows.
 * @param begin is called with the header, and returns what is called with each row
 * @param wanted the period that dates are to stand for, where they can; the longest one that fits them if absent
 * @throws Refused `invalid_input` for the first fault
 */
export async function readRows(
  chunks: AsyncIterable<Uint8Array>,
  begin: (header: Header) => (row: Row) => void,
  wanted?: Period,
): Promise<Rows> {
  const numbers = new Map<string, number>();
  const labels = new Map<string, number>();
  const lines: number[] = [];
  const first: number[] = [];
  const last: number[] = [];
  const ofRow = { series: createBlocks(int32), label: createBlocks(int32), line: createBlocks(int32) };
  let keys: { series: number; period: number } | undefined;
  let onRow: (row: Row) => void = () => {};
  let form: Period | undefined;
  let dated: DatedLabels | undefined;

  await readCsv(chunks, (fields, line, delimiter) => {
    if (keys === undefined) {
      const { columns, ...at } = readHeader(fields, line);
      keys = at;
      onRow = begin({ columns, delimiter });
      return;
    }
    const name = fields[keys.series] ?? '';
    const series = numbers.get(name) ?? addSeries(name, line);
    const index = labelIndex(fields[keys.period] ?? '', line);
    first[series] = Math.min(first[series] ?? index, index);
    last[series] = Math.max(last[series] ?? index, index);
    ofRow.series.push(series);
    ofRow.label.push(index);
    ofRow.line.push(line);
    onRow({ fields, line, series, label: index });
  });
  if (keys === undefined) throw refusedAt(1, 'the file is empty; write a header with `series`, `period` and a value.');
  if (form === undefined) throw refusedAt(1, 'no rows follow the header.');

  const { period, indexOf } = dated?.settle(wanted) ?? { period: form, indexOf: (index: number) => index };
  const { starts, offsets } = place(first.map(indexOf), last.map(indexOf), lines, [...numbers.keys()]);
  const rows: Rows = {
    period,
    form,
    indexOf,
    count: ofRow.series.length,
    names: [...numbers.keys()],
    lines,
    starts,
    offsets,
    eachPlace(visit) {
      const indexes = new Int32Array(ofRow.series.length);
      ofRow.series.each((series, row) => {
        indexes[row] = (offsets[series] ?? 0) - (starts[series] ?? 0);
      });
      ofRow.label.each((label, row) => visit((indexes[row] ?? 0) + indexOf(label), row));
    },
  };
  refuseRepeated(rows, ofRow.line);
  return rows;

  function addSeries(name: string, line: number): number {
    if (name === '') throw refusedAt(line, 'the column `series` is empty; write the name of the series.');
    if (name.length > MOST_NAME)
      throw refusedAt(line, `the name of the series is longer than ${MOST_NAME} characters.`);
    const number = numbers.size;
    if (number === MOST_SERIES)
      throw refusedAt(line, `this is the series ${MOST_SERIES + 1}; a dataset has at most ${MOST_SERIES}.`);
    numbers.set(name, number);
    lines.push(line);
    return number;
  }

  function labelIndex(label: string, line: number): number {
    const known = labels.get(label);
    if (known !== undefined) return known;
    const parsed = parseLabel(plainLabel(label));
    if (parsed === undefined) throw refusedAt(line, labelFault(label));
    if (form === undefined) {
      form = parsed.period;
      if (form === 'hour' || form === 'day') dated = createDatedLabels(form);
    }
    if (parsed.period !== form) {
      throw refusedAt(
        line,
        `\`${label}\` is a ${parsed.period}, and the first row has a ${form}; use one form of period in the whole file.`,
      );
    }
    dated?.add(parsed.index);
    if (labels.size === MOST_LABELS) labels.clear();
    labels.set(label, parsed.index);
    return parsed.index;
  }
}

/** The full hour of a time in UTC, as programs write it: `2024-01-31 07:00:00`. */
const FULL_HOUR = /^(\d{4}-\d\d-\d\d)[T ](\d\d):00(?::00(?:\.0{1,9})?)?(?:Z|\+00:00)?$/;

/** Dates as they are written where dots separate their parts, and with slashes after the year. */
const DOTTED = /^(?:(\d{1,2})\.)?(\d{1,2})\.(\d{4})$/;
const SLASHED = /^(\d{4})\/(\d\d)(?:\/(\d\d))?$/;

function plainLabel(label: string): string {
  const dotted = DOTTED.exec(label);
  if (dotted !== null) {
    const [, day, month = '', year] = dotted;
    return [year, month.padStart(2, '0'), ...(day === undefined ? [] : [day.padStart(2, '0')])].join('-');
  }
  return SLASHED.test(label) ? label.replaceAll('/', '-') : label.replace(FULL_HOUR, '$1T$2');
}

function int32(length: number): Int32Array {
  return new Int32Array(length);
}

function labelFault(label: string): string {
  if (label === '') return 'the column `period` is empty; write a label such as `2024-01`.';
  const hint = /\d[T ]\d\d?:\d\d/.test(label) ? ' Times are full hours in UTC.' : '';
  return `${quoted(label)} is not a period; write \`2024\`, \`2024-Q1\`, \`2024-01\`, \`2024-W05\`, \`2024-01-31\` or \`2024-01-31T07\`.${hint}`;
}

/** A cell in a sentence. */
export function quoted(cell: string): string {
  return cell.length > 40 ? `\`${cell.slice(0, 40)}\`…` : `\`${cell}\``;
}

/** Where a name stands among those of columns, upper or lower case; -1 where it is missing, or several are alike. */
export function columnIndex(names: readonly string[], name: string): number {
  const exact = names.indexOf(name);
  if (exact !== -1) return exact;
  const isAlike = (other: string): boolean => other.toLowerCase() === name.toLowerCase();
  const alike = names.findIndex(isAlike);
  return alike === names.findLastIndex(isAlike) ? alike : -1;
}

interface ReadHeader extends Pick<Header, 'columns'> {
  /** Where the fields of the series and of the period stand. */
  series: number;
  period: number;
}

function readHeader(fields: readonly string[], line: number): ReadHeader {
  const seen = new Set<string>();
  for (const name of fields) {
    if (name.trim() !== name || name === '') {
      throw refusedAt(
        line,
        `the header has the column ${quoted(name)}; write names that are not empty, without spaces around them.`,
      );
    }
    if (name.length > MOST_NAME) throw refusedAt(line, `the name of a column is longer than ${MOST_NAME} characters.`);
    if (seen.has(name)) throw refusedAt(line, `the header has the column ${quoted(name)} twice; remove one of them.`);
    seen.add(name);
  }
  const [series = -1, period = -1] = ['series', 'period'].map((name) => {
    const at = columnIndex(fields, name);
    if (at === -1) throw refusedAt(line, missingColumn(name, fields));
    return at;
  });
  const columns = fields.map((name, at) => ({ name, at })).filter(({ at }) => at !== series && at !== period);
  if (columns.length === 0)
    throw refusedAt(line, 'the header has no column but `series` and `period`; add one for the value.');
  if (columns.length > MOST_COLUMNS)
    throw refusedAt(line, `the header has more than ${MOST_COLUMNS} columns besides \`series\` and \`period\`.`);
  return { columns, series, period };
}

const MOST_NAMED = 8;

function missingColumn(name: string, fields: readonly string[]): string {
  const shown = fields.slice(0, MOST_NAMED).map(quoted).join(', ');
  const more = fields.length > MOST_NAMED ? ` and ${fields.length - MOST_NAMED} more` : '';
  return `the header has no column \`${name}\`, but ${shown}${more}; rename the column that is meant, or add it. Commas, semicolons, tabs or bars separate columns.`;
}

function place(
  first: readonly number[],
  last: readonly number[],
  lines: readonly number[],
  names: readonly string[],
): { starts: Int32Array; offsets: Int32Array } {
  const offsets = new Int32Array(first.length + 1);
  let widest = 0;
  let total = 0;
  first.forEach((_, series) => {
    const width = widthOf(series);
    if (width > widthOf(widest)) widest = series;
    total += width;
    if (total <= MOST_PERIODS) offsets[series + 1] = total;
  });
  if (total > MOST_PERIODS) {
    throw refusedAt(
      lines[widest] ?? 1,
      `the series together span ${total} periods, and may span ${MOST_PERIODS}; ${quoted(names[widest] ?? '')} alone spans ${widthOf(widest)}.`,
    );
  }
  return { starts: Int32Array.from(first), offsets };

  function widthOf(series: number): number {
    return (last[series] ?? 0) - (first[series] ?? 0) + 1;
  }
}

function refuseRepeated(rows: Rows, lines: ReturnType<typeof createBlocks>): void {
  const { names, offsets, starts } = rows;
  const taken = new Uint8Array(offsets.at(-1) ?? 0);
  let repeated: { index: number; row: number } | undefined;
  rows.eachPlace((index, row) => {
    if (taken[index] === 1) repeated ??= { index, row };
    taken[index] = 1;
  });
  if (repeated === undefined) return;
  const { index, row } = repeated;
  const series = offsets.findLastIndex((offset) => offset <= index);
  const label = labelOf(rows.period, (starts[series] ?? 0) + index - (offsets[series] ?? 0));
  const hint = rows.period === 'hour' ? ' Hours are in UTC, where none is repeated.' : '';
  lines.each((line, at) => {
    if (at === row)
      throw refusedAt(line, `the series ${quoted(names[series] ?? '')} already has a row for \`${label}\`.${hint}`);
  });
}
