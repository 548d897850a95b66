// One schema of a document, without what stands below it, as JSON Schema 2020-12.
import { isJsonObject, type Json, type JsonObject } from '../../../../shared/json.ts';

/** Members that are OpenAPI's own, of the parameters of 2.0 too, which are their own schemas. */
const NOT_OF_SCHEMAS = new Set([
  'nullable',
  'discriminator',
  'xml',
  'externalDocs',
  'example',
  'in',
  'name',
  'collectionFormat',
  'allowEmptyValue',
  '$schema',
  '$id',
]);
const LIMITS = [
  ['exclusiveMinimum', 'minimum'],
  ['exclusiveMaximum', 'maximum'],
] as const;

/** Reads what 2.0 and 3.0 say otherwise than JSON Schema does; what is said as in JSON Schema stays. */
export function convertSchema(schema: JsonObject): JsonObject {
  const converted: JsonObject = Object.fromEntries(
    Object.entries(schema).filter(([name]) => !NOT_OF_SCHEMAS.has(name) && !name.startsWith('x-')),
  );
  for (const [exclusive, limit] of LIMITS) {
    if (typeof converted[exclusive] !== 'boolean') continue;
    if (converted[exclusive] && typeof converted[limit] === 'number') {
      converted[exclusive] = converted[limit];
      delete converted[limit];
    } else delete converted[exclusive];
  }
  // A parameter of 2.0 says with it that it must be given.
  if (!Array.isArray(converted['required'])) delete converted['required'];
  if (converted['type'] === 'file') converted['type'] = 'string';
  return schema['nullable'] === true ? nullable(converted) : converted;
}

function nullable(schema: JsonObject): JsonObject {
  const { type } = schema;
  if (typeof type !== 'string') return { anyOf: [schema, { type: 'null' }] };
  const values = schema['enum'];
  return {
    ...schema,
    type: [type, 'null'],
    ...(Array.isArray(values) && !values.includes(null) ? { enum: [...values, null] } : {}),
  };
}

const ONE = new Set([
  'items',
  'additionalItems',
  'additionalProperties',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contains',
  'propertyNames',
  'not',
  'if',
  'then',
  'else',
]);
const LISTS = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);
const NAMED = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas']);

/**
 * The schema with each schema directly in it replaced.
 * @param change also given the keyword under which the schema stands
 */
export function mapSchemas(schema: JsonObject, change: (inner: JsonObject, keyword: string) => JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(schema).map(([name, value]) => {
      const changed = (inner: Json): Json => (isJsonObject(inner) ? change(inner, name) : inner);
      if (ONE.has(name)) return [name, changed(value)];
      if (LISTS.has(name) && Array.isArray(value)) return [name, value.map(changed)];
      if (NAMED.has(name) && isJsonObject(value)) {
        return [name, Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, changed(inner)]))];
      }
      return [name, value];
    }),
  );
}
