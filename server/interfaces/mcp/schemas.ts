// The schemas of tools. Input schemas are complete, because agents write by them. Output schemas only list members, to
// save space in the agent's context.
import type { TSchema } from 'typebox';
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import type { Operation } from '../../operations/index.ts';
import { type Endpoint, givenPath } from './endpoint.ts';

export interface ObjectSchema extends JsonObject {
  type: 'object';
}

/** Path parameters and fields as the members of one object. */
export function inputSchema(endpoint: Endpoint, { path, fields }: Operation): ObjectSchema {
  const [inPath, inFields] = [plain(path), plain(fields)];
  const given = Object.keys(givenPath(endpoint));
  const members = Object.entries({ ...membersOf(inPath), ...membersOf(inFields) });
  const required = [...requiredOf(inPath), ...requiredOf(inFields)].filter((name) => !given.includes(name));
  return {
    type: 'object',
    properties: Object.fromEntries(
      members.filter(([name]) => !given.includes(name)).map(([name, member]) => [name, withoutMarks(member)]),
    ),
    ...(required.length === 0 ? {} : { required }),
    additionalProperties: false,
  };
}

/** An output with more members than this is not a list with its cursor. */
const MOST_BESIDE_A_LIST = 4;

/**
 * The members of an output, and those of its entries if it is a list. None is required, because a value that is too large
 * is replaced by a link.
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

/** Longer enumerations are left out; they are documented elsewhere. */
const MOST_TEXTS = 4;
/** Most members are texts: what has no type may be one. */
const TEXT: JsonObject = {};

function kindOf(schema: JsonObject): JsonObject {
  const types = unionTypes(schema);
  // Not a list of types: some clients convert the schema to a dialect without such lists.
  if (types !== undefined) return types.length === 0 ? {} : { anyOf: types.map((type) => ({ type })) };
  const { type, enum: texts } = schema;
  if (Array.isArray(texts)) return texts.length > MOST_TEXTS ? TEXT : { enum: texts };
  return type === undefined || type === 'string' ? TEXT : { type };
}

/** The types of a union of plain types; empty for other unions. */
function unionTypes({ anyOf }: JsonObject): string[] | undefined {
  if (!Array.isArray(anyOf)) return undefined;
  const types = anyOf.map((branch) => (isJsonObject(branch) ? branch['type'] : undefined));
  return types.every((type) => typeof type === 'string') ? [...new Set(types)] : [];
}

/**
 * The arguments of a definition's tool. An input that may be something other than an object is the argument `input`.
 * @param schema the input schema; undefined if the definition takes any value
 */
export function definitionInput(schema: JsonObject | undefined): { schema: ObjectSchema; isWrapped: boolean } {
  if (schema?.['type'] === 'object') return { schema: { ...schema, type: 'object' }, isWrapped: false };
  if (schema === undefined) {
    const input = { description: 'The input of the definition: any JSON value. Default: {}.' };
    return { schema: { type: 'object', properties: { input }, additionalProperties: false }, isWrapped: true };
  }
  const input = moved(schema, '/properties/input');
  return {
    schema: { type: 'object', properties: { input }, required: ['input'], additionalProperties: false },
    isWrapped: true,
  };
}

/**
 * The result of a definition's tool. None of its own members is required: a large output is replaced by a link, and a run
 * that waits has none.
 * @param schema the output schema; undefined if the definition returns any value
 * @param hasOthers whether a run may succeed with another output
 */
export function definitionOutput(schema: JsonObject | undefined, hasOthers: boolean): ObjectSchema {
  // Clients compile the schemas of all tools together, where an `$id` must be unique.
  const own = schema === undefined || JSON.stringify(schema).includes('"$id":') ? undefined : schema;
  const { $schema: _dialect, ...plainSchema } = own ?? {};
  const output = hasOthers
    ? { anyOf: [moved(plainSchema, '/properties/output/anyOf/0'), { description: 'Another outcome.' }] }
    : moved(plainSchema, '/properties/output');
  return {
    type: 'object',
    properties: {
      run_id: { type: 'string', format: 'uuid' },
      status: { enum: ['succeeded', 'started'] },
      output: own === undefined ? {} : output,
    },
    required: ['run_id', 'status'],
  };
}

/** Keywords whose value is a schema, a list of schemas, or schemas by name. Other values are copied. */
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

/** Moves a schema within a document, with its internal references adapted. */
function moved(schema: Json, by: string): Json {
  if (!isJsonObject(schema)) return schema;
  // References in a schema with an `$id` are relative to that `$id`.
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

/** Agents need not know what is an addition to the contract. */
function withoutMarks(member: Json): Json {
  const { 'x-addition': _mark, ...rest } = asSchema(member);
  return rest;
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
