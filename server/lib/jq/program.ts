// The jq program around an expression. Nothing of an expression's text can reach out of it:
//
// 1. The text is first compiled with nothing open around it (`checkProgram`). What passes is a whole query, so that in
//    brackets (`evaluateProgram`) it closes none but its own.
// 2. What reads the surroundings, prints or ends the process is an error, and `now` is the time that was given.
//    These definitions stand outside the expression, which sees them and no built-in function behind them. `$ENV` is
//    null: a variable cannot be taken away.
// 3. Variables come as values of the input, never as text of the program.
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

/** Local time is UTC, so that an expression comes to the same on every machine. */
const LOCAL_TIME = 'def localtime: gmtime; def strflocaltime(f): strftime(f);';

const DEFINITIONS = `${LOCAL_TIME}${OFF.map((name) => `def ${name}: error("${name.replace('(f)', '')} is switched off");`).join('')}`;

/** Lines that stand before the expression in what is compiled. */
export const LINES_BEFORE = 1;

function before(variables: readonly string[], now: number): string {
  const bindings = variables.map((name, at) => `.[${at + 1}] as $${name} | `).join('');
  return `${DEFINITIONS}def now: ${now / 1000}; ${bindings}null as $ENV | .[0] |`;
}

export function checkProgram(expression: string, variables: readonly string[]): string {
  return `${before(variables, 0)}\n${expression}`;
}

/** A comment at the expression's end may go on in the next line, by a backslash: two line ends stop it. */
export function evaluateProgram(expression: string, variables: readonly string[], now: number): string {
  return `${before(variables, now)}\n[limit(2;(${expression}\n\n))]`;
}

const MOST_CHARACTERS = 16 * 1024;
/** Names of variables that are jq's own. */
export const RESERVED: ReadonlySet<string> = new Set(['ENV', '__loc__', '__prog_args']);
const NAME = /^[A-Za-z_][A-Za-z0-9_]*$/;
const PLACE = /\$__loc__(?![A-Za-z0-9_])/;

/** What keeps an expression from jq whatever it says, in a sentence; undefined when nothing does. */
export function expressionFault(expression: string, variables: readonly string[]): string | undefined {
  if (expression.length > MOST_CHARACTERS) return 'The expression is longer than 16,384 characters.';
  if (expression.trim() === '') return 'The expression is empty.';
  // A NUL would end the program early.
  if (expression.includes('\0')) return 'The expression contains a NUL character.';
  if (!expression.isWellFormed()) return 'The expression contains half of a surrogate pair.';
  if (PLACE.test(expression)) return '`$__loc__` is switched off.';
  const name = variables.find((variable) => !NAME.test(variable) || RESERVED.has(variable));
  return name === undefined ? undefined : `\`$${name.slice(0, 100)}\` cannot be the name of a variable.`;
}
