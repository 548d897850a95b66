// The keywords of JSON Schema 2020-12, by what they hold.

/** One schema. */
export const SCHEMAS: ReadonlySet<string> = new Set([
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'items',
  'unevaluatedItems',
  'contains',
  'not',
  'if',
  'then',
  'else',
  'contentSchema',
]);

/** Schemas by name. */
export const MAPS_OF_SCHEMAS: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  '$defs',
  // Its older name, which the metaschema still takes.
  'definitions',
]);

/** Schemas in order. */
export const LISTS_OF_SCHEMAS: ReadonlySet<string> = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems']);

/** Schemas that look at the very value that their holder looks at. */
export const IN_PLACE: ReadonlySet<string> = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'not',
  'if',
  'then',
  'else',
  'dependentSchemas',
]);

const OTHERS = [
  '$schema',
  '$id',
  '$ref',
  '$comment',
  '$anchor',
  '$dynamicAnchor',
  '$dynamicRef',
  '$vocabulary',
  'type',
  'enum',
  'const',
  'multipleOf',
  'maximum',
  'exclusiveMaximum',
  'minimum',
  'exclusiveMinimum',
  'maxLength',
  'minLength',
  'pattern',
  'maxItems',
  'minItems',
  'uniqueItems',
  'maxContains',
  'minContains',
  'maxProperties',
  'minProperties',
  'required',
  'dependentRequired',
  'format',
  'title',
  'description',
  'default',
  'deprecated',
  'readOnly',
  'writeOnly',
  'examples',
  'contentEncoding',
  'contentMediaType',
];

export const KNOWN_KEYWORDS: ReadonlySet<string> = new Set([
  ...SCHEMAS,
  ...MAPS_OF_SCHEMAS,
  ...LISTS_OF_SCHEMAS,
  ...OTHERS,
]);
