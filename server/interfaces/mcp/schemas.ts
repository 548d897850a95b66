// The schemas of tools. Input schemas are what agents write by. The output of an operation is only declared as an object,
// to save space in the agent's context: its description says what it returns.
import type { TSchema } from 'typebox';
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { type AdaptedSchema, adaptSchema, COMMON_RULES, movedSchema } from '../../lib/tool-schemas/index.ts';
import { type Operation, PAGE_FIELDS } from '../../operations/index.ts';
import { type Endpoint, givenPath } from './endpoint.ts';

export interface ObjectSchema extends JsonObject {
  type: 'object';
}

/** The output of every operation. */
export const ANY_OBJECT: ObjectSchema = { type: 'object' };

/**
 * Path parameters and fields as the members of one object. Path parameters are not described: most tools have the same
 * ones, and each is named for what it is. Nor are the fields of pages, which the guide `start` explains, and the members of fields
 * that another guide describes. The types of definitions are only listed where the definition is not named: one that exists is
 * named as it was listed.
 */
export function inputSchema(endpoint: Endpoint, { path, fields, forAgents }: Operation): ObjectSchema {
  const [inPath, inFields] = [plain(path), plain(fields)];
  const given = Object.keys(givenPath(endpoint));
  const isFilter = ['name', 'function'].some((name) => Object.hasOwn(membersOf(inFields), name));
  const members = [
    ...Object.entries(membersOf(inPath)).map(([name, member]) => {
      const isListed = name !== 'type' || !Object.hasOwn(membersOf(inPath), 'name');
      return [name, isListed ? withoutDescription(member) : { type: 'string' }] as const;
    }),
    ...Object.entries(membersOf(inFields)).map(([name, member]) => {
      if (Object.hasOwn(PAGE_FIELDS, name)) return [name, withoutDescription(member)] as const;
      if (name === 'type' && isFilter) return [name, { type: 'string' }] as const;
      const light = lightened(member);
      return [name, forAgents.guide === undefined ? light : withoutDescriptionsInside(light)] as const;
    }),
  ];
  const required = [...requiredOf(inPath), ...requiredOf(inFields)].filter((name) => !given.includes(name));
  return {
    type: 'object',
    properties: Object.fromEntries(members.filter(([name]) => !given.includes(name))),
    ...(required.length === 0 ? {} : { required }),
  };
}

/** How a definition's tool takes its input. */
export interface DefinitionInput {
  schema: ObjectSchema;
  /** The argument that contains the input; undefined if the arguments are the input. */
  wrapper?: string;
  /** Absent if the definition takes any value. */
  adapted?: AdaptedSchema;
}

/**
 * The arguments of a definition's tool, in a form that the model providers behind clients take. An input that may be
 * something other than an object, or is one of several objects, is the argument `input`.
 * @param schema the input schema; undefined if the definition takes any value
 */
export function definitionInput(schema: JsonObject | undefined): DefinitionInput {
  const adapted = schema === undefined ? undefined : adaptSchema(schema, COMMON_RULES);
  if (adapted === undefined) {
    const input = { description: 'The input of the definition: any JSON value. Default: {}.' };
    return { schema: { type: 'object', properties: { input }, additionalProperties: false }, wrapper: 'input' };
  }
  const { wrapper } = adapted;
  return {
    schema: { ...adapted.schema, type: 'object' },
    adapted,
    ...(wrapper === undefined ? {} : { wrapper: wrapper.name }),
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
    ? { anyOf: [movedSchema(plainSchema, ['properties', 'output', 'anyOf', '0']), { description: 'Another outcome.' }] }
    : movedSchema(plainSchema, ['properties', 'output']);
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

function withoutDescription(member: Json): Json {
  const { description: _description, ...rest } = asSchema(lightened(member));
  return rest;
}

function withoutDescriptionsInside(member: Json): Json {
  const { properties, ...rest } = asSchema(member);
  if (!isJsonObject(properties)) return member;
  const inner = Object.entries(properties).map(([name, one]) => [name, withoutDescription(one)] as const);
  return { ...rest, properties: Object.fromEntries(inner) };
}

/** Longer patterns are left out: the description says what they do. */
const MOST_PATTERN_CHARACTERS = 40;
/** Bounds that calls rarely exceed, examples, and what is an addition to the contract. */
const UNTOLD = ['minLength', 'maxLength', 'maxItems', 'maxProperties', 'examples', 'x-addition'];

/** The schema without what agents do not write by: the error of a call that breaks such a rule states it. */
export function lightened(schema: Json): Json {
  if (Array.isArray(schema)) return schema.map(lightened);
  if (!isJsonObject(schema)) return schema;
  const { patternProperties, ...others } = schema;
  // Members of any name are clearer as additional ones.
  const anyName = isJsonObject(patternProperties) ? patternProperties['^.*$'] : undefined;
  const whole = anyName === undefined ? schema : { ...others, additionalProperties: anyName };
  const kept = Object.entries(whole).filter(
    ([keyword, value]) =>
      !UNTOLD.includes(keyword) &&
      !(keyword === 'pattern' && isLong(value)) &&
      // The error of a call with an unknown member names the known ones.
      !(keyword === 'additionalProperties' && value === false),
  );
  return Object.fromEntries(kept.map(([keyword, value]) => [keyword, lightened(value)]));
}

function isLong(pattern: Json): boolean {
  return typeof pattern === 'string' && pattern.length > MOST_PATTERN_CHARACTERS;
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
