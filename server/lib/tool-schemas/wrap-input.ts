// An input that is no plain object becomes a member of one: providers take no union and no value of another type as the
// arguments of a tool.
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { typeOf } from './repair-schema.ts';
import { combined, mapSchemas, propertyNames, referenceOf, referenceTokens, referred } from './walk.ts';

const REFUSED_AT_TOP = ['anyOf', 'oneOf', 'allOf', 'not', 'enum', 'const'];
const NAMES = ['input', 'arguments', 'value', 'payload'];

/** A schema whose root is a reference, with what the reference names in its place. */
export function withRoot(schema: JsonObject): JsonObject {
  let root = schema;
  for (let steps = 0; root['$ref'] !== undefined && steps < 8; steps += 1) {
    const { $ref, ...others } = root;
    root = combined(others, referred(schema, $ref) ?? {});
  }
  const { $ref: _endless, ...plain } = root;
  return plain;
}

/** Whether the arguments may be an object at all. */
export function mayBeObject(schema: JsonObject): boolean {
  const types = typeOf(schema);
  return types.length === 0 || types.includes('object');
}

/** The keyword at the top for which the schema is wrapped; undefined if it is an object without any. */
export function refusedAtTop(schema: JsonObject): string | undefined {
  if (!mayBeObject(schema)) return 'type';
  return REFUSED_AT_TOP.find((keyword) => schema[keyword] !== undefined);
}

/** The name of the member, which no property of the schema has. */
export function wrapperName(schema: JsonObject): string {
  const own = propertyNames(schema);
  return NAMES.find((name) => !own.has(name)) ?? 'the_input';
}

/** A schema that stands at this path of another one, with its references adapted. */
export function movedSchema(schema: JsonObject, path: readonly string[]): JsonObject {
  const tokens = referenceTokens(schema['$ref']);
  const moved = tokens === undefined ? schema : { ...schema, $ref: referenceOf([...path, ...tokens]) };
  return mapSchemas(moved, (inner) => movedSchema(inner, path));
}

/** The schema as a member of an object. */
export function wrapped(schema: JsonObject, name: string): JsonObject {
  const properties = { [name]: movedSchema(schema, ['properties', name]) };
  return { type: 'object', properties, required: [name], additionalProperties: false };
}

/** The input in arguments that have it as a member, or as text in that member, or that are the input themselves. */
export function unwrapped(args: Json, name: string): Json {
  if (!isJsonObject(args) || !Object.hasOwn(args, name)) return args;
  const { [name]: member = null, ...others } = args;
  const input = typeof member === 'string' ? objectIn(member) : member;
  if (Object.keys(others).length === 0) return input;
  return isJsonObject(input) ? { ...others, ...input } : args;
}

function objectIn(text: string): Json {
  try {
    const value = JSON.parse(text) as Json;
    return isJsonObject(value) ? value : text;
  } catch {
    return text;
  }
}
