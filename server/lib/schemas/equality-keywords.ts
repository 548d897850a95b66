// `const`, `enum` and `uniqueItems` by the equality of JSON values. ajv's own ask a value for its members
// `constructor` and `valueOf`, which here are data, and compare each item with each other.
import { _, type Ajv, type AnySchemaObject, type ErrorObject } from 'ajv';
import type { Json } from '../../../shared/json.ts';
import { canonicalJson } from '../canonical-json.ts';

export function useJsonEquality(ajv: Ajv): void {
  for (const keyword of ['const', 'enum', 'uniqueItems']) ajv.removeKeyword(keyword);
  ajv.addKeyword({
    keyword: 'const',
    compile: (allowed: Json) => isOneOf([allowed]),
    error: { message: 'const', params: ({ schemaCode }) => _`{allowedValue: ${schemaCode}}` },
  });
  ajv.addKeyword({
    keyword: 'enum',
    schemaType: 'array',
    compile: (allowed: Json[]) => isOneOf(allowed),
    error: { message: 'enum', params: ({ schemaCode }) => _`{allowedValues: ${schemaCode}}` },
  });
  ajv.addKeyword({
    keyword: 'uniqueItems',
    type: 'array',
    schemaType: 'boolean',
    compile: (isAsked: boolean, parentSchema: AnySchemaObject) => {
      const validate: { (items: Json[]): boolean; errors?: Partial<ErrorObject>[] } = (items) => {
        const pair = isAsked ? equalPair(items) : undefined;
        if (pair !== undefined) validate.errors = [{ keyword: 'uniqueItems', params: pair, parentSchema }];
        return pair === undefined;
      };
      return validate;
    },
  });
}

function isOneOf(allowed: readonly Json[]): (value: Json) => boolean {
  const known = new Set(allowed.map(identity));
  return (value) => known.has(identity(value));
}

/** The indexes of the first item that occurs twice: of its second and of its first occurrence. */
function equalPair(items: readonly Json[]): { i: number; j: number } | undefined {
  const seen = new Map<unknown, number>();
  for (const [i, item] of items.entries()) {
    const key = identity(item);
    const j = seen.get(key);
    if (j !== undefined) return { i, j };
    seen.set(key, i);
  }
  return undefined;
}

/** Equal for equal values: a text stands for a list or an object, marked so that no text of a value is like it. */
function identity(value: Json): unknown {
  if (typeof value === 'string') return `"${value}`;
  return typeof value === 'object' && value !== null ? canonicalJson(value) : value;
}
