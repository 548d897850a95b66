// The text of an env file. Node's own `parseEnv` passes over lines that it does not understand, and cuts an
// unquoted value at any `#`: a token would arrive half, without a word.
import { VARIABLE_NAME } from './environment.ts';

export type ParsedEnv =
  | { ok: true; variables: ReadonlyMap<string, string> }
  | { ok: false; line: number; says: string };

const BLANK = /^[ \t]*(?:#.*)?$/;
const HEAD = /^[ \t]*(?:export[ \t]+)?([^\s=]+)[ \t]*=/;
const SINGLE_QUOTED = /[ \t]*'([^']*)'/y;
const DOUBLE_QUOTED = /[ \t]*"((?:[^"\\]|\\[^])*)"/y;
const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\', $: '$' };

/**
 * Lines of `NAME=value`. A value in quotes may hold `#` and run over lines; in double quotes `\n`, `\r`, `\t`, `\"`,
 * `\\` and `\$` are one character. Without quotes it ends at ` #`. Nothing is expanded. What is wrong is said
 * without the line's text: it may be a secret.
 */
export function parseEnv(source: string): ParsedEnv {
  const text = source.replaceAll('\r\n', '\n');
  const variables = new Map<string, string>();
  let start = 0;
  while (start < text.length) {
    const end = lineEnd(text, start);
    const line = text.slice(start, end);
    if (BLANK.test(line)) {
      start = end + 1;
      continue;
    }
    const wrong = (says: string): ParsedEnv => ({ ok: false, line: text.slice(0, start).split('\n').length, says });
    const [head = '', name = ''] = HEAD.exec(line) ?? [];
    if (!VARIABLE_NAME.test(name)) return wrong('is not NAME=value, with a name of letters, digits and _');
    if (variables.has(name)) return wrong(`sets ${name} a second time; keep one of the lines`);
    const read = readValue(text, start + head.length, end);
    if (read === undefined) return wrong('has a quote that is not closed, or text behind the closing quote');
    variables.set(name, read.value);
    start = read.end + 1;
  }
  return { ok: true, variables };
}

/** The value that stands from `from` on, and the end of the line that it ends on. */
function readValue(text: string, from: number, end: number): { value: string; end: number } | undefined {
  const rest = text.slice(from, end);
  const quote = rest.trimStart().charAt(0);
  // A `#` right behind the `=` belongs to the value, as in a shell.
  if (quote !== '"' && quote !== "'") return { value: rest.replace(/[ \t]#.*$/, '').trim(), end };
  const pattern = quote === '"' ? DOUBLE_QUOTED : SINGLE_QUOTED;
  pattern.lastIndex = from;
  const [whole, inner = ''] = pattern.exec(text) ?? [];
  if (whole === undefined) return undefined;
  const last = lineEnd(text, from + whole.length);
  if (!BLANK.test(text.slice(from + whole.length, last))) return undefined;
  return { value: quote === '"' ? inner.replaceAll(/\\([^])/g, unescaped) : inner, end: last };
}

/** A backslash before any other character stands for itself. */
function unescaped(pair: string, character: string): string {
  return ESCAPES[character] ?? pair;
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end === -1 ? text.length : end;
}
