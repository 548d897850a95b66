// What a field of a dataset says as a number.
import type { Delimiter } from './read-csv.ts';

const NUMBER = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;
/** A number with digits after a decimal sign. */
const DECIMAL = /^[+-]?\d*([.,])\d+(?:[eE][+-]?\d+)?$/;
const NOT_FINITE = /^[+-]?(?:nan|inf|infinity)$/i;
/** Models compute in float32, which ends at 3.4e38; below this limit, neither a scale nor a score overflows. */
const MOST_SIZE = 1e37;

/** Why a field is no number that can be used. */
export type BadCell = 'not finite' | 'too large' | 'other decimal sign' | 'either sign' | 'text';

/** A finite number; missing, where the field is empty; or what is wrong. */
export type Cell = number | 'missing' | BadCell;

/** A number whose comma may separate thousands. */
const MAYBE_THOUSANDS = /^[+-]?[1-9]\d{0,2},\d{3}$/;

/**
 * Reads the fields of one file. Where something else than commas separates the fields, the decimal sign is the first one
 * that is read. Tabs and bars do not say where a file is from: there, commas before three digits are refused until another comma was
 * read as a decimal sign.
 */
export function createCellReader(delimiter: Delimiter): (field: string) => Cell {
  if (delimiter === ',') return readCell;
  let sign: string | undefined;
  return (field) => {
    const text = field.trim();
    const [, found] = DECIMAL.exec(text) ?? [];
    if (found === undefined) return readCell(text);
    if (delimiter !== ';' && sign === undefined && MAYBE_THOUSANDS.test(text)) return 'either sign';
    sign ??= found;
    return found === sign ? readCell(text.replace(',', '.')) : 'other decimal sign';
  };
}

function readCell(field: string): Cell {
  const text = field.trim();
  if (text === '') return 'missing';
  if (NUMBER.test(text)) {
    const value = Number(text);
    if (!Number.isFinite(value)) return 'not finite';
    return Math.abs(value) > MOST_SIZE ? 'too large' : value;
  }
  return NOT_FINITE.test(text) ? 'not finite' : 'text';
}

/** Why a cell is refused, in a sentence. */
export function cellFault(cell: BadCell, shown: string, column: string): string {
  if (cell === 'too large') {
    return `${shown} in the column \`${column}\` is too large; models compute with numbers up to 1e37, so use a larger unit.`;
  }
  if (cell === 'other decimal sign') {
    return `${shown} in the column \`${column}\` has another decimal sign than numbers before it; use \`,\` or \`.\` in the whole file.`;
  }
  if (cell === 'either sign') {
    return `${shown} in the column \`${column}\` has a comma that may separate thousands or decimals; write thousands without a separator, and decimals as in \`12.5\`.`;
  }
  const what = cell === 'text' ? 'a number' : 'a finite number';
  return `${shown} in the column \`${column}\` is not ${what}; write one such as \`12.5\`, or nothing where it is missing.`;
}
