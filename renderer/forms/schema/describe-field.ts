// From a schema and the current value to the field that edits it.
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import type { TimeFormat } from '../text/time-text.ts';
import { type SchemaChecks, schemaChecks } from './checks.ts';
import { effectiveSchema, mergedSchema } from './effective-schema.ts';
import { formSchema } from './form-schema.ts';
import { type Variant, variantsOf } from './variants.ts';

export interface ChoiceOption {
  value: Json;
  /** The title that the schema gives it. */
  title: string | undefined;
}

export type FieldShape =
  | { kind: 'constant'; value: Json }
  | { kind: 'choice'; options: readonly ChoiceOption[] }
  | { kind: 'choices'; options: readonly ChoiceOption[] }
  | { kind: 'flag' | 'number' | 'text' | 'null' | 'json' }
  | { kind: 'time'; format: TimeFormat }
  | ListShape
  | ObjectShape
  | { kind: 'variants'; variants: readonly Variant[] };

export interface ListShape {
  kind: 'list';
  /** The schemas of the first items, if each has its own. */
  first: readonly Json[];
  /** The schema of the other items; undefined if there are none. */
  others: Json | undefined;
}

export interface ObjectShape {
  kind: 'object';
  properties: ReadonlyMap<string, Json>;
  required: ReadonlySet<string>;
  /** The schema of other fields; false if there are none. */
  extras: Json;
  /** Whether other fields can be added in the form. */
  isOpen: boolean;
}

export interface DescribedField {
  /** The effective schema, without null. */
  schema: JsonObject;
  isNullable: boolean;
  shape: FieldShape;
}

/** The schema of a form with fields; undefined if the value is better written as JSON. */
export function formOf(schema: JsonObject): JsonObject | undefined {
  const root = formSchema(schema);
  if (root === undefined) return undefined;
  return describeField(root, undefined, schemaChecks(root)).shape.kind === 'json' ? undefined : root;
}

export function describeField(schema: Json | undefined, value: Json | undefined, checks: SchemaChecks): DescribedField {
  return described(effectiveSchema(schema, value, checks), value, checks);
}

function described(schema: JsonObject, value: Json | undefined, checks: SchemaChecks): DescribedField {
  const field = (shape: FieldShape): DescribedField => ({ schema, isNullable: false, shape });
  if (schema['const'] !== undefined) return field({ kind: 'constant', value: schema['const'] });
  const options = optionsOf(schema, value, checks);
  if (options !== undefined) return field({ kind: 'choice', options });
  for (const keyword of ['oneOf', 'anyOf']) {
    const found = alternativesOf(schema, keyword, value, checks);
    if (found !== undefined) return found;
  }
  const types = typesOf(schema);
  if (types.length > 1) {
    const others = types.filter((type) => type !== 'null');
    if (others.length < types.length) {
      const rest = described({ ...schema, type: others.length === 1 ? (others[0] ?? 'null') : others }, value, checks);
      return { ...rest, isNullable: true };
    }
    const variants = types.map((type): JsonObject => ({ ...schema, type }));
    return field({ kind: 'variants', variants: variantsOf(variants, checks) });
  }
  return field(shapeOfType(types[0] ?? impliedType(schema), schema, checks));
}

function typesOf({ type }: JsonObject): string[] {
  const types = (Array.isArray(type) ? type : [type]).filter((one) => typeof one === 'string');
  return types.includes('number') ? types.filter((one) => one !== 'integer') : types;
}

const IMPLIED: readonly [type: string, keywords: readonly string[]][] = [
  ['object', ['properties', 'additionalProperties', 'required', 'minProperties', 'maxProperties']],
  ['array', ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
  ['string', ['format', 'minLength', 'maxLength']],
];

/** The type that a schema without one is about. */
function impliedType(schema: JsonObject): string | undefined {
  return IMPLIED.find(([, keywords]) => keywords.some((keyword) => schema[keyword] !== undefined))?.[0];
}

const TIME_FORMATS: ReadonlySet<unknown> = new Set<TimeFormat>(['date', 'time', 'date-time']);

function shapeOfType(type: string | undefined, schema: JsonObject, checks: SchemaChecks): FieldShape {
  switch (type) {
    case 'boolean':
      return { kind: 'flag' };
    case 'number':
    case 'integer':
      return { kind: 'number' };
    case 'string':
      return TIME_FORMATS.has(schema['format'])
        ? { kind: 'time', format: schema['format'] as TimeFormat }
        : { kind: 'text' };
    case 'null':
      return { kind: 'null' };
    case 'array':
      return shapeOfList(schema, checks);
    case 'object':
      return shapeOfObject(schema);
    default:
      return { kind: 'json' };
  }
}

function shapeOfList(schema: JsonObject, checks: SchemaChecks): FieldShape {
  const { prefixItems, items } = schema;
  const first = Array.isArray(prefixItems) ? prefixItems : [];
  if (first.length === 0 && (items === undefined || items === true)) return { kind: 'json' };
  if (first.length === 0 && schema['uniqueItems'] === true) {
    const options = optionsOf(effectiveSchema(items, undefined, checks), undefined, checks);
    if (options !== undefined) return { kind: 'choices', options };
  }
  return {
    kind: 'list',
    first,
    others: items === false ? undefined : first.length > 0 && items === undefined ? undefined : items,
  };
}

function shapeOfObject(schema: JsonObject): FieldShape {
  const { properties = {}, additionalProperties = true, required } = schema;
  const names = Array.isArray(required) ? required.map(String) : [];
  const known = new Map(Object.entries(isJsonObject(properties) ? properties : {}));
  for (const name of names)
    if (!known.has(name) && additionalProperties !== false) known.set(name, additionalProperties);
  const isStated = schema['additionalProperties'] !== undefined && additionalProperties !== false;
  if (known.size === 0 && !isStated) return { kind: 'json' };
  return {
    kind: 'object',
    properties: known,
    required: new Set(names),
    extras: additionalProperties,
    isOpen: isStated,
  };
}

/** The values among which a schema lets choose: of its `enum`, or of alternatives that are all constants. */
function optionsOf(schema: JsonObject, value: Json | undefined, checks: SchemaChecks): ChoiceOption[] | undefined {
  if (Array.isArray(schema['enum'])) return optionsOfEnum(schema);
  for (const keyword of ['oneOf', 'anyOf']) {
    const options = branchesOf(schema, keyword, value, checks).map(constantsOf);
    if (options.length === 0 || options.includes(undefined)) continue;
    const { [keyword]: _list, ...base } = schema;
    return options.flatMap((some) => some ?? []).filter((option) => checks.isValid(base, option.value));
  }
  return undefined;
}

/** The alternatives of a schema that a value can have. */
function branchesOf(schema: JsonObject, keyword: string, value: Json | undefined, checks: SchemaChecks): JsonObject[] {
  const list = schema[keyword];
  if (!Array.isArray(list)) return [];
  return list.filter((one) => one !== false).map((one) => effectiveSchema(one, value, checks));
}

function optionsOfEnum(schema: JsonObject): ChoiceOption[] {
  const types = typesOf(schema);
  const isTyped = (value: Json): boolean => types.length === 0 || types.some((type) => isOfType(value, type));
  return (schema['enum'] as Json[]).filter(isTyped).map((value) => ({ value, title: undefined }));
}

function isOfType(value: Json, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isJsonObject(value);
    case 'integer':
      return Number.isInteger(value);
    default:
      return typeof value === type;
  }
}

/** Keywords by which alternatives differ in what they look like, and not only in what they permit. */
const VISIBLE = ['type', 'properties', 'prefixItems', 'items', 'const', 'enum', 'oneOf', 'anyOf', 'format'];

/** `oneOf` or `anyOf` as a choice between forms; undefined if it only states a rule. */
function alternativesOf(
  schema: JsonObject,
  keyword: string,
  value: Json | undefined,
  checks: SchemaChecks,
): DescribedField | undefined {
  const { [keyword]: _list, ...base } = schema;
  const branches = branchesOf(schema, keyword, value, checks);
  const isVisible = (branch: JsonObject): boolean =>
    VISIBLE.some((name) => branch[name] !== undefined && (name !== 'type' || branch['type'] !== base['type']));
  if (!branches.some(isVisible)) return undefined;
  const others = branches.filter((branch) => branch['type'] !== 'null');
  const [only] = others;
  if (others.length < branches.length) {
    const rest = only !== undefined && others.length === 1 ? mergedSchema(base, only) : { ...base, [keyword]: others };
    return { ...described(rest, value ?? undefined, checks), isNullable: true };
  }
  const variants = others.map((branch) => ({ ...mergedSchema(base, branch), ...titleOf(branch) }));
  return { schema, isNullable: false, shape: { kind: 'variants', variants: variantsOf(variants, checks) } };
}

const titleOf = ({ title }: JsonObject): JsonObject => (typeof title === 'string' ? { title } : { title: '' });

/** The values that a branch permits, if it lists them. */
function constantsOf(branch: JsonObject): ChoiceOption[] | undefined {
  const title = typeof branch['title'] === 'string' ? branch['title'] : undefined;
  if (branch['const'] !== undefined) return [{ value: branch['const'], title }];
  if (Array.isArray(branch['enum'])) {
    return branch['enum'].map((value, _at, all) => ({ value, title: all.length === 1 ? title : undefined }));
  }
  return branch['type'] === 'null' ? [{ value: null, title }] : undefined;
}
