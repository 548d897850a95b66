// A schema as a form can be made of it. It comes from others, be it a tool server or whoever saved a definition: what a
// form would run (patterns: a browser's engine may take for ever, unlike the service's), follow for ever (references that
// lead back to themselves) or draw without end is left out, or leaves JSON alone. The service checks all of it.
import { isJsonObject, type Json, type JsonObject } from '../../shared/json.ts';

/** Objects and lists in a schema beyond which nobody fills a form. */
const MOST_PARTS = 600;
/** The same, each counted as often as references draw it. */
const MOST_DRAWN = 3000;

/** Undefined where a value is better written as JSON. */
export function formSchema(schema: JsonObject): JsonObject | undefined {
  const budget = { parts: MOST_PARTS };
  const bare = withoutPatterns(schema, false, budget);
  if (budget.parts < 0 || !isJsonObject(bare)) return undefined;
  return isDrawnWithoutEnd(bare) ? undefined : bare;
}

/** The same for what takes named members alone. */
export function objectFormSchema(schema: JsonObject): JsonObject | undefined {
  return schema['type'] === 'object' && isJsonObject(schema['properties']) ? formSchema(schema) : undefined;
}

/** Members of these have names of the author's own. */
const BY_NAME = new Set(['properties', '$defs', 'definitions', 'dependentSchemas', 'dependencies']);
/** Values, not schemas. */
const DATA = new Set(['const', 'default', 'enum', 'examples', 'example']);
/** Patterns, what lets a reference start elsewhere than at the root, and what leads on without a name. */
const LEFT_OUT = new Set([
  'pattern',
  'patternProperties',
  '$id',
  'id',
  '$recursiveRef',
  '$dynamicRef',
  // Of the library that checks forms.
  '__absolute_uri__',
  '__absolute_ref__',
  '__absolute_recursive_ref__',
]);

function withoutPatterns(value: Json, isByName: boolean, budget: { parts: number }): Json {
  if (typeof value !== 'object' || value === null) return value;
  budget.parts -= 1;
  if (budget.parts < 0) return null;
  if (Array.isArray(value)) return value.map((item) => withoutPatterns(item, false, budget));
  const kept = Object.entries(value).filter(([name]) => isByName || !LEFT_OUT.has(name));
  return Object.fromEntries(
    kept.map(([name, member]) => {
      const isData = !isByName && DATA.has(name);
      return [name, isData ? member : withoutPatterns(member, !isByName && BY_NAME.has(name), budget)];
    }),
  );
}

/** Whether a reference leads out of the schema, to no schema, or back to where it stands, or all lead to too much. */
function isDrawnWithoutEnd(root: JsonObject): boolean {
  let drawn = 0;

  function follow(value: Json | undefined, above: readonly string[]): boolean {
    if (typeof value !== 'object' || value === null) return false;
    drawn += 1;
    if (drawn > MOST_DRAWN) return true;
    if (Array.isArray(value)) return value.some((item) => follow(item, above));
    const reference = value['$ref'];
    if (typeof reference === 'string' && leadsAway(reference, above)) return true;
    return Object.entries(value).some(
      ([name, member]) => name !== '$defs' && name !== 'definitions' && !DATA.has(name) && follow(member, above),
    );
  }

  function leadsAway(reference: string, above: readonly string[]): boolean {
    if (above.includes(reference)) return true;
    const target = targetOf(root, reference);
    return target === undefined || follow(target, [...above, reference]);
  }

  return follow(root, ['#']);
}

/** Undefined where there is nothing, or what is no schema where it stands: patterns may be in that. */
function targetOf(root: JsonObject, reference: string): JsonObject | undefined {
  if (!reference.startsWith('#/')) return undefined;
  let at: Json | undefined = root;
  let isByName = false;
  for (const part of reference.slice(2).split('/')) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    if (!isByName && DATA.has(name)) return undefined;
    isByName = !isByName && BY_NAME.has(name);
    at = typeof at === 'object' && at !== null && Object.hasOwn(at, name) ? (at as JsonObject)[name] : undefined;
  }
  return isJsonObject(at) && !isByName ? at : undefined;
}
