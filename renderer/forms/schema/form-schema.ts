// Prepares a schema for a form. The schema is not trusted: it comes from a tool server or the author of a definition.
// Patterns are removed, since the browser's regular expressions may take forever, unlike the service's. A schema with
// too many fields has no form: its value is edited as JSON. The service checks everything.
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
  return recursiveReferences(bare) === undefined ? undefined : bare;
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

/** Keywords whose schemas apply to the value itself, not to a part of it. */
const IN_PLACE = new Set(['allOf', 'anyOf', 'oneOf', 'not', 'if', 'then', 'else', 'dependentSchemas', 'dependencies']);

/**
 * The references through which a value contains values of the same schema. Undefined if the schema has no form: a
 * reference leaves it, does not resolve to a schema, or leads back to itself for the same value, or the form is too large.
 */
export function recursiveReferences(root: JsonObject): ReadonlySet<string> | undefined {
  const recursive = new Set<string>();
  let rendered = 0;

  /** @param path the references above; `here` those of them that are about the same value */
  function isUnusable(
    value: Json | undefined,
    isByName: boolean,
    path: readonly string[],
    here: readonly string[],
  ): boolean {
    if (typeof value !== 'object' || value === null) return false;
    rendered += 1;
    if (rendered > MAX_RENDERED) return true;
    if (Array.isArray(value)) return value.some((item) => isUnusable(item, false, path, here));
    if (isByName) return Object.values(value).some((member) => isUnusable(member, false, path, here));
    const reference = value['$ref'];
    if (typeof reference === 'string' && leadsNowhere(reference, path, here)) return true;
    return Object.entries(value).some(
      ([name, member]) =>
        name !== '$defs' &&
        name !== 'definitions' &&
        !DATA.has(name) &&
        isUnusable(member, BY_NAME.has(name), path, IN_PLACE.has(name) ? here : []),
    );
  }

  function leadsNowhere(reference: string, path: readonly string[], here: readonly string[]): boolean {
    if (here.includes(reference)) return true;
    if (path.includes(reference)) {
      recursive.add(reference);
      return false;
    }
    const target = targetOf(root, reference);
    return target === undefined || isUnusable(target, false, [...path, reference], [...here, reference]);
  }

  return isUnusable(root, false, ['#'], ['#']) ? undefined : recursive;
}

/**
 * The schema that a reference names; undefined if there is none, or if it is not where a schema may stand and so may
 * contain patterns.
 */
export function targetOf(root: JsonObject, reference: string): JsonObject | undefined {
  if (reference === '#') return root;
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
