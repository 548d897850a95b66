// The schema of a tool as a form can be made of it. It comes from others: what a form would run (patterns), follow for
// ever (references that lead back to themselves) or draw without end is left out, or leaves JSON alone.
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';

/** Objects and lists in a schema beyond which nobody fills a form. */
const MOST_PARTS = 600;

/** Undefined where arguments are better written as JSON. */
export function formSchema(schema: JsonObject): JsonObject | undefined {
  if (schema['type'] !== 'object' || !isJsonObject(schema['properties'])) return undefined;
  const budget = { parts: MOST_PARTS };
  const bare = withoutPatterns(schema, false, budget);
  if (budget.parts < 0 || !isJsonObject(bare)) return undefined;
  return leadsOnForEver(bare) ? undefined : bare;
}

/** Members of these have names of the author's own. */
const BY_NAME = new Set(['properties', '$defs', 'definitions', 'dependentSchemas']);
/** Values, not schemas. */
const DATA = new Set(['const', 'default', 'enum', 'examples', 'example']);

function withoutPatterns(value: Json, isByName: boolean, budget: { parts: number }): Json {
  if (typeof value !== 'object' || value === null) return value;
  budget.parts -= 1;
  if (budget.parts < 0) return null;
  if (Array.isArray(value)) return value.map((item) => withoutPatterns(item, false, budget));
  const kept = Object.entries(value).filter(
    ([name]) => isByName || (name !== 'pattern' && name !== 'patternProperties'),
  );
  return Object.fromEntries(
    kept.map(([name, member]) => {
      const isData = !isByName && DATA.has(name);
      return [name, isData ? member : withoutPatterns(member, !isByName && BY_NAME.has(name), budget)];
    }),
  );
}

/** Whether a reference leads out of the schema, to nothing, or back to where it stands. */
function leadsOnForEver(root: JsonObject): boolean {
  const done = new Set<string>();

  function follow(value: Json | undefined, above: readonly string[]): boolean {
    if (Array.isArray(value)) return value.some((item) => follow(item, above));
    if (!isJsonObject(value)) return false;
    const reference = value['$ref'];
    if (typeof reference === 'string' && leadsAway(reference, above)) return true;
    return Object.entries(value).some(
      ([name, member]) => name !== '$defs' && name !== 'definitions' && !DATA.has(name) && follow(member, above),
    );
  }

  function leadsAway(reference: string, above: readonly string[]): boolean {
    if (above.includes(reference)) return true;
    if (done.has(reference)) return false;
    const target = targetOf(root, reference);
    if (target === undefined || follow(target, [...above, reference])) return true;
    done.add(reference);
    return false;
  }

  return follow(root, ['#']);
}

function targetOf(root: JsonObject, reference: string): Json | undefined {
  if (!reference.startsWith('#/')) return undefined;
  let at: Json | undefined = root;
  for (const part of reference.slice(2).split('/')) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~');
    at = isJsonObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  }
  return at;
}
