import { nameOf, parseConstant } from './parse-parts.ts';
import { unsupported } from './scope.ts';
import { IDENTITY, type Member, type Query, type Reader } from './syntax.ts';
import type { Tokens } from './tokens.ts';

export function parseObject(reader: Reader): Query {
  const { tokens } = reader;
  tokens.expect('{');
  const members: Member[] = [];
  // A trailing comma is allowed.
  while (!tokens.isSign('}')) {
    members.push(parseMember(reader));
    if (!tokens.take(',')) break;
  }
  tokens.expect('}');
  return { kind: 'object', members };
}

/** `name: value`; `name` alone is that member of the input, and `$name` alone the variable. */
function parseMember(reader: Reader): Member {
  const { tokens } = reader;
  const { ahead: next } = tokens;
  if (next.kind === 'variable') {
    const name = nameOf(reader);
    return { name, value: { kind: 'variable', name } };
  }
  const name = parseMemberName(tokens);
  if (tokens.take(':')) return { name, value: reader.memberValue() };
  return { name, value: { kind: 'index', of: IDENTITY, key: name } };
}

function parseMemberName(tokens: Tokens): string {
  const { ahead: next } = tokens;
  if (next.kind === 'quote') return parseConstant(tokens);
  if (next.kind !== 'name' || next.text.includes('::')) throw unsupported();
  tokens.next();
  return next.text;
}
