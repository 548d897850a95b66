// The part of JSON Schema that Gemini takes, as it documents it for `parametersJsonSchema`. Other keywords are left out: they
// narrow what a model may write, and the tool's server checks its arguments itself.
import { isJsonObject, type JsonObject } from '../../../shared/json.ts';
import { typeOf } from './repair-schema.ts';
import { combined, mapSchemas } from './walk.ts';

const TAKEN = new Set([
  'type',
  'format',
  'title',
  'description',
  'enum',
  'items',
  'prefixItems',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
  'anyOf',
  'properties',
  'additionalProperties',
  'required',
]);
const FORMATS = new Set(['date-time', 'date', 'time']);

export function subsetOf(schema: JsonObject): JsonObject {
  const merged = withoutUnionBeside(withEnum(withAnyOf(withAllOf(schema))));
  const kept = Object.fromEntries(Object.entries(merged).filter(([keyword]) => TAKEN.has(keyword)));
  // The patterns are left out, so that the properties that they name are additional ones.
  if (merged['patternProperties'] !== undefined) delete kept['additionalProperties'];
  if (typeof kept['format'] === 'string' && !FORMATS.has(kept['format'])) delete kept['format'];
  const { required, properties } = kept;
  if (Array.isArray(required)) {
    const known = required.filter((name) => isJsonObject(properties) && Object.hasOwn(properties, String(name)));
    if (known.length === 0) delete kept['required'];
    else kept['required'] = known;
  }
  return mapSchemas(kept, subsetOf);
}

/** All members of `allOf` in one schema; of two that say the same, the first counts. */
function withAllOf({ allOf, ...schema }: JsonObject): JsonObject {
  if (!Array.isArray(allOf)) return schema;
  return allOf.filter(isJsonObject).map(withAllOf).reduce(combined, schema);
}

/** Alternatives under one name, several types included. */
function withAnyOf({ oneOf, ...schema }: JsonObject): JsonObject {
  if (schema['anyOf'] === undefined && oneOf !== undefined) return { ...schema, anyOf: oneOf };
  const types = typeOf(schema).filter((type) => type !== 'null');
  if (types.length < 2 || schema['anyOf'] !== undefined) return schema;
  const { type: _types, ...others } = schema;
  return { ...others, anyOf: typeOf(schema).map((type) => ({ ...others, type })) };
}

/** Texts that are not empty, and numbers; values of several types are alternatives. */
function withEnum({ const: only, ...schema }: JsonObject): JsonObject {
  const values = schema['enum'] ?? (only === undefined ? undefined : [only]);
  if (!Array.isArray(values)) return schema;
  const { enum: _values, type: declared, ...others } = schema;
  const texts = values.filter((value) => typeof value === 'string' && value !== '');
  const numbers = values.filter((value) => typeof value === 'number');
  const numberType = typeOf(schema).includes('integer') ? 'integer' : 'number';
  const forms: JsonObject[] = [
    ...(texts.length === 0 ? [] : [{ type: 'string', enum: texts }]),
    ...(numbers.length === 0 ? [] : [{ type: numberType, enum: numbers }]),
    ...(values.some((value) => typeof value === 'boolean') ? [{ type: 'boolean' }] : []),
    ...(values.includes(null) ? [{ type: 'null' }] : []),
  ];
  const [form, another] = forms;
  if (form === undefined || values.some((value) => typeof value === 'object' && value !== null)) {
    return declared === undefined ? others : { ...others, type: declared };
  }
  return another === undefined ? { ...others, ...form } : { ...others, anyOf: forms };
}

/** Beside alternatives only words may stand; alternatives beside properties are mostly about which of them are required. */
function withoutUnionBeside({ anyOf, ...schema }: JsonObject): JsonObject {
  if (!Array.isArray(anyOf)) return schema;
  if (schema['properties'] !== undefined) return schema;
  const { title, description } = schema;
  return { ...(title === undefined ? {} : { title }), ...(description === undefined ? {} : { description }), anyOf };
}
