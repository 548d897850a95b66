// The tokens of JSON (RFC 8259). Each function takes a text and an index in it, and returns where the token ends.

/** Why a text is no JSON, as a sentence; with a position, given by line and column, from 1. */
export class Malformed extends Error {
  constructor(what: string, text?: string, at = 0) {
    super(text === undefined ? what : `The body is not JSON: ${placed(what, text, at)}.`);
  }
}

function placed(what: string, text: string, at: number): string {
  const before = text.slice(0, at);
  const line = before.split('\n').length;
  const reason = at >= text.length ? 'the text ends unexpectedly' : what;
  return `${reason} at line ${line}, column ${at - before.lastIndexOf('\n')}`;
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const LIST = 0x5b;
const LIST_END = 0x5d;
const OBJECT = 0x7b;
const OBJECT_END = 0x7d;
const ZERO = 0x30;
const NINE = 0x39;

export function skipSpace(text: string, start: number): number {
  let at = start;
  for (let code = text.charCodeAt(at); code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09; ) {
    at += 1;
    code = text.charCodeAt(at);
  }
  return at;
}

/** Behind `true`, `false` or `null`; undefined where none of them stands. */
export function skipLiteral(text: string, at: number): number | undefined {
  const literal = { t: 'true', f: 'false', n: 'null' }[text.charAt(at)];
  return literal !== undefined && text.startsWith(literal, at) ? at + literal.length : undefined;
}

/**
 * Behind the list or object that begins at an index, by its brackets and strings alone.
 * @throws Malformed where it does not end
 */
export function skipNested(text: string, start: number): number {
  let depth = 0;
  for (let at = start; ; at += 1) {
    const code = text.charCodeAt(at);
    if (code === QUOTE) at = readText(text, at).end - 1;
    else if (code === LIST || code === OBJECT) depth += 1;
    else if (code === LIST_END || code === OBJECT_END) depth -= 1;
    else if (at >= text.length) throw new Malformed('a closing bracket is missing', text, at);
    if (depth === 0) return at + 1;
  }
}

interface StringToken {
  end: number;
  value: string;
  /** Whether no half of a surrogate pair stands alone. */
  isWellFormed: boolean;
}

/**
 * @param text as decoded from UTF-8, so that only an escape can write half of a surrogate pair
 * @throws Malformed
 */
export function readText(text: string, start: number): StringToken {
  if (text.charCodeAt(start) !== QUOTE) throw new Malformed('a string in double quotes is missing', text, start);
  let at = start + 1;
  let isEscaped = false;
  let hasUnicodeEscape = false;
  for (let code = text.charCodeAt(at); code !== QUOTE; code = text.charCodeAt(at)) {
    if (code === BACKSLASH) {
      const length = escapeLength(text, at);
      isEscaped = true;
      hasUnicodeEscape ||= length > 2;
      at += length;
    } else if (code >= 0x20) at += 1;
    // Behind the end of the text there is no code.
    else throw new Malformed('a string contains a control character', text, at);
  }
  const value = isEscaped ? (JSON.parse(text.slice(start, at + 1)) as string) : text.slice(start + 1, at);
  return { end: at + 1, value, isWellFormed: !hasUnicodeEscape || value.isWellFormed() };
}

function escapeLength(text: string, at: number): number {
  const kind = text.charAt(at + 1);
  if (kind !== '' && '"\\/bfnrt'.includes(kind)) return 2;
  if (kind === 'u' && /^[0-9a-f]{4}$/i.test(text.slice(at + 2, at + 6))) return 6;
  throw new Malformed('a string contains an unknown escape', text, kind === '' ? at + 1 : at);
}

/** @throws Malformed where no number stands */
export function readNumber(text: string, start: number): { end: number; isFinite: boolean } {
  let at = text.charAt(start) === '-' ? start + 1 : start;
  at = text.charCodeAt(at) === ZERO ? at + 1 : skipDigits(text, at, at === start);
  if (text.charAt(at) === '.') at = skipDigits(text, at + 1);
  const exponent = text.charAt(at);
  const hasExponent = exponent === 'e' || exponent === 'E';
  if (hasExponent) {
    const sign = text.charAt(at + 1);
    at = skipDigits(text, sign === '+' || sign === '-' ? at + 2 : at + 1);
  }
  // Only so many digits, or an exponent, pass the largest double.
  const isFinite = (!hasExponent && at - start < 300) || Number.isFinite(Number(text.slice(start, at)));
  return { end: at, isFinite };
}

function skipDigits(text: string, start: number, beginsValue = false): number {
  let at = start;
  for (let code = text.charCodeAt(at); code >= ZERO && code <= NINE; code = text.charCodeAt(at)) at += 1;
  if (at === start) {
    throw new Malformed(beginsValue ? 'there is an unexpected character' : 'a digit is missing', text, at);
  }
  return at;
}
