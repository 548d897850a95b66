// The jq program around an expression. The text of an expression cannot affect anything outside it:
//
// 1. The text is first compiled without surrounding brackets (`checkProgram`). If it compiles, it is a complete query,
//    so in brackets (`evaluateProgram`) it only closes its own.
// 2. Functions that read the environment, print or end the process raise an error, `now` is an argument, and functions
//    of dates are our own. These definitions precede the expression and hide the built-in functions. `$ENV` is null,
//    because a variable cannot be removed, and refused by a check.
// 3. Variables are passed as values in the input, never as text of the program.
// 4. A check refuses an expression that may call a function that is switched off: each calls a function by a name of its
//    own, which is in the compiled program only if it is used.
import { DATE_DEFINITIONS } from './dates.ts';

const OFF = [
  'debug',
  'debug(f)',
  'env',
  'gamma',
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

/** Only of functions whose names are in the expression: each definition costs time in each scope of it. */
function offDefinitions(expression: string): string {
  const definitions = OFF.map((name) => ({ name, bare: name.replace('(f)', '') }))
    .filter(({ bare }) => expression.includes(bare))
    .map(({ name, bare }) => `def __off_${bare}: error("${bare} is switched off"); def ${name}: __off_${bare};`);
  return definitions.join('');
}

/** Versions that were saved before a check refused these may call them: their local time is UTC, on every machine. */
const LOCAL_TIME =
  'def __off_localtime: gmtime; def localtime: __off_localtime; def __off_strflocaltime(f): strftime(f); def strflocaltime(f): __off_strflocaltime(f);';

const NAMES_DATES = /date|time/;
const CALLS_OFF = /^[ \t]*__off_(\w+):\d+:$/m;
const USES_ENVIRONMENT = /^[ \t]*\d+ LOADVN? \$ENV:/m;
const NOT_PRINTED = 'leave it out; the history of a run has the output of each step';
const NO_ENVIRONMENT = 'pass the value in the input, or use `$secrets` for a secret';
const NO_HALT = 'write `error("...")`, which can be caught';
const NO_INPUT = 'write `.` for the input';
const INSTEAD: Readonly<Record<string, string>> = {
  debug: NOT_PRINTED,
  stderr: NOT_PRINTED,
  env: NO_ENVIRONMENT,
  halt: NO_HALT,
  halt_error: NO_HALT,
  input: NO_INPUT,
  inputs: NO_INPUT,
  gamma: 'write `lgamma`',
  localtime: 'an expression has the same result on every machine; write `gmtime`, which is in UTC',
  strflocaltime: 'an expression has the same result on every machine; write `strftime`, which is in UTC',
};

/** Why a program that compiles is refused; undefined if it is not. @param disassembly of `checkProgram` */
export function programFault(disassembly: string): string | undefined {
  if (USES_ENVIRONMENT.test(disassembly)) return switchedOff('$ENV', NO_ENVIRONMENT);
  const name = CALLS_OFF.exec(disassembly)?.[1];
  return name === undefined ? undefined : switchedOff(name, INSTEAD[name]);
}

function switchedOff(name: string, instead = 'leave it out'): string {
  return `\`${name}\` is switched off: ${instead}.`;
}

/** The number of lines before the expression in the program. */
export const LINES_BEFORE = 1;

function before(expression: string, variables: readonly string[], now: number): string {
  const bindings = variables.map((name, at) => `.[${at + 1}] as $${name} | `).join('');
  const dates = NAMES_DATES.test(expression) ? `${DATE_DEFINITIONS}${LOCAL_TIME}` : '';
  return `${dates}${offDefinitions(expression)}def now: ${now / 1000}; ${bindings}null as $ENV | .[0] |`;
}

export function checkProgram(expression: string, variables: readonly string[]): string {
  return `${before(expression, variables, 0)}\n${expression}`;
}

/** Two line breaks, because a backslash continues a comment at the end of the expression on the next line. */
export function evaluateProgram(expression: string, variables: readonly string[], now: number): string {
  return `${before(expression, variables, now)}\n[limit(2;(${expression}\n\n))]`;
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
  if (LOCATION.test(expression)) return switchedOff('$__loc__');
  const name = variables.find((variable) => !NAME.test(variable) || RESERVED.has(variable));
  return name === undefined ? undefined : `\`$${name.slice(0, 100)}\` cannot be the name of a variable.`;
}
