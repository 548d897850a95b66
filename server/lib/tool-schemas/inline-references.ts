// Puts what references name in their place.
import type { JsonObject } from '../../../shared/json.ts';
import { combined, mapSchemas, referred } from './walk.ts';

/** Schemas in the result. */
const MOST_SCHEMAS = 5000;
/** References inside what references name: as many as leave the result small enough. */
const DEPTHS = [8, 4, 2, 1, 0];

/** Undefined if the schema is too large even so. A reference that is not replaced becomes any value of its type. */
export function inlined(root: JsonObject): JsonObject | undefined {
  for (const depth of DEPTHS) {
    const result = inlinedTo(root, depth);
    if (result !== undefined) return result;
  }
  return undefined;
}

function inlinedTo(root: JsonObject, depth: number): JsonObject | undefined {
  let count = 0;
  const inlineOne = (schema: JsonObject, within: readonly JsonObject[]): JsonObject => {
    count += 1;
    if (count > MOST_SCHEMAS) return {};
    const { $ref, $defs: _defs, definitions: _definitions, ...others } = schema;
    const target = $ref === undefined ? undefined : referred(root, $ref);
    if (target === undefined) return mapSchemas(others, (inner) => inlineOne(inner, within));
    if (target !== root && !within.includes(target) && within.length <= depth) {
      return inlineOne(combined(others, target), [...within, target]);
    }
    const { type, title, description } = target;
    const kept = Object.entries({ type, title, description }).filter(([, value]) => value !== undefined);
    return { ...(Object.fromEntries(kept) as JsonObject), ...others };
  };
  const result = inlineOne(root, []);
  return count > MOST_SCHEMAS ? undefined : result;
}
