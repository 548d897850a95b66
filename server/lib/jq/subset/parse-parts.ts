import { RESERVED } from '../program.ts';
import { unsupported } from './scope.ts';
import type { Query, Reader } from './syntax.ts';
import type { Tokens } from './tokens.ts';

/** A string; without interpolation, a literal. */
export function parseString(reader: Reader): Query {
  const parts = reader.tokens.readString(() => reader.query());
  if (parts.every((part) => typeof part === 'string')) return { kind: 'literal', value: parts.join('') };
  return {
    kind: 'text',
    parts: parts.map((part) => (typeof part === 'string' ? { kind: 'literal', value: part } : part)),
  };
}

/** A string without interpolation. */
export function parseConstant(tokens: Tokens): string {
  return tokens
    .readString((): never => {
      throw unsupported();
    })
    .join('');
}

/** The name of the next token, which is a variable. */
export function nameOf(reader: Reader): string {
  const token = reader.tokens.next();
  if (token.kind !== 'variable' || token.text.includes('::') || RESERVED.has(token.text)) throw unsupported();
  return token.text;
}
