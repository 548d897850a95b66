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
