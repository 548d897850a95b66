import { parseObject } from './parse-object.ts';
import { nameOf, parseConstant, parseString } from './parse-parts.ts';
import { unsupported } from './scope.ts';
import { IDENTITY, NULL, type Query, type Reader } from './syntax.ts';
import type { Tokens } from './tokens.ts';

/** Reserved words of jq, which cannot be function names. */
const KEYWORDS = new Set(
  'as import include module def if then else elif and or end reduce foreach try catch label break'.split(' '),
);

export function parseTerm(reader: Reader): Query {
  let term = parseHead(reader);
  for (let longer = parsePath(reader, term); longer !== undefined; longer = parsePath(reader, term)) term = longer;
  return term;
}

function parseHead(reader: Reader): Query {
  const { tokens } = reader;
  const { ahead: next } = tokens;
  switch (next.kind) {
    case 'field':
      return parsePath(reader, IDENTITY) ?? IDENTITY;
    case 'variable':
      return { kind: 'variable', name: nameOf(reader) };
    case 'number':
      tokens.next();
      return { kind: 'literal', value: numberOf(next.text) };
    case 'quote':
      return parseString(reader);
    case 'name':
      return next.text === 'if' ? parseCondition(reader) : parseName(reader);
    case 'sign':
      return parseBracketed(reader);
    case 'end':
      throw unsupported();
  }
}

function parseBracketed(reader: Reader): Query {
  const { tokens } = reader;
  if (tokens.take('.')) {
    return tokens.ahead.kind === 'quote' ? { kind: 'index', of: IDENTITY, key: parseConstant(tokens) } : IDENTITY;
  }
  if (tokens.take('(')) {
    const body = reader.query();
    tokens.expect(')');
    return body;
  }
  if (tokens.take('[')) {
    // Not a literal: each result is a new list.
    if (tokens.take(']')) return { kind: 'list', body: { kind: 'call', name: 'empty', arguments: [] } };
    const body = reader.query();
    tokens.expect(']');
    return { kind: 'list', body };
  }
  return parseObject(reader);
}

/** A path after a term; undefined if there is none. */
function parsePath({ tokens }: Reader, of: Query): Query | undefined {
  const { ahead: next } = tokens;
  if (next.kind === 'field') {
    tokens.next();
    return { kind: 'index', of, key: next.text };
  }
  if (tokens.take('.')) {
    if (tokens.ahead.kind === 'quote') return { kind: 'index', of, key: parseConstant(tokens) };
    tokens.expect('[');
    return parseBrackets(tokens, of);
  }
  return tokens.take('[') ? parseBrackets(tokens, of) : undefined;
}

/** `[]`, or a literal name or index. */
function parseBrackets(tokens: Tokens, of: Query): Query {
  if (tokens.take(']')) return { kind: 'items', of };
  const isNegative = tokens.take('-');
  const { ahead: next } = tokens;
  if (next.kind === 'quote' && !isNegative) {
    const key = parseConstant(tokens);
    tokens.expect(']');
    return { kind: 'index', of, key };
  }
  if (next.kind !== 'number') throw unsupported();
  tokens.next();
  tokens.expect(']');
  const index = numberOf(next.text);
  if (!Number.isInteger(index)) throw unsupported();
  return { kind: 'index', of, key: isNegative ? -index : index };
}

/** jq keeps the spelling of a number until it calculates, so only numbers in their usual spelling are supported. */
function numberOf(text: string): number {
  const value = Number(text);
  if (String(value) !== text || Math.abs(value) > Number.MAX_SAFE_INTEGER) throw unsupported();
  return value;
}

function parseName(reader: Reader): Query {
  const { tokens } = reader;
  const token = tokens.next();
  if (token.kind !== 'name' || KEYWORDS.has(token.text) || token.text.includes('::')) throw unsupported();
  const args: Query[] = [];
  if (tokens.take('(')) {
    do args.push(reader.query());
    while (tokens.take(';'));
    tokens.expect(')');
    return { kind: 'call', name: token.text, arguments: args };
  }
  if (token.text === 'null') return NULL;
  if (token.text === 'true' || token.text === 'false') return { kind: 'literal', value: token.text === 'true' };
  return { kind: 'call', name: token.text, arguments: args };
}

function parseCondition(reader: Reader): Query {
  const { tokens } = reader;
  // `if` or `elif`.
  tokens.next();
  const test = reader.query();
  tokens.expect('then');
  const whenTrue = reader.query();
  if (tokens.isName('elif')) return { kind: 'condition', test, whenTrue, otherwise: parseCondition(reader) };
  const otherwise = tokens.take('else') ? reader.query() : IDENTITY;
  tokens.expect('end');
  return { kind: 'condition', test, whenTrue, otherwise };
}
