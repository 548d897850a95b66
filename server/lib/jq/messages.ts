// Turns the error output of jq into messages for authors.
import { LINES_BEFORE } from './program.ts';

const MOST_CHARACTERS = 300;

const PLACED = /^jq: error: ([\s\S]*?) at <top-level>, line (\d+), column (\d+)/;
const COMPILE = /^jq: error: (.*)/;
const THROWN = /^jq: error \(at [^)]*\): ?([\s\S]*)$/;
const THROWN_VALUE = /^jq: error \(at [^)]*\) \(not a string\): ([\s\S]*)$/;

/** Why an expression does not compile. */
export function compileMessage(printed: string): string {
  const [, words, line, column] = PLACED.exec(printed) ?? [];
  if (words === undefined) return shorten(`jq: ${COMPILE.exec(printed)?.[1] ?? 'the expression does not compile'}`);
  const row = Number(line) - LINES_BEFORE;
  const position = row === 1 ? `column ${column}` : `line ${row}, column ${column}`;
  return shorten(`jq, at ${position}: ${words}`);
}

/** Why an evaluation failed. */
export function runtimeMessage(printed: string): string {
  const value = THROWN_VALUE.exec(printed)?.[1];
  if (value !== undefined) return shorten(`The expression raised ${value}.`);
  const words = THROWN.exec(printed)?.[1] ?? '';
  return words === '' ? 'The expression raised an error without a message.' : shorten(words);
}

function shorten(text: string): string {
  const characters = Array.from(text.slice(0, 2 * MOST_CHARACTERS + 2));
  return characters.length <= MOST_CHARACTERS ? text : `${characters.slice(0, MOST_CHARACTERS - 1).join('')}…`;
}
