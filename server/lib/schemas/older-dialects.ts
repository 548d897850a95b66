// Schemas of drafts 04 to 2019-09 as JSON Schema 2020-12, which is the only one that the checker knows.
//
// 1. Until draft 07, a schema with `$ref` is its target alone: what stands beside it has no effect.
// 2. A reference leads to where its target stands afterwards (`items/0` is `prefixItems/0`).
// 3. A name that a schema gives itself (`$id: '#name'`) is replaced by its pointer, since the checker knows no names.
// 4. What has no equal in 2020-12 stays, and the checker refuses it.
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { escapeToken, tokensOf } from '../json-pointer.ts';
import { LISTS_OF_SCHEMAS, MAPS_OF_SCHEMAS, SCHEMAS } from './keywords.ts';

type Draft = 4 | 6 | 7 | 2019 | 2020;

const DRAFT = /^https?:\/\/json-schema\.org\/(?:draft-0([467])\/schema|draft\/(2019-09|2020-12)\/schema|(schema))#?$/;

/** The draft that a schema names; undefined where it names none, or another one. */
function draftOf(schema: JsonObject): Draft | undefined {
  const [, old, year, newest] = DRAFT.exec(String(schema['$schema'])) ?? [];
  const draft = old ?? year?.slice(0, 4) ?? (newest === undefined ? undefined : 2020);
  return draft === undefined ? undefined : (Number(draft) as Draft);
}

/**
 * The schema without its `$schema`, in the words of 2020-12. One that names no known draft stays as it is.
 * @param schema of bounded depth: it is copied by recursion
 */
export function asNewestDialect(schema: JsonObject): JsonObject {
  const draft = draftOf(schema);
  if (draft === undefined) return schema;
  const names = new Map<string, string>();
  if (draft <= 7) findNames(schema, draft === 4 ? 'id' : '$id', { pointer: '', names });
  return converted(schema, { draft, root: schema, names });
}

interface Context {
  draft: Draft;
  root: JsonObject;
  /** The pointer of each schema that names itself, by `#name`. */
  names: ReadonlyMap<string, string>;
}

function findNames(value: Json, keyword: string, { pointer, names }: { pointer: string; names: Map<string, string> }) {
  if (typeof value !== 'object' || value === null) return;
  const name = isJsonObject(value) ? value[keyword] : undefined;
  if (typeof name === 'string' && isName(name) && !names.has(name)) names.set(name, pointer);
  for (const [token, member] of Object.entries(value)) {
    findNames(member, keyword, { pointer: `${pointer}/${escapeToken(token)}`, names });
  }
}

const isName = (id: string): boolean => /^#[A-Za-z_]/.test(id);

function converted(schema: JsonObject, context: Context): JsonObject {
  const { draft, root } = context;
  const members: [string, Json][] = [];
  const isReference = draft <= 7 && typeof schema['$ref'] === 'string';
  for (const [keyword, value] of Object.entries(schema)) {
    // An embedded schema may be of another draft.
    if (keyword === '$schema' && (schema === root || draftOf(schema) === draft)) continue;
    if (isReference && !BESIDE_REFERENCES.has(keyword)) continue;
    members.push(...convertedMember(keyword, value, schema, context));
  }
  return Object.fromEntries(members);
}

/** What holds other schemas, and says nothing about the value itself. */
const BESIDE_REFERENCES = new Set(['$ref', '$defs', 'definitions', 'title', 'description', 'default', 'examples']);

function convertedMember(keyword: string, value: Json, schema: JsonObject, context: Context): [string, Json][] {
  const { draft } = context;
  const inner = (one: Json): Json => (isJsonObject(one) ? converted(one, context) : one);
  if (draft <= 2019 && keyword === 'items' && Array.isArray(value)) return [['prefixItems', value.map(inner)]];
  if (draft <= 2019 && keyword === 'additionalItems') {
    return Array.isArray(schema['items']) ? [['items', inner(value)]] : [];
  }
  if (keyword === 'dependencies' && isJsonObject(value)) return dependencies(value, inner);
  if (draft === 4 && (keyword === 'exclusiveMinimum' || keyword === 'exclusiveMaximum')) {
    const limit = schema[keyword === 'exclusiveMinimum' ? 'minimum' : 'maximum'];
    return value === true && limit !== undefined ? [[keyword, limit]] : [];
  }
  if (draft === 4 && (keyword === 'minimum' || keyword === 'maximum')) {
    const isExclusive = schema[keyword === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum'] === true;
    return isExclusive ? [] : [[keyword, value]];
  }
  if (keyword === (draft === 4 ? 'id' : '$id') && typeof value === 'string') {
    return draft <= 7 && isName(value) ? [] : [['$id', value]];
  }
  if (keyword === '$ref' && typeof value === 'string') return [[keyword, reference(value, context)]];
  // Where no schema has an `$id` of its own, both mean the root.
  if (draft === 2019 && keyword === '$recursiveAnchor') return [];
  if (draft === 2019 && keyword === '$recursiveRef' && value === '#') return [['$ref', '#']];
  if (SCHEMAS.has(keyword)) return [[keyword, inner(value)]];
  if (LISTS_OF_SCHEMAS.has(keyword) && Array.isArray(value)) return [[keyword, value.map(inner)]];
  if (MAPS_OF_SCHEMAS.has(keyword) && isJsonObject(value)) {
    return [[keyword, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, inner(one)]))]];
  }
  return [[keyword, value]];
}

/** Those on names are lists, those on schemas are schemas. */
function dependencies(value: JsonObject, inner: (one: Json) => Json): [string, Json][] {
  const entries = Object.entries(value);
  const names = entries.filter(([, one]) => Array.isArray(one));
  const schemas = entries.filter(([, one]) => !Array.isArray(one));
  return [
    ...(names.length === 0 ? [] : [['dependentRequired', Object.fromEntries(names)] as [string, Json]]),
    ...(schemas.length === 0
      ? []
      : [['dependentSchemas', Object.fromEntries(schemas.map(([name, one]) => [name, inner(one)]))] as [string, Json]]),
  ];
}

function reference(written: string, { root, draft, names }: Context): string {
  if (draft === 2020) return written;
  const id = root[draft === 4 ? 'id' : '$id'];
  const own = typeof id === 'string' && id !== '' && written.startsWith(`${id}#`) ? written.slice(id.length) : written;
  const pointer = names.get(own) ?? (own.startsWith('#/') ? own.slice(1) : undefined);
  if (pointer === undefined) return own;
  let place: Json | undefined = root;
  const tokens: string[] = [];
  for (const token of tokensOf(pointer)) {
    const holder: Json | undefined = place;
    place = isJsonObject(holder) || Array.isArray(holder) ? (holder as JsonObject)[token] : undefined;
    if (!isJsonObject(holder)) tokens.push(token);
    else if (token === 'items' && Array.isArray(place)) tokens.push('prefixItems');
    else if (token === 'additionalItems') tokens.push('items');
    else if (token === 'dependencies') tokens.push('dependentSchemas');
    else tokens.push(token);
  }
  return `#${tokens.map((token) => `/${escapeToken(token)}`).join('')}`;
}
