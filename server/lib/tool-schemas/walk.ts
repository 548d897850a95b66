// The schemas directly inside a schema.
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { escapeToken, tokensOf } from '../json-pointer.ts';
import { LISTS_OF_SCHEMAS, MAPS_OF_SCHEMAS, SCHEMAS } from '../schemas/index.ts';

/** Replaces each schema directly inside a schema, of which `true` and `false` stay. */
export function mapSchemas(schema: JsonObject, change: (inner: JsonObject) => Json): JsonObject {
  const changed = (value: Json): Json => (isJsonObject(value) ? change(value) : value);
  const mapped = { ...schema };
  for (const keyword of Object.keys(schema)) {
    const value = schema[keyword] ?? null;
    if (SCHEMAS.has(keyword)) mapped[keyword] = changed(value);
    else if (LISTS_OF_SCHEMAS.has(keyword) && Array.isArray(value)) mapped[keyword] = value.map(changed);
    else if (MAPS_OF_SCHEMAS.has(keyword) && isJsonObject(value)) mapped[keyword] = mapMembers(value, changed);
  }
  return mapped;
}

/** Each schema directly inside a schema, with the tokens of a pointer to it. */
export function schemasIn(schema: JsonObject): { inner: JsonObject; tokens: readonly string[] }[] {
  return Object.entries(schema).flatMap(([keyword, value]) => {
    const isOfMany = MAPS_OF_SCHEMAS.has(keyword) || (Array.isArray(value) && keyword === 'items');
    if (SCHEMAS.has(keyword) && isJsonObject(value)) return [{ inner: value, tokens: [keyword] }];
    if (typeof value !== 'object' || value === null || !(isOfMany || LISTS_OF_SCHEMAS.has(keyword))) return [];
    const members: [string, Json][] = Object.entries(value);
    return members.flatMap(([name, inner]) => (isJsonObject(inner) ? [{ inner, tokens: [keyword, name] }] : []));
  });
}

/** A schema with the keywords of another one; of two that say the same, those of the first count. */
export function combined(first: JsonObject, second: JsonObject): JsonObject {
  const properties = { ...membersOf(second['properties']), ...membersOf(first['properties']) };
  const required = [...new Set([first['required'] ?? [], second['required'] ?? []].flat())];
  return {
    ...second,
    ...first,
    ...(Object.keys(properties).length === 0 ? {} : { properties }),
    ...(required.length === 0 ? {} : { required }),
  };
}

function membersOf(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

export function mapMembers(object: JsonObject, change: (value: Json, name: string) => Json): JsonObject {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]));
}

/** The names of all properties in a schema, at every depth. */
export function propertyNames(schema: JsonObject): Set<string> {
  const names = new Set<string>();
  const waiting = [schema];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const { properties } = next;
    if (isJsonObject(properties)) for (const name of Object.keys(properties)) names.add(name);
    waiting.push(...schemasIn(next).map(({ inner }) => inner));
  }
  return names;
}

/** What a reference names; undefined for what is not in the document. */
export function referred(root: JsonObject, reference: Json | undefined): JsonObject | undefined {
  const tokens = referenceTokens(reference);
  let value: Json | undefined = root;
  for (const token of tokens ?? []) {
    const isList: boolean = Array.isArray(value);
    if ((!isList && !isJsonObject(value)) || !Object.hasOwn(value as object, token)) return undefined;
    value = (value as JsonObject)[token];
  }
  return tokens !== undefined && isJsonObject(value) ? value : undefined;
}

/** The tokens of a reference into the document itself. */
export function referenceTokens(reference: Json | undefined): string[] | undefined {
  if (typeof reference !== 'string' || !/^#(?:\/|$)/.test(reference)) return undefined;
  try {
    return tokensOf(decodeURIComponent(reference.slice(1)));
  } catch {
    return undefined;
  }
}

export function referenceOf(tokens: readonly string[]): string {
  return `#${tokens.map((token) => `/${encodeURIComponent(escapeToken(token)).replaceAll('%24', '$')}`).join('')}`;
}
