// What a request need not hold: `required` in a document also names properties that only responses have (`readOnly`).
import { isJsonObject, type Json, type JsonObject } from '../../../../shared/json.ts';

/** Keywords whose schemas look at the same value. Conditions (`if`, `not`) stay as they are. */
export const IN_PLACE: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'then', 'else', 'dependentSchemas']);

/** More schemas than a value is looked at by. */
const MOST_LOOKED_AT = 100;
/** Schemas that are looked at for a whole document, on the main thread; beyond, properties stay demanded. */
const MOST_LOOKS = 20_000;
const NONE: ReadonlySet<string> = new Set();

export interface ReadOnlyNames {
  /** The read-only properties of the values that a schema describes, whichever of its parts describes them. */
  of: (schema: JsonObject) => ReadonlySet<string>;
  /** Those names that a schema demands and that it does not know to be read-only. */
  demandedBy: (schema: JsonObject, names: ReadonlySet<string>) => ReadonlySet<string>;
}

/** @param targetOf what a reference of the document refers to */
export function createReadOnlyNames(targetOf: (reference: string) => JsonObject | undefined): ReadOnlyNames {
  const known = new WeakMap<JsonObject, { readOnly: ReadonlySet<string>; required: ReadonlySet<string> }>();

  let looks = 0;
  const readOnlySchemas = new WeakMap<JsonObject, boolean>();

  function resolved(schema: JsonObject): JsonObject | undefined {
    const reference = schema['$ref'];
    return typeof reference === 'string' ? targetOf(reference) : undefined;
  }

  /** The schema, what it refers to, and the schemas in them that look at the same value. */
  function* parts(root: JsonObject, keywords: ReadonlySet<string>): Generator<JsonObject> {
    const seen = new Set<JsonObject>();
    const open = [root];
    for (let next = open.pop(); next !== undefined && seen.size < MOST_LOOKED_AT; next = open.pop()) {
      if (seen.has(next) || looks >= MOST_LOOKS) continue;
      looks += 1;
      seen.add(next);
      yield next;
      const target = resolved(next);
      if (target !== undefined) open.push(target);
      for (const keyword of keywords) {
        const held: Json = next[keyword] ?? null;
        const inner = Array.isArray(held) || keyword === 'dependentSchemas' ? Object.values(held ?? {}) : [held];
        open.push(...inner.slice(0, MOST_LOOKED_AT).filter(isJsonObject));
      }
    }
  }

  function isReadOnly(property: Json): boolean {
    if (!isJsonObject(property)) return false;
    if (property['readOnly'] === true) return true;
    if (property['$ref'] === undefined && property['allOf'] === undefined) return false;
    // Many properties refer to the same schema, which is looked at once.
    const looked = property['allOf'] === undefined ? (resolved(property) ?? property) : property;
    const found = readOnlySchemas.get(looked) ?? [...parts(looked, ALL_OF)].some((part) => part['readOnly'] === true);
    readOnlySchemas.set(looked, found);
    return found;
  }

  function lookAt(schema: JsonObject) {
    const found = known.get(schema);
    if (found !== undefined) return found;
    const readOnly = new Set<string>();
    const required = new Set<string>();
    for (const { properties, required: names } of parts(schema, IN_PLACE)) {
      if (Array.isArray(names)) for (const name of names) required.add(String(name));
      if (!isJsonObject(properties)) continue;
      for (const [name, property] of Object.entries(properties)) if (isReadOnly(property)) readOnly.add(name);
    }
    const looked = { readOnly, required };
    known.set(schema, looked);
    return looked;
  }

  return {
    of: (schema) => lookAt(schema).readOnly,
    demandedBy(schema, names) {
      if (names.size === 0) return NONE;
      const { readOnly, required } = lookAt(schema);
      return new Set([...names].filter((name) => required.has(name) && !readOnly.has(name)));
    },
  };
}

const ALL_OF: ReadonlySet<string> = new Set(['allOf']);
