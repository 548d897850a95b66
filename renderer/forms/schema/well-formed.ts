// What stands in a schema in the place of something else is left out: the checks of a form expect none of it.
import { isJsonObject, type Json } from '../../../shared/json.ts';

const isSchema = (value: Json): boolean => typeof value === 'boolean' || isJsonObject(value);
const isNumber = (value: Json): boolean => typeof value === 'number';
const isText = (value: Json): boolean => typeof value === 'string';
const areTexts = (value: Json): boolean => Array.isArray(value) && value.every(isText);

const KEYWORDS: readonly (readonly [isRight: (value: Json) => boolean, keywords: readonly string[]])[] = [
  [isSchema, ['not', 'if', 'then', 'else', 'contains', 'unevaluatedItems', 'additionalItems']],
  [isSchema, ['propertyNames', 'additionalProperties', 'unevaluatedProperties']],
  [(value) => isSchema(value) || Array.isArray(value), ['items']],
  [Array.isArray, ['allOf', 'anyOf', 'oneOf', 'prefixItems', 'enum', 'examples']],
  [isJsonObject, ['properties', 'patternProperties', 'dependentSchemas', 'dependencies', '$defs', 'definitions']],
  [(value) => isJsonObject(value) && Object.values(value).every(areTexts), ['dependentRequired']],
  [areTexts, ['required']],
  [isNumber, ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf', 'minLength', 'maxLength']],
  [isNumber, ['minItems', 'maxItems', 'minContains', 'maxContains', 'minProperties', 'maxProperties']],
  [isText, ['$ref', '$schema', 'format', 'title', 'description']],
  [(value) => typeof value === 'boolean', ['uniqueItems']],
  [(value) => isText(value) || areTexts(value), ['type']],
];

const RIGHT: ReadonlyMap<string, (value: Json) => boolean> = new Map(
  KEYWORDS.flatMap(([isRight, keywords]) => keywords.map((keyword) => [keyword, isRight])),
);

const LISTS_OF_SCHEMAS = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems', 'items']);
const MAPS_OF_SCHEMAS = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs', 'definitions']);

export function isWellFormed(keyword: string, value: Json): boolean {
  return RIGHT.get(keyword)?.(value) ?? true;
}

/** The value of a keyword, in which everything that should be a schema is one. */
export function wellFormed(keyword: string, value: Json): Json {
  const schema = (one: Json): Json => (isSchema(one) ? one : true);
  if (LISTS_OF_SCHEMAS.has(keyword) && Array.isArray(value)) return value.map(schema);
  if (!isJsonObject(value)) return value;
  const entries = Object.entries(value);
  if (MAPS_OF_SCHEMAS.has(keyword)) return Object.fromEntries(entries.map(([name, one]) => [name, schema(one)]));
  if (keyword !== 'dependencies') return value;
  return Object.fromEntries(entries.map(([name, one]) => [name, areTexts(one) ? one : schema(one)]));
}
