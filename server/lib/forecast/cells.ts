// What a field of a dataset says as a number.

const NUMBER = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/;
const NOT_FINITE = /^[+-]?(?:nan|inf|infinity)$/i;

/** A finite number; missing, where the field is empty; or what is wrong. */
export type Cell = number | 'missing' | 'not finite' | 'text';

export function readCell(field: string): Cell {
  const text = field.trim();
  if (text === '') return 'missing';
  if (NUMBER.test(text)) {
    const value = Number(text);
    return Number.isFinite(value) ? value : 'not finite';
  }
  return NOT_FINITE.test(text) ? 'not finite' : 'text';
}

/** Why a cell is refused, in a sentence. */
export function cellFault(cell: 'not finite' | 'text', shown: string, column: string): string {
  const what = cell === 'text' ? 'a number' : 'a finite number';
  return `${shown} in the column \`${column}\` is not ${what}; write one such as \`12.5\`, or nothing where it is missing.`;
}
