// The schemas of tools. Input schemas are whole, since agents write by them. Output schemas say no more than what is
// where: everything in them stands in an agent's context, and what an answer holds explains itself.
import type { TSchema } from 'typebox';
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import type { Operation } from '../../operations/index.ts';
import { type Endpoint, givenPath } from './endpoint.ts';

export interface ObjectSchema extends JsonObject {
  type: 'object';
}

/** Path and fields as the members of one object. */
export function inputSchema(endpoint: Endpoint, { path, fields }: Operation): ObjectSchema {
  const [inPath, inFields] = [plain(path), plain(fields)];
  const given = Object.keys(givenPath(endpoint));
  const members = Object.entries({ ...membersOf(inPath), ...membersOf(inFields) });
  const required = [...requiredOf(inPath), ...requiredOf(inFields)].filter((name) => !given.includes(name));
  return {
    type: 'object',
    properties: Object.fromEntries(members.filter(([name]) => !given.includes(name))),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

/** An answer of more members than these is not a list with what belongs to it. */
const MOST_BESIDE_A_LIST = 4;

/**
 * What an answer holds: its members, and those of the entries where the answer is a list. None is required: one that is
 * too large to be shown is a link instead.
 */
export function outputSchema(schema: TSchema): ObjectSchema {
  const answer = plain(schema);
  const given = Object.entries(membersOf(answer));
  const isList = given.length <= MOST_BESIDE_A_LIST;
  const members = given.map(([name, member]) => [name, isList ? outlined(asSchema(member)) : kindOf(asSchema(member))]);
  return { type: 'object', properties: Object.fromEntries(members) };
}

function outlined(schema: JsonObject): JsonObject {
  const { items } = schema;
  if (!isJsonObject(items)) return kindOf(schema);
  const members = Object.entries(membersOf(items)).map(([name, member]) => [name, kindOf(asSchema(member))]);
  if (members.length === 0) return { type: 'array', items: kindOf(items) };
  return { type: 'array', items: { type: 'object', properties: Object.fromEntries(members) } };
}

/** More texts than these, and what they may be stands elsewhere too. */
const MOST_TEXTS = 4;

function kindOf(schema: JsonObject): JsonObject {
  const types = unionTypes(schema);
  // Not a list of types: some clients hand a schema on in a dialect that has none.
  if (types !== undefined) return types.length === 0 ? {} : { anyOf: types.map((type) => ({ type })) };
  const { type, enum: texts } = schema;
  if (Array.isArray(texts)) return texts.length > MOST_TEXTS ? { type: 'string' } : { enum: texts };
  return type === undefined ? {} : { type };
}

/** A union of plain types; none where it is of others. */
function unionTypes({ anyOf }: JsonObject): string[] | undefined {
  if (!Array.isArray(anyOf)) return undefined;
  const types = anyOf.map((branch) => (isJsonObject(branch) ? branch['type'] : undefined));
  return types.every((type) => typeof type === 'string') ? [...new Set(types)] : [];
}

/**
 * The arguments of a definition that is a tool of its own. An input that need not be an object stands under `input`.
 * @param schema the definition's own; undefined where it takes any value
 */
export function definitionInput(schema: JsonObject | undefined): { schema: ObjectSchema; isWrapped: boolean } {
  if (schema?.['type'] === 'object') return { schema: { ...schema, type: 'object' }, isWrapped: false };
  if (schema === undefined) {
    const input = { description: 'What the definition works on: any JSON value; {} when absent.' };
    return { schema: { type: 'object', properties: { input }, additionalProperties: false }, isWrapped: true };
  }
  const input = moved(schema, '/properties/input');
  return {
    schema: { type: 'object', properties: { input }, required: ['input'], additionalProperties: false },
    isWrapped: true,
  };
}

/** Keywords whose value is a schema, a list of schemas, or schemas by name. Anything else is data and stays. */
const OF_SCHEMA = [
  'additionalProperties',
  'contains',
  'contentSchema',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
];
const OF_LIST = ['allOf', 'anyOf', 'oneOf', 'prefixItems'];
const BY_NAME = ['$defs', 'definitions', 'dependentSchemas', 'patternProperties', 'properties'];

/** The schema at another place of a document: what it refers to within itself has moved with it. */
function moved(schema: Json, by: string): Json {
  if (!isJsonObject(schema)) return schema;
  // References of a schema with an id of its own are relative to that.
  if (typeof schema['$id'] === 'string') return schema;
  return Object.fromEntries(
    Object.entries(schema).map(([keyword, value]) => {
      if (keyword === '$ref' && typeof value === 'string' && /^#(\/|$)/.test(value)) {
        return [keyword, `#${by}${value.slice(1)}`];
      }
      if (OF_SCHEMA.includes(keyword)) return [keyword, moved(value, by)];
      if (OF_LIST.includes(keyword) && Array.isArray(value)) return [keyword, value.map((one) => moved(one, by))];
      if (BY_NAME.includes(keyword) && isJsonObject(value)) {
        return [keyword, Object.fromEntries(Object.entries(value).map(([name, one]) => [name, moved(one, by)]))];
      }
      return [keyword, value];
    }),
  );
}

function membersOf({ properties }: JsonObject): JsonObject {
  return isJsonObject(properties) ? properties : {};
}

function requiredOf({ required }: JsonObject): string[] {
  return Array.isArray(required) ? required.map(String) : [];
}

function asSchema(value: Json | undefined): JsonObject {
  return isJsonObject(value) ? value : {};
}

function plain(schema: TSchema): JsonObject {
  return JSON.parse(JSON.stringify(schema)) as JsonObject;
}
