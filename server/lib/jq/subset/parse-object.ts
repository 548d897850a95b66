import { notMine } from './not-mine.ts';
import type { Reader } from './reader.ts';
import { nameOf, parseString } from './parse-parts.ts';
import { IDENTITY, type Member, type Query } from './syntax.ts';

export function parseObject(reader: Reader): Query {
  const { tokens } = reader;
  tokens.expect('{');
  const members: Member[] = [];
  // A comma may stand behind the last member.
  while (!tokens.isSign('}')) {
    members.push(parseMember(reader));
    if (!tokens.take(',')) break;
  }
  tokens.expect('}');
  return { kind: 'object', members };
}

function parseMember(reader: Reader): Member {
  const { tokens } = reader;
  const { ahead } = tokens;
  switch (ahead.kind) {
    case 'name':
      tokens.next();
      if (ahead.text.includes('::')) throw notMine();
      return parseNamed(reader, { kind: 'literal', value: ahead.text });
    case 'quote':
      return parseNamed(reader, parseString(reader));
    case 'variable': {
      const variable: Query = { kind: 'variable', name: nameOf(reader) };
      if (tokens.take(':')) return { key: variable, value: reader.memberValue() };
      return { key: { kind: 'literal', value: variable.name }, value: variable };
    }
    case 'sign': {
      tokens.expect('(');
      const key = reader.query();
      tokens.expect(')');
      tokens.expect(':');
      if (!isName(key)) throw notMine();
      return { key, value: reader.memberValue() };
    }
    case 'field':
    case 'number':
    case 'end':
      throw notMine();
  }
}

/** `{name: value}`, or `{name}` for what the input has under that name. */
function parseNamed(reader: Reader, key: Query): Member {
  if (reader.tokens.take(':')) return { key, value: reader.memberValue() };
  if (key.kind !== 'literal') throw notMine();
  return { key, value: { kind: 'index', of: IDENTITY, key, isOptional: false } };
}

/**
 * Whether a key is a text or surely no constant. jq works out constants before it runs, and one that is no text does
 * not compile, even where it would never be reached.
 */
function isName(key: Query): boolean {
  return key.kind === 'identity' || (key.kind === 'literal' && typeof key.value === 'string') || isComputed(key);
}

function isComputed(key: Query): boolean {
  switch (key.kind) {
    case 'variable':
    case 'index':
    case 'slice':
    case 'text':
    case 'call':
    case 'default':
      return true;
    case 'pipe':
    case 'operation':
      return isComputed(key.left) || isComputed(key.right);
    default:
      return false;
  }
}
