// Prepares a schema for a form. The schema is not trusted: it comes from a tool server or the author of a definition.
// Patterns are removed, since the browser's regular expressions may take forever, unlike the service's. A schema with
// recursive references, or with too many fields, has no form: its value is edited as JSON. The service checks everything.
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { tokensOf } from '../../../shared/json-pointer.ts';
import { ASSERTED_FORMATS } from '../../../shared/formats.ts';
import { isWellFormed, wellFormed } from './well-formed.ts';

/** The maximum number of objects and lists in a schema with a form. */
const MAX_PARTS = 600;
/** The same limit, with each counted as often as references include it. */
const MAX_RENDERED = 3000;

/** The schema for the form; undefined if the value should be edited as JSON. */
export function formSchema(schema: JsonObject): JsonObject | undefined {
  const budget = { parts: MAX_PARTS };
  const bare = withoutPatterns(schema, false, budget);
  if (budget.parts < 0 || !isJsonObject(bare)) return undefined;
  return isUnbounded(bare) ? undefined : bare;
}

/** Keywords whose members are named by the author. */
const BY_NAME = new Set(['properties', '$defs', 'definitions', 'dependentSchemas', 'dependencies']);
/** Keywords that contain values, not schemas. */
const DATA = new Set(['const', 'default', 'enum', 'examples']);
/** Patterns, keywords that change the base of references or name their targets, and references without a name. */
const REMOVED_KEYWORDS = new Set([
  'pattern',
  'patternProperties',
  'example',
  '$id',
  'id',
  '$anchor',
  '$dynamicAnchor',
  '$recursiveAnchor',
  '$recursiveRef',
  '$dynamicRef',
  // Internal keywords of the validator.
  '__absolute_uri__',
  '__absolute_ref__',
  '__absolute_recursive_ref__',
]);

function withoutPatterns(value: Json, isByName: boolean, budget: { parts: number }): Json {
  if (typeof value !== 'object' || value === null) return value;
  budget.parts -= 1;
  if (budget.parts < 0) return null;
  if (Array.isArray(value)) return value.map((item) => withoutPatterns(item, false, budget));
  const kept = isByName ? Object.entries(value) : keywordsOf(value);
  return Object.fromEntries(
    kept.map(([name, member]) => {
      const isData = !isByName && DATA.has(name);
      return [name, isData ? member : withoutPatterns(member, !isByName && BY_NAME.has(name), budget)];
    }),
  );
}

/** The keywords that a form reads, in the words of JSON Schema 2020-12. */
function keywordsOf(schema: JsonObject): [string, Json][] {
  const { format, items, patternProperties } = schema;
  const read = Object.entries(schema)
    .filter(([name, member]) => !REMOVED_KEYWORDS.has(name) && isWellFormed(name, member))
    .map(([name, member]): [string, Json] => [name, wellFormed(name, member)]);
  // The service takes other formats as annotations.
  const known = read.filter(([name]) => name !== 'format' || ASSERTED_FORMATS.has(String(format)));
  const renamed = Array.isArray(items)
    ? known.map(([name, member]): [string, Json] => [TUPLE_KEYWORDS.get(name) ?? name, member])
    : known;
  if (!isJsonObject(patternProperties)) return renamed;
  const others = renamed.filter(([name]) => name !== 'additionalProperties');
  return [...others, ['additionalProperties', schemaOfExtras(schema, Object.values(patternProperties))]];
}

/** How earlier drafts name the parts of a tuple. */
const TUPLE_KEYWORDS = new Map([
  ['items', 'prefixItems'],
  ['additionalItems', 'items'],
]);

/** The schema of fields that have no name in the schema, where patterns say which is whose. */
function schemaOfExtras({ additionalProperties = true }: JsonObject, byPattern: readonly Json[]): Json {
  if (additionalProperties === true) return true;
  const schemas = additionalProperties === false ? byPattern : [...byPattern, additionalProperties];
  return schemas.length === 1 ? (schemas[0] ?? true) : { anyOf: [...schemas] };
}

/**
 * True if a reference leaves the schema, does not resolve to a schema, or is recursive, or if the form would be too
 * large.
 */
function isUnbounded(root: JsonObject): boolean {
  let rendered = 0;

  function follow(value: Json | undefined, above: readonly string[]): boolean {
    if (typeof value !== 'object' || value === null) return false;
    rendered += 1;
    if (rendered > MAX_RENDERED) return true;
    if (Array.isArray(value)) return value.some((item) => follow(item, above));
    const reference = value['$ref'];
    if (typeof reference === 'string' && isUnusable(reference, above)) return true;
    return Object.entries(value).some(
      ([name, member]) => name !== '$defs' && name !== 'definitions' && !DATA.has(name) && follow(member, above),
    );
  }

  function isUnusable(reference: string, above: readonly string[]): boolean {
    if (above.includes(reference)) return true;
    const target = targetOf(root, reference);
    return target === undefined || follow(target, [...above, reference]);
  }

  return follow(root, ['#']);
}

/**
 * The schema that a reference names; undefined if there is none, or if it is not in the place of a schema and so may
 * contain patterns.
 */
export function targetOf(root: JsonObject, reference: string): JsonObject | undefined {
  if (!reference.startsWith('#/')) return undefined;
  let at: Json | undefined = root;
  let isByName = false;
  for (const name of tokensOf(reference.slice(1))) {
    if (!isByName && DATA.has(name)) return undefined;
    isByName = !isByName && BY_NAME.has(name);
    at = typeof at === 'object' && at !== null && Object.hasOwn(at, name) ? (at as JsonObject)[name] : undefined;
  }
  return isJsonObject(at) && !isByName ? at : undefined;
}
