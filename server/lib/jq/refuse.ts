const MOST_CHARACTERS = 16 * 1024;
/** Names of variables that are jq's own. */
export const RESERVED: ReadonlySet<string> = new Set(['ENV', '__loc__', '__prog_args']);
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const PLACE = /\$__loc__(?![A-Za-z0-9_])/;

/** What keeps an expression from jq whatever it says, in a sentence; undefined when nothing does. */
export function refuse(expression: string, variables: readonly string[]): string | undefined {
  if (expression.length > MOST_CHARACTERS) return 'The expression is longer than 16,384 characters.';
  if (expression.trim() === '') return 'The expression is empty.';
  // A NUL would end the program early.
  if (expression.includes('\0')) return 'The expression contains a NUL character.';
  if (!expression.isWellFormed()) return 'The expression contains half of a character (a lone surrogate).';
  if (PLACE.test(expression)) return '`$__loc__` is switched off.';
  const name = variables.find((variable) => !NAME.test(variable) || RESERVED.has(variable));
  return name === undefined ? undefined : `\`$${name.slice(0, 100)}\` cannot be the name of a variable.`;
}
