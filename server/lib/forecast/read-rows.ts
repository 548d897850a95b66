// The rows of a dataset: their series and periods, checked, and the place of each in an array that holds the periods of
// every series without gaps, one series after the other. What a row's other fields mean is its reader's business.
//
// 1. Memory is bounded by the file's size, the number of series and the number of periods, never by a label's distance.
// 2. A fault names the line on which its row starts.
import { type Period, labelOf, parseLabel } from './calendar.ts';
import { createBlocks } from './blocks.ts';
import { readCsv, refusedAt } from './read-csv.ts';

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
}

export interface Row {
  fields: readonly string[];
  line: number;
  /** The number of the row's series, from 0 in the order in which they appear. */
  series: number;
  /** The index of the row's period. */
  period: number;
}

export interface Rows {
  period: Period;
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
  /** Calls back with each row's place in that array. */
  eachPlace(visit: (place: number, row: number) => void): void;
}

/**
 * Reads the rows.
 * @param begin is called with the header, and returns what is called with each row
 * @throws Refused `invalid_input` for the first fault
 */
export async function readRows(
  chunks: AsyncIterable<Uint8Array>,
  begin: (header: Header) => (row: Row) => void,
): Promise<Rows> {
  const numbers = new Map<string, number>();
  const labels = new Map<string, number>();
  const lines: number[] = [];
  const first: number[] = [];
  const last: number[] = [];
  const ofRow = { series: createBlocks(int32), period: createBlocks(int32), line: createBlocks(int32) };
  let keys: { series: number; period: number } | undefined;
  let onRow: (row: Row) => void = () => {};
  let period: Period | undefined;

  await readCsv(chunks, (fields, line) => {
    if (keys === undefined) {
      const { header, ...at } = readHeader(fields, line);
      keys = at;
      onRow = begin(header);
      return;
    }
    const name = fields[keys.series] ?? '';
    const series = numbers.get(name) ?? addSeries(name, line);
    const index = indexOf(fields[keys.period] ?? '', line);
    first[series] = Math.min(first[series] ?? index, index);
    last[series] = Math.max(last[series] ?? index, index);
    ofRow.series.push(series);
    ofRow.period.push(index);
    ofRow.line.push(line);
    onRow({ fields, line, series, period: index });
  });
  if (keys === undefined) throw refusedAt(1, 'the file is empty; write a header with `series`, `period` and a value.');
  if (period === undefined) throw refusedAt(1, 'no rows follow the header.');

  const { starts, offsets } = place(first, last, lines, [...numbers.keys()]);
  const rows: Rows = {
    period,
    count: ofRow.series.length,
    names: [...numbers.keys()],
    lines,
    starts,
    offsets,
    eachPlace(visit) {
      const places = new Int32Array(ofRow.series.length);
      ofRow.series.each((series, row) => {
        places[row] = (offsets[series] ?? 0) - (starts[series] ?? 0);
      });
      ofRow.period.each((index, row) => visit((places[row] ?? 0) + index, row));
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

  function indexOf(label: string, line: number): number {
    const known = labels.get(label);
    if (known !== undefined) return known;
    const parsed = parseLabel(label);
    if (parsed === undefined) throw refusedAt(line, labelFault(label));
    period ??= parsed.period;
    if (parsed.period !== period) {
      throw refusedAt(
        line,
        `\`${label}\` is a ${parsed.period}, and the first row has a ${period}; use one form of period in the whole file.`,
      );
    }
    if (labels.size === MOST_LABELS) labels.clear();
    labels.set(label, parsed.index);
    return parsed.index;
  }
}

function int32(length: number): Int32Array {
  return new Int32Array(length);
}

function labelFault(label: string): string {
  if (label === '') return 'the column `period` is empty; write a label such as `2024-01`.';
  return `${quoted(label)} is not a period; write \`2024\`, \`2024-Q1\`, \`2024-01\`, \`2024-W05\`, \`2024-01-31\` or \`2024-01-31T07\`.`;
}

/** A cell in a sentence. */
export function quoted(cell: string): string {
  return cell.length > 40 ? `\`${cell.slice(0, 40)}\`…` : `\`${cell}\``;
}

function readHeader(fields: readonly string[], line: number): { header: Header; series: number; period: number } {
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
  for (const name of ['series', 'period']) {
    if (!seen.has(name)) throw refusedAt(line, `the header has no column \`${name}\`; add it.`);
  }
  const columns = fields.map((name, at) => ({ name, at })).filter(({ name }) => name !== 'series' && name !== 'period');
  if (columns.length === 0)
    throw refusedAt(line, 'the header has no column but `series` and `period`; add one for the value.');
  if (columns.length > MOST_COLUMNS)
    throw refusedAt(line, `the header has more than ${MOST_COLUMNS} columns besides \`series\` and \`period\`.`);
  return { header: { columns }, series: fields.indexOf('series'), period: fields.indexOf('period') };
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
  let repeated: { place: number; row: number } | undefined;
  rows.eachPlace((place, row) => {
    if (taken[place] === 1) repeated ??= { place, row };
    taken[place] = 1;
  });
  if (repeated === undefined) return;
  const { place, row } = repeated;
  const series = offsets.findLastIndex((offset) => offset <= place);
  const label = labelOf(rows.period, (starts[series] ?? 0) + place - (offsets[series] ?? 0));
  lines.each((line, at) => {
    if (at === row)
      throw refusedAt(line, `the series ${quoted(names[series] ?? '')} already has a row for \`${label}\`.`);
  });
}
