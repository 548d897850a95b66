// The jq program around an expression. The text of an expression cannot affect anything outside it:
//
// 1. The text is first compiled without surrounding brackets (`checkProgram`). If it compiles, it is a complete query,
//    so in brackets (`evaluateProgram`) it only closes its own.
// 2. Functions that read the environment, print or end the process raise an error, and `now` is an argument. These
//    definitions precede the expression and hide the built-in functions. `$ENV` is null, because a variable cannot be
//    removed.
// 3. Variables are passed as values in the input, never as text of the program.
const OFF = [
  'debug',
  'debug(f)',
  'env',
  'get_jq_origin',
  'get_prog_origin',
  'get_search_list',
  'halt',
  'halt_error',
  'halt_error(f)',
  'input',
  'input_filename',
  'input_line_number',
  'inputs',
  'modulemeta',
  'stderr',
];

/** Local time is UTC, so that an expression has the same result on every machine. */
const LOCAL_TIME = 'def localtime: gmtime; def strflocaltime(f): strftime(f);';

const DEFINITIONS = `${LOCAL_TIME}${OFF.map((name) => `def ${name}: error("${name.replace('(f)', '')} is switched off");`).join('')}`;

/** The number of lines before the expression in the program. */
export const LINES_BEFORE = 1;

function before(variables: readonly string[], now: number): string {
  const bindings = variables.map((name, at) => `.[${at + 1}] as $${name} | `).join('');
  return `${DEFINITIONS}def now: ${now / 1000}; ${bindings}null as $ENV | .[0] |`;
}

export function checkProgram(expression: string, variables: readonly string[]): string {
  return `${before(variables, 0)}\n${expression}`;
}

/** Two line breaks, because a backslash continues a comment at the end of the expression on the next line. */
export function evaluateProgram(expression: string, variables: readonly string[], now: number): string {
  return `${before(variables, now)}\n[limit(2;(${expression}\n\n))]`;
}

const MOST_CHARACTERS = 16 * 1024;
/** Variable names that jq reserves. */
export const RESERVED: ReadonlySet<string> = new Set(['ENV', '__loc__', '__prog_args']);
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const LOCATION = /\$__loc__(?![A-Za-z0-9_])/;

/** Why an expression is refused before jq sees it; undefined if it is not. */
export function expressionFault(expression: string, variables: readonly string[]): string | undefined {
  if (expression.length > MOST_CHARACTERS) return 'The expression is longer than 16,384 characters.';
  if (expression.trim() === '') return 'The expression is empty.';
  // A NUL would end the program early.
  if (expression.includes('\0')) return 'The expression contains a NUL character.';
  if (!expression.isWellFormed()) return 'The expression contains half of a surrogate pair.';
  if (LOCATION.test(expression)) return '`$__loc__` is switched off.';
  const name = variables.find((variable) => !NAME.test(variable) || RESERVED.has(variable));
  return name === undefined ? undefined : `\`$${name.slice(0, 100)}\` cannot be the name of a variable.`;
}
