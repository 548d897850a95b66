import type { Json, JsonObject } from '../../../shared/json.ts';
import { type SchemaChecks, schemaChecks } from './checks.ts';
import { describeField } from './describe-field.ts';
import { formSchema } from './form-schema.ts';

/**
 * The value with which a form starts: defaults, and constants that are required.
 * @param unknown the value where the schema does not say whether it is an object
 */
export function blankValue(schema: JsonObject, unknown: Json): Json {
  const root = formSchema(schema);
  if (root === undefined) return schema['type'] === 'object' ? {} : unknown;
  const checks = schemaChecks(root);
  const { schema: effective, shape } = describeField(root, undefined, checks);
  if (shape.kind === 'object') return blankOf(root, checks) ?? {};
  const isOpen = shape.kind === 'json' || shape.kind === 'variants';
  return effective['default'] ?? (effective['type'] === 'object' ? {} : isOpen ? unknown : null);
}

/** The value with which a new field starts; undefined if it is empty. */
export function blankOf(schema: Json, checks: SchemaChecks): Json | undefined {
  const { schema: effective, shape } = describeField(schema, undefined, checks);
  if (effective['default'] !== undefined) return effective['default'];
  if (shape.kind === 'list' || shape.kind === 'choices') return [];
  if (shape.kind !== 'object') return undefined;
  const members = [...shape.properties].map(([name, property]): [string, Json | undefined] => [
    name,
    shape.required.has(name)
      ? requiredBlank(property, checks)
      : describeField(property, undefined, checks).schema['default'],
  ]);
  return Object.fromEntries(members.filter((member): member is [string, Json] => member[1] !== undefined));
}

/** A flag that must be true is for a person to set. A list or object that must not be empty is absent until it is filled in. */
function requiredBlank(schema: Json, checks: SchemaChecks): Json | undefined {
  const { shape, isNullable } = describeField(schema, undefined, checks);
  // Its own required fields could have no end.
  if (shape.kind === 'object' && checks.isRecursive(schema)) return isNullable ? null : undefined;
  if (shape.kind === 'constant' && typeof shape.value !== 'boolean') return shape.value;
  const blank = blankOf(schema, checks);
  const isEmpty = typeof blank === 'object' && blank !== null && Object.keys(blank).length === 0;
  return isEmpty && !checks.isValid(schema, blank) ? undefined : blank;
}
