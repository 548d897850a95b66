import type { Json } from '../../../../shared/json.ts';
import type { Tokens } from './tokens.ts';

/** The syntax tree of an expression. Everything else in jq's grammar is left to jq. */
export type Query =
  | { kind: 'identity' }
  | { kind: 'literal'; value: Json }
  | { kind: 'variable'; name: string }
  | { kind: 'index'; of: Query; key: string | number }
  | { kind: 'items'; of: Query }
  | { kind: 'text'; parts: Query[] }
  | { kind: 'list'; body: Query }
  | { kind: 'object'; members: Member[] }
  | { kind: 'pipe' | 'comma' | 'default' | 'and' | 'or'; left: Query; right: Query }
  | { kind: 'operation'; operator: Operator; left: Query; right: Query }
  | { kind: 'condition'; test: Query; whenTrue: Query; otherwise: Query }
  | { kind: 'call'; name: string; arguments: Query[] };

export interface Member {
  name: string;
  value: Query;
}

export type Operator = '+' | '-' | '*' | '/' | '%' | '==' | '!=' | '<' | '<=' | '>' | '>=';

export const IDENTITY: Query = { kind: 'identity' };
export const NULL: Query = { kind: 'literal', value: null };

/** All nodes of a query, including itself. */
export function* partsOf(query: Query): Generator<Query> {
  yield query;
  for (const child of childrenOf(query)) yield* partsOf(child);
}

function childrenOf(query: Query): Query[] {
  switch (query.kind) {
    case 'identity':
    case 'literal':
    case 'variable':
      return [];
    case 'index':
    case 'items':
      return [query.of];
    case 'list':
      return [query.body];
    case 'text':
      return query.parts;
    case 'object':
      return query.members.map(({ value }) => value);
    case 'pipe':
    case 'comma':
    case 'default':
    case 'and':
    case 'or':
    case 'operation':
      return [query.left, query.right];
    case 'condition':
      return [query.test, query.whenTrue, query.otherwise];
    case 'call':
      return query.arguments;
  }
}

/** Parses the parts of an expression from tokens. */
export interface Reader {
  readonly tokens: Tokens;
  /** A complete query, with pipes and commas. */
  query(): Query;
  /** The value of an object member, which ends at a comma. */
  memberValue(): Query;
}
