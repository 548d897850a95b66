// jq's tokens; the longest match counts. Strings are read by the parser, because they may contain queries.
import { unsupported } from './scope.ts';

export type Token =
  | { kind: 'field' | 'variable' | 'name' | 'number' | 'sign'; text: string }
  | { kind: 'quote' }
  | { kind: 'end' };

/** Comments are left to jq. */
const SPACE = /[ \r\n\t]+/y;
const FIELD = /\.([A-Za-z_][A-Za-z0-9_]*)/y;
const VARIABLE = /\$([A-Za-z_][A-Za-z0-9_]*(?:::[A-Za-z_][A-Za-z0-9_]*)*)/y;
/** Including module names, which are left to jq. */
const NAME = /[A-Za-z_][A-Za-z0-9_]*(?:::[A-Za-z_][A-Za-z0-9_]*)*/y;
const NUMBER = /(?:[0-9]+(?:\.[0-9]*)?|\.[0-9]+)(?:[eE][+-]?[0-9]+)?/y;
const SIGN = /\?\/\/|\/\/=|[!=|+\-*/%<>]=|\/\/|\.\.|[.?=;,:|+\-*/%$<>()[\]{}]/y;

const KINDS = [
  ['field', FIELD],
  ['variable', VARIABLE],
  ['number', NUMBER],
  ['name', NAME],
  ['sign', SIGN],
] as const;

/** Reads tokens from a text, with one token of lookahead. */
export class Tokens {
  readonly #text: string;
  /** The position after the lookahead token. */
  #at = 0;
  #ahead: Token;

  constructor(text: string) {
    this.#text = text;
    this.#ahead = this.#read();
  }

  get ahead(): Token {
    return this.#ahead;
  }

  next(): Token {
    const token = this.#ahead;
    this.#ahead = this.#read();
    return token;
  }

  isSign(text: string): boolean {
    return this.#ahead.kind === 'sign' && this.#ahead.text === text;
  }

  isName(text: string): boolean {
    return this.#ahead.kind === 'name' && this.#ahead.text === text;
  }

  /** Consumes the next token if it is this sign or word. */
  take(text: string): boolean {
    if (!this.isSign(text) && !this.isName(text)) return false;
    this.next();
    return true;
  }

  expect(text: string): void {
    if (!this.take(text)) throw unsupported();
  }

  /**
   * Reads a string whose opening quote is the next token.
   * @param readQuery parses a query up to the closing bracket
   */
  readString<Part>(readQuery: () => Part): (string | Part)[] {
    const parts: (string | Part)[] = [];
    for (;;) {
      const text = this.#match(STRING_TEXT);
      if (text !== undefined) parts.push(unescape(text));
      const mark = this.#match(STRING_MARK);
      if (mark === '"') break;
      if (mark === undefined) throw unsupported();
      this.#ahead = this.#read();
      parts.push(readQuery());
      // The bracket is the next token, and the string continues right after it.
      if (!this.isSign(')')) throw unsupported();
    }
    this.#ahead = this.#read();
    return parts;
  }

  #read(): Token {
    this.#match(SPACE);
    if (this.#at >= this.#text.length) return { kind: 'end' };
    if (this.#text[this.#at] === '"') {
      this.#at += 1;
      return { kind: 'quote' };
    }
    for (const [kind, pattern] of KINDS) {
      const text = this.#match(pattern);
      if (text !== undefined) return { kind, text };
    }
    throw unsupported();
  }

  /** The match of the pattern at the current position, or its first group if it has one. */
  #match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at;
    const found = pattern.exec(this.#text);
    if (found === null) return undefined;
    this.#at = pattern.lastIndex;
    return found[1] ?? found[0];
  }
}

const STRING_TEXT = /(?:[^"\\]|\\["\\/bfnrt]|\\u[0-9a-fA-F]{4})+/y;
const STRING_MARK = /"|\\\(/y;

/** Resolves escapes; unpaired surrogates are left to jq. */
function unescape(text: string): string {
  const resolved = text.replace(ESCAPE, (escape) => JSON.parse(`"${escape}"`) as string);
  if (!resolved.isWellFormed()) throw unsupported();
  return resolved;
}

const ESCAPE = /\\(?:u[0-9a-fA-F]{4}|.)/g;
