import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import type { SchemaChecks } from './checks.ts';
import { targetOf } from './form-schema.ts';

/** Keywords that are resolved here and are not part of the result. */
const RESOLVED = new Set([
  '$ref',
  'allOf',
  'if',
  'then',
  'else',
  'dependentSchemas',
  'dependentRequired',
  'dependencies',
  '$defs',
  'definitions',
  '$schema',
  '$comment',
]);

/**
 * The schema that applies to a value, in one object: references and `allOf` are merged, and conditions and dependencies
 * where the value meets them. What cannot be merged remains as `allOf`.
 */
export function effectiveSchema(schema: Json | undefined, value: Json | undefined, checks: SchemaChecks): JsonObject {
  if (schema === false) return { not: {} };
  if (!isJsonObject(schema)) return {};
  const own = Object.fromEntries(Object.entries(schema).filter(([name]) => !RESOLVED.has(name)));
  return partsOf(schema, value, checks)
    .map((part) => effectiveSchema(part, value, checks))
    .reduce(mergedSchema, own);
}

/** The schemas that apply besides a schema's own keywords. */
function partsOf(schema: JsonObject, value: Json | undefined, checks: SchemaChecks): Json[] {
  const { $ref, allOf, if: condition } = schema;
  const parts: Json[] = [];
  const target = typeof $ref === 'string' ? targetOf(checks.root, $ref) : undefined;
  if (target !== undefined) parts.push(target);
  if (Array.isArray(allOf)) parts.push(...allOf);
  // A form without a value is an empty object.
  const checked = value ?? {};
  if (condition !== undefined) parts.push(schema[checks.isValid(condition, checked) ? 'then' : 'else'] ?? true);
  for (const keyword of ['dependentSchemas', 'dependentRequired', 'dependencies']) {
    for (const [name, part] of Object.entries(schema[keyword] ?? {})) {
      if (!isJsonObject(value) || !Object.hasOwn(value, name)) continue;
      parts.push(Array.isArray(part) ? { required: part } : part);
    }
  }
  return parts;
}

type Merge = (a: Json, b: Json) => Json;

const both: Merge = (a, b) => (a === false || b === false ? false : { allOf: [a, b] });
const listed = (value: Json): Json[] => (Array.isArray(value) ? value : [value]);
const same = (a: Json, b: Json): boolean => JSON.stringify(a) === JSON.stringify(b);
const union: Merge = (a, b) => [...new Set([...listed(a), ...listed(b)])];
const common: Merge = (a, b) => listed(a).filter((one) => listed(b).some((other) => same(one, other)));
const larger: Merge = (a, b) => Math.max(Number(a), Number(b));
const smaller: Merge = (a, b) => Math.min(Number(a), Number(b));
const outer: Merge = (a) => a;

const MERGES: ReadonlyMap<string, Merge> = new Map<string, Merge>([
  ['properties', (a, b) => mergedProperties(a as JsonObject, b as JsonObject)],
  ['required', union],
  ['type', commonTypes],
  ['enum', common],
  ['items', both],
  ['additionalProperties', both],
  ['minimum', larger],
  ['exclusiveMinimum', larger],
  ['minLength', larger],
  ['minItems', larger],
  ['minProperties', larger],
  ['maximum', smaller],
  ['exclusiveMaximum', smaller],
  ['maxLength', smaller],
  ['maxItems', smaller],
  ['maxProperties', smaller],
  ['title', outer],
  ['description', outer],
  ['default', outer],
  ['examples', outer],
]);

export function mergedSchema(a: JsonObject, b: JsonObject): JsonObject {
  const rest: Json[] = [...listed(a['allOf'] ?? []), ...listed(b['allOf'] ?? [])];
  const merged = new Map(Object.entries(a));
  for (const [keyword, member] of Object.entries(b)) {
    const before = merged.get(keyword);
    const merge = MERGES.get(keyword);
    if (keyword === 'allOf') continue;
    if (before === undefined) merged.set(keyword, member);
    else if (merge !== undefined) merged.set(keyword, merge(before, member));
    else if (!same(before, member)) rest.push({ [keyword]: member });
  }
  if (rest.length > 0) merged.set('allOf', rest);
  return Object.fromEntries(merged);
}

function mergedProperties(a: JsonObject, b: JsonObject): JsonObject {
  const merged = new Map(Object.entries(a));
  for (const [name, schema] of Object.entries(b)) {
    const before = merged.get(name);
    merged.set(name, before === undefined ? schema : both(before, schema));
  }
  return Object.fromEntries(merged);
}

/** A whole number is a number. */
function commonTypes(a: Json, b: Json): Json {
  const [first, second] = [listed(a), listed(b)];
  const types = union(first, second) as string[];
  const isIn = (types: readonly Json[], type: string): boolean =>
    types.includes(type) || (type === 'integer' && types.includes('number'));
  const kept = types.filter((type) => isIn(first, type) && isIn(second, type));
  return kept.length === 1 ? (kept[0] ?? []) : kept;
}
