// Checks values without compiling code, which the Content Security Policy forbids.
import { dereference, format, type Schema, validate } from '@cfworker/json-schema';
import { ASSERTED_FORMATS } from '../../../shared/formats.ts';
import type { Json, JsonObject } from '../../../shared/json.ts';

// The service's checks of formats.
for (const [name, { isValid }] of ASSERTED_FORMATS) format[name] = isValid;

export interface SchemaChecks {
  /** The schema of the form, in which references are resolved. */
  root: JsonObject;
  /** @param schema the root, a part of it, or a new schema of such parts */
  isValid: (schema: Json, value: Json) => boolean;
}

/** @param root a schema of `formSchema`; it is annotated with its references */
export function schemaChecks(root: JsonObject): SchemaChecks {
  const lookup = dereference(root);
  return {
    root,
    isValid: (schema, value) => validate(value, schema as Schema | boolean, '2020-12', lookup, true).valid,
  };
}
