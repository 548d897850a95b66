// What of a schema may be done beside everything else. The rest is a worker's, which can be ended.
import { isJsonObject, type JsonObject } from '../../../shared/json.ts';
import { KIB } from '../../../shared/product.ts';
import { jsonBytes } from '../canonical-json.ts';
import { boundedSchemaLocations, isNoSchema } from './check-document.ts';
import { areLight } from './regular-expressions.ts';

/** Code for a schema is made in time that grows faster than its text: of so much, in some 100 ms at most. */
const MOST_BYTES = 4 * KIB;

/** Whether a schema is looked at, or compiled, in some 100 ms at most. Any value; nothing of it is read but its size. */
export function isLight(schema: unknown): boolean {
  // Refused at once.
  if (isNoSchema(schema) || !isJsonObject(schema)) return true;
  if (jsonBytes(schema) > MOST_BYTES) return false;
  return areLight(patternsOf(schema));
}

function patternsOf(schema: JsonObject): string[] {
  return [...(boundedSchemaLocations(schema)?.values() ?? [])].flatMap(({ schema: one }) => {
    if (typeof one === 'boolean') return [];
    const { pattern, patternProperties } = one;
    const names = isJsonObject(patternProperties) ? Object.keys(patternProperties) : [];
    return typeof pattern === 'string' ? [pattern, ...names] : names;
  });
}
