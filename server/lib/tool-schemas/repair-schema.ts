// Makes a schema valid by JSON Schema 2020-12, which providers check before a request: servers write older drafts, OpenAPI and
// mistakes. What a provider would refuse is rewritten, or left out where it means nothing.
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { mapSchemas, referenceOf, referred, schemasIn } from './walk.ts';

const TYPES = new Set(['null', 'boolean', 'object', 'array', 'number', 'string', 'integer']);
/** Names that servers write for types. */
const OTHER_TYPES: ReadonlyMap<string, string> = new Map([
  ['int', 'integer'],
  ['long', 'integer'],
  ['float', 'number'],
  ['double', 'number'],
  ['decimal', 'number'],
  ['bool', 'boolean'],
  ['str', 'string'],
  ['text', 'string'],
  ['file', 'string'],
  ['date', 'string'],
  ['dict', 'object'],
  ['map', 'object'],
  ['list', 'array'],
  ['tuple', 'array'],
  ['none', 'null'],
]);
const NUMBERS = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum'];
const COUNTS = [
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minContains',
  'maxContains',
  'minProperties',
  'maxProperties',
];
const TEXTS = ['title', 'description', 'format', 'pattern', '$comment', 'contentEncoding', 'contentMediaType'];
const SCHEMA_OR_BOOLEAN = [
  'additionalProperties',
  'unevaluatedProperties',
  'unevaluatedItems',
  'propertyNames',
  'contains',
  'not',
  'if',
  'then',
  'else',
  'contentSchema',
];
const BOOLEANS = ['uniqueItems', 'deprecated', 'readOnly', 'writeOnly'];
const LISTS = ['anyOf', 'oneOf', 'allOf', 'prefixItems', 'examples', 'enum'];
const MAPS = ['properties', 'patternProperties', 'dependentSchemas', 'dependentRequired', '$defs', 'definitions'];
const NOT_SENT = [
  '$schema',
  '$id',
  'id',
  '$anchor',
  '$dynamicAnchor',
  '$dynamicRef',
  '$recursiveRef',
  '$recursiveAnchor',
  '$vocabulary',
];
const EXCLUSIVE = [
  ['exclusiveMinimum', 'minimum'],
  ['exclusiveMaximum', 'maximum'],
] as const;

export function repaired(root: JsonObject): JsonObject {
  const names = namedSchemas(root);
  const repairOne = (schema: JsonObject): JsonObject => {
    const kept = withTuple(withDependencies(withExclusive({ ...schema })));
    repairReference(kept, names);
    removeInvalid(kept);
    repairType(kept);
    repairRequired(kept, schema);
    repairMembers(kept);
    removeInvalidMembers(kept);
    if (typeOf(kept).includes('array') && !isJsonObject(kept['items']) && kept['items'] !== false) kept['items'] = {};
    return mapSchemas(kept, repairOne);
  };
  const whole = repairOne(root);
  const withoutLost = ({ $ref, ...others }: JsonObject): JsonObject => {
    const isLost = $ref === undefined || referred(whole, $ref) === undefined;
    return mapSchemas(isLost ? others : { $ref, ...others }, withoutLost);
  };
  return withoutLost(whole);
}

/** A reference by a name (`$id`, `$anchor`) or to an item of an older draft becomes one by the path in the document. */
function repairReference(schema: JsonObject, names: ReadonlyMap<string, string>): void {
  const { $ref } = schema;
  if (typeof $ref !== 'string') return;
  const [document = '', pointer = ''] = $ref.split('#');
  const isPointer = pointer.startsWith('/');
  const at = isPointer ? names.get(document) : names.get($ref.replace(/#$/, ''));
  const whole = isPointer && at !== undefined ? `${at}${pointer}` : (at ?? $ref);
  schema['$ref'] = whole.replaceAll(/\/items\/(?=\d+(?:\/|$))/g, '/prefixItems/');
}

/** References to the schemas of a document that have names, by these. */
function namedSchemas(root: JsonObject): Map<string, string> {
  const names = new Map([['', '#']]);
  const visit = (schema: JsonObject, path: readonly string[]): void => {
    const { $id, id, $anchor } = schema;
    for (const name of [$id, id, typeof $anchor === 'string' ? `#${$anchor}` : undefined]) {
      if (typeof name !== 'string') continue;
      const plain = name.replace(/#$/, '');
      if (!names.has(plain)) names.set(plain, referenceOf(path));
    }
    for (const { inner, tokens } of schemasIn(schema)) visit(inner, [...path, ...tokens]);
  };
  visit(root, []);
  return names;
}

function removeInvalid(schema: JsonObject): void {
  const remove = (names: readonly string[], isValid: (value: Json) => boolean): void => {
    for (const name of names) {
      const value = schema[name];
      if (value !== undefined && !isValid(value)) delete schema[name];
    }
  };
  remove(NOT_SENT, () => false);
  remove(NUMBERS, (value) => Number.isFinite(value));
  remove(COUNTS, (value) => Number.isSafeInteger(value) && Number(value) >= 0);
  remove(['multipleOf'], (value) => Number.isFinite(value) && Number(value) > 0);
  remove(TEXTS, (value) => typeof value === 'string');
  remove(['$ref'], (value) => typeof value === 'string');
  remove(['pattern'], (value) => isCommonPattern(String(value)));
  remove(SCHEMA_OR_BOOLEAN, (value) => isJsonObject(value) || typeof value === 'boolean');
  remove(LISTS, (value) => Array.isArray(value) && value.length > 0);
  remove(MAPS, isJsonObject);
  remove(BOOLEANS, (value) => typeof value === 'boolean');
  remove(['items'], (value) => isJsonObject(value) || typeof value === 'boolean');
}

/** Whether Python, Go and JavaScript read the pattern alike: providers compile it in languages of their own. */
function isCommonPattern(pattern: string): boolean {
  if (/\\[pPuck]|\(\?(?!:)|\[\^?\]/.test(pattern)) return false;
  try {
    return new RegExp(pattern) instanceof RegExp;
  } catch {
    return false;
  }
}

/** Draft 4: a boolean beside the limit. */
function withExclusive(schema: JsonObject): JsonObject {
  for (const [exclusive, limit] of EXCLUSIVE) {
    if (typeof schema[exclusive] !== 'boolean') continue;
    const value = schema[limit];
    const isExclusive = schema[exclusive];
    delete schema[exclusive];
    if (!isExclusive || typeof value !== 'number') continue;
    schema[exclusive] = value;
    delete schema[limit];
  }
  return schema;
}

/** Draft 7: dependencies of both kinds in one map. */
function withDependencies({ dependencies, ...schema }: JsonObject): JsonObject {
  if (!isJsonObject(dependencies)) return schema;
  const entries = Object.entries(dependencies);
  const lists = entries.filter(([, value]) => Array.isArray(value));
  const schemas = entries.filter(([, value]) => isJsonObject(value));
  return {
    ...schema,
    ...(lists.length === 0 ? {} : { dependentRequired: Object.fromEntries(lists) }),
    ...(schemas.length === 0 ? {} : { dependentSchemas: Object.fromEntries(schemas) }),
  };
}

/** Before 2020-12: a list of items, and the rest under another name. */
function withTuple({ additionalItems, ...schema }: JsonObject): JsonObject {
  if (!Array.isArray(schema['items'])) return schema;
  const { items, ...others } = schema;
  return { ...others, prefixItems: items ?? [], items: additionalItems ?? {} };
}

function repairType(schema: JsonObject): void {
  if (schema['type'] === undefined) return;
  const types = [...new Set([schema['type']].flat().flatMap(typeNamed))];
  const [first, second] = types;
  if (first === undefined) delete schema['type'];
  else schema['type'] = second === undefined ? first : types;
}

function typeNamed(type: Json): string[] {
  if (typeof type !== 'string') return [];
  const name = type.toLowerCase();
  if (TYPES.has(name)) return [name];
  const meant = OTHER_TYPES.get(name);
  return meant === undefined ? [] : [meant];
}

export function typeOf({ type }: JsonObject): readonly Json[] {
  return type === undefined ? [] : [type].flat();
}

/** Draft 3, and many servers: `required: true` in the property itself. */
function repairRequired(schema: JsonObject, original: JsonObject): void {
  const { required } = original;
  const listed = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
  const properties = isJsonObject(schema['properties']) ? Object.entries(schema['properties']) : [];
  const marked = properties.filter(([, one]) => isJsonObject(one) && one['required'] === true).map(([name]) => name);
  const names = [...new Set([...listed, ...marked])];
  if (names.length === 0) delete schema['required'];
  else schema['required'] = names;
}

function removeInvalidMembers(schema: JsonObject): void {
  const { dependentRequired, dependentSchemas, enum: values } = schema;
  if (Array.isArray(values)) schema['enum'] = uniqueValues(values);
  if (isJsonObject(dependentSchemas)) {
    const kept = Object.entries(dependentSchemas).filter(([, one]) => isJsonObject(one) || typeof one === 'boolean');
    schema['dependentSchemas'] = Object.fromEntries(kept);
  }
  if (isJsonObject(dependentRequired)) {
    const lists = Object.entries(dependentRequired).filter(([, list]) => Array.isArray(list));
    const names = (list: Json): string[] => [...new Set([list].flat().filter((name) => typeof name === 'string'))];
    schema['dependentRequired'] = Object.fromEntries(lists.map(([name, list]) => [name, names(list)]));
  }
}

function uniqueValues(values: readonly Json[]): Json[] {
  return [...new Map(values.map((value) => [JSON.stringify(value), value])).values()];
}

/** Schemas that are `true` become objects, for servers that know no others; members that may not exist are left out. */
function repairMembers(schema: JsonObject): void {
  for (const name of ['properties', '$defs', 'definitions', 'patternProperties']) {
    const members = schema[name];
    if (!isJsonObject(members)) continue;
    const isKept = (key: string, value: Json): boolean =>
      (isJsonObject(value) || value === true) && (name !== 'patternProperties' || isCommonPattern(key));
    const kept = Object.entries(members).filter(([key, value]) => isKept(key, value));
    schema[name] = Object.fromEntries(kept.map(([key, value]) => [key, value === true ? {} : value]));
    const { required } = schema;
    if (name !== 'properties' || !Array.isArray(required) || kept.length === Object.keys(members).length) continue;
    schema['required'] = required.filter(
      (key) => !Object.hasOwn(members, String(key)) || kept.some(([one]) => one === key),
    );
  }
  for (const name of ['anyOf', 'oneOf', 'allOf', 'prefixItems']) {
    const list = schema[name];
    if (Array.isArray(list))
      schema[name] = list.map((value) => (isJsonObject(value) ? value : value === false ? { not: {} } : {}));
  }
  if (schema['items'] === true) schema['items'] = {};
}
