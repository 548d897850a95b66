// What ajv is given of an author's schema: only keywords of JSON Schema 2020-12. ajv knows more (`nullable`, `id`,
// `$async`, `dependencies`, ...), and to an author those are annotations. What ajv does not see in a schema because it
// fears for prototypes, the name `__proto__`, is put in words that it does see.
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { isAssertedFormat } from './formats.ts';
import { KNOWN_KEYWORDS, LISTS_OF_SCHEMAS, MAPS_OF_SCHEMAS, SCHEMAS } from './keywords.ts';

const UNUSED: ReadonlySet<string> = new Set(['$schema', '$id', '$comment', 'default', 'contentSchema']);
const PROTO = '__proto__';

/** @param schema one in which checkSchemaDocument found no issue: it is copied by recursion */
export function prepareSchema(schema: JsonObject): JsonObject {
  const members: [string, Json][] = [];
  for (const [keyword, value] of Object.entries(schema)) {
    if (!KNOWN_KEYWORDS.has(keyword) || UNUSED.has(keyword)) continue;
    if (keyword === 'format' && !isAssertedFormat(value)) continue;
    members.push([keyword, prepareValue(keyword, value)]);
  }
  return withoutProto(Object.fromEntries(members));
}

function prepareValue(keyword: string, value: Json): Json {
  if (SCHEMAS.has(keyword)) return prepareAny(value);
  if (LISTS_OF_SCHEMAS.has(keyword) && Array.isArray(value)) return value.map(prepareAny);
  if (MAPS_OF_SCHEMAS.has(keyword) && isJsonObject(value)) {
    return Object.fromEntries(Object.entries(value).map(([name, child]) => [name, prepareAny(child)]));
  }
  return value;
}

function prepareAny(schema: Json): Json {
  return isJsonObject(schema) ? prepareSchema(schema) : schema;
}

function withoutProto(schema: JsonObject): JsonObject {
  const property = takeProto(schema, 'properties');
  if (property !== undefined) {
    const patterns = isJsonObject(schema['patternProperties']) ? schema['patternProperties'] : {};
    schema['patternProperties'] = { ...patterns, '^__proto__$': property };
  }
  const dependent = takeProto(schema, 'dependentSchemas');
  const required = takeProto(schema, 'dependentRequired');
  const conditions: Json[] = [
    ...(dependent === undefined ? [] : [dependent]),
    ...(required === undefined ? [] : [{ required }]),
  ].map((condition) => ({ if: { not: { required: [PROTO] } }, else: condition }));
  if (conditions.length > 0) {
    schema['allOf'] = [...(Array.isArray(schema['allOf']) ? schema['allOf'] : []), ...conditions];
  }
  return schema;
}

function takeProto(schema: JsonObject, keyword: string): Json | undefined {
  const map = schema[keyword];
  if (!isJsonObject(map) || !Object.hasOwn(map, PROTO)) return undefined;
  schema[keyword] = Object.fromEntries(Object.entries(map).filter(([name]) => name !== PROTO));
  return map[PROTO];
}
