import type { JsonObject } from '../../../shared/json.ts';
import { schemaChecks } from './checks.ts';
import { describeField } from './describe-field.ts';
import { formSchema } from './form-schema.ts';

/** The schema of a form with fields; undefined if the value is better written as JSON. */
export function formOf(schema: JsonObject): JsonObject | undefined {
  const root = formSchema(schema);
  if (root === undefined) return undefined;
  return describeField(root, undefined, schemaChecks(root)).shape.kind === 'json' ? undefined : root;
}
