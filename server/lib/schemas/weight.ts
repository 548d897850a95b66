// How much work a schema makes for each part of a value, before it is known what the value is. It decides whether a
// check may run beside everything else or goes to a worker that can be ended.
import type { JsonObject } from '../../../shared/json.ts';
import { childrenOf, type SchemaLocation, schemaLocations } from './subschemas.ts';
import { targetOf } from './references.ts';
import { patternWeight } from './regular-expressions.ts';

/**
 * The schemas that look at one part of a value at most, references followed as often as they are made; patterns count
 * the steps of a character. Infinity: the schema refers to itself, compares items (`uniqueItems`), or looks at
 * alternatives again to find what they evaluated (`unevaluatedItems`, `unevaluatedProperties`).
 */
export function weightOf(schema: JsonObject): number {
  const locations =
    schemaLocations(schema, Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY) ?? new Map<string, SchemaLocation>();
  const known = new Map<string, number>();
  const weigh = (pointer: string): number => {
    const found = known.get(pointer);
    if (found !== undefined) return found;
    const location = locations.get(pointer);
    if (location === undefined) return 1;
    // Whoever comes here again before it is known has gone in a circle.
    known.set(pointer, Number.POSITIVE_INFINITY);
    let weight = ownWeight(location.schema);
    for (const child of childrenOf(location)) {
      if (child.keyword !== '$defs' && child.keyword !== 'definitions') weight += weigh(child.pointer);
    }
    const target = typeof location.schema === 'boolean' ? undefined : targetOf(location.schema['$ref']);
    if (target !== undefined) weight += weigh(target);
    known.set(pointer, weight);
    return weight;
  };
  return weigh('');
}

function ownWeight(schema: JsonObject | boolean): number {
  if (typeof schema === 'boolean') return 1;
  if (schema['uniqueItems'] === true) return Number.POSITIVE_INFINITY;
  if ('unevaluatedItems' in schema || 'unevaluatedProperties' in schema) return Number.POSITIVE_INFINITY;
  let weight = 1;
  const { pattern, required } = schema;
  if (typeof pattern === 'string') weight += patternWeight(pattern);
  if (Array.isArray(required)) weight += required.length;
  for (const name of Object.keys(schema['patternProperties'] ?? {})) weight += patternWeight(name);
  for (const names of Object.values(schema['dependentRequired'] ?? {}))
    weight += Array.isArray(names) ? names.length : 1;
  return weight;
}
