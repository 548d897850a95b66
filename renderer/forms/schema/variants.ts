// Alternative forms of one value: which there are, and which of them a value has.
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import type { SchemaChecks } from './checks.ts';
import { effectiveSchema } from './effective-schema.ts';

export interface Variant {
  schema: JsonObject;
  title: string;
  /** The constant fields by which the variant is known. */
  tags: JsonObject;
}

const TYPE_TITLES: Readonly<Record<string, string>> = {
  string: 'Text',
  number: 'Number',
  integer: 'Whole number',
  boolean: 'Yes or no',
  array: 'List',
  object: 'Object',
};

/** @param schemas effective schemas */
export function variantsOf(schemas: readonly JsonObject[], checks: SchemaChecks): Variant[] {
  const constants = schemas.map((schema) => constantFields(schema, checks));
  const names = Object.keys(constants[0] ?? {});
  const tags = names.filter((name) => constants.every((fields) => Object.hasOwn(fields, name)));
  const types = schemas.map((schema) => String(schema['type'] ?? ''));
  return schemas.map((schema, at) => {
    const own = Object.fromEntries(tags.map((name) => [name, constants[at]?.[name] ?? null]));
    const type = types[at] ?? '';
    const isOnlyOfType = types.filter((one) => one === type).length === 1;
    const title =
      titleOf(schema) ??
      tagsTitle(own) ??
      (isOnlyOfType ? TYPE_TITLES[type] : requiredTitle(schema)) ??
      `Option ${at + 1}`;
    return { schema, title, tags: own };
  });
}

function titleOf({ title }: JsonObject): string | undefined {
  return typeof title === 'string' && title.trim() !== '' ? title : undefined;
}

function tagsTitle(tags: JsonObject): string | undefined {
  const values = Object.values(tags).map((value) => (typeof value === 'string' ? value : JSON.stringify(value)));
  return values.length === 0 ? undefined : values.join(', ');
}

function requiredTitle({ required }: JsonObject): string | undefined {
  return Array.isArray(required) && required.length > 0 ? `With ${required.slice(0, 3).join(', ')}` : undefined;
}

function constantFields({ properties }: JsonObject, checks: SchemaChecks): JsonObject {
  if (!isJsonObject(properties)) return {};
  const constants = Object.entries(properties).flatMap(([name, property]): [string, Json][] => {
    const { const: constant, enum: values } = effectiveSchema(property, undefined, checks);
    if (constant !== undefined) return [[name, constant]];
    return Array.isArray(values) && values.length === 1 ? [[name, values[0] ?? null]] : [];
  });
  return Object.fromEntries(constants);
}

/** The variant that a value has, or comes closest to; undefined if that cannot be decided. */
export function variantOf(
  variants: readonly Variant[],
  value: Json | undefined,
  checks: SchemaChecks,
): number | undefined {
  if (value === undefined) return undefined;
  const valid = variants.findIndex(({ schema }) => checks.isValid(schema, value));
  if (valid !== -1) return valid;
  const scores = variants.map((variant) => likeness(variant, value, checks));
  const best = Math.max(...scores);
  return best > 0 && scores.filter((score) => score === best).length === 1 ? scores.indexOf(best) : undefined;
}

/** How much of a value a variant knows. */
function likeness({ schema, tags }: Variant, value: Json, checks: SchemaChecks): number {
  const { type } = schema;
  if (type !== undefined && !checks.isValid({ type }, value)) return 0;
  if (!isJsonObject(value)) return type === undefined ? 0 : 1;
  const { properties } = schema;
  const known = isJsonObject(properties) ? Object.keys(value).filter((name) => Object.hasOwn(properties, name)) : [];
  const isTagged = Object.entries(tags).some(([name, tag]) => JSON.stringify(value[name]) === JSON.stringify(tag));
  return known.length + (isTagged ? 1000 : 0);
}

/** The value with which a variant starts: its tags, and of the value before what fits. */
export function switchedValue(
  { schema, tags }: Variant,
  before: Json | undefined,
  blank: Json | undefined,
  checks: SchemaChecks,
): Json | undefined {
  if (before !== undefined && Object.keys(tags).length === 0 && checks.isValid(schema, before)) return before;
  if (!isJsonObject(blank)) return Object.keys(tags).length === 0 ? blank : tags;
  const properties = isJsonObject(schema['properties']) ? schema['properties'] : {};
  const fitting = Object.entries(isJsonObject(before) ? before : {}).filter(
    ([name, member]) => Object.hasOwn(properties, name) && checks.isValid(properties[name] ?? true, member),
  );
  return Object.fromEntries([...Object.entries(blank), ...fitting, ...Object.entries(tags)]);
}
