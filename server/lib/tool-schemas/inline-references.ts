// Puts what references name in their place.
import type { JsonObject } from '../../../shared/json.ts';
import { mapSchemas, referred } from './walk.ts';

/** Schemas that references may become. */
const MOST_SCHEMAS = 5000;

/** Undefined if the schema becomes too large. A reference to what surrounds it becomes any value of its type. */
export function inlined(root: JsonObject): JsonObject | undefined {
  let count = 0;
  const inlineOne = (schema: JsonObject, within: readonly JsonObject[]): JsonObject => {
    count += 1;
    if (count > MOST_SCHEMAS) return {};
    const { $ref, ...others } = schema;
    const target = $ref === undefined ? undefined : referred(root, $ref);
    if (target === undefined) return mapSchemas(others, (inner) => inlineOne(inner, [...within, schema]));
    if (within.includes(target) || target === schema) {
      const { type, title, description } = target;
      return { ...given({ type, title, description }), ...others };
    }
    return inlineOne({ ...target, ...others }, [...within, target]);
  };
  const result = inlineOne(root, []);
  const { $defs: _defs, definitions: _definitions, ...plain } = result;
  return count > MOST_SCHEMAS ? undefined : plain;
}

function given(members: Record<string, JsonObject[string] | undefined>): JsonObject {
  return Object.fromEntries(
    Object.entries(members).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
