// Checks values without compiling code, which the Content Security Policy forbids.
import { dereference, format, type Schema, validate } from '@cfworker/json-schema';
import { ASSERTED_FORMATS } from '../../../shared/formats.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../shared/json.ts';
import { recursiveReferences, targetOf } from './form-schema.ts';

// The service's checks of formats.
for (const [name, { isValid }] of ASSERTED_FORMATS) format[name] = isValid;

export interface SchemaChecks {
  /** The schema of the form, in which references are resolved. */
  root: JsonObject;
  /** @param schema the root, a part of it, or a new schema of such parts */
  isValid: (schema: Json, value: Json) => boolean;
  /** Whether values of a part of the schema contain values of the same part. */
  isRecursive: (schema: Json) => boolean;
}

/** @param root a schema of `formSchema`; it is annotated with its references */
export function schemaChecks(root: JsonObject): SchemaChecks {
  const lookup = dereference(root);
  const recursive = recursiveReferences(root) ?? new Set();
  const isRecursive = (schema: Json): boolean => {
    if (!isJsonObject(schema)) return false;
    const { $ref, allOf, anyOf, oneOf } = schema;
    if (typeof $ref === 'string' && (recursive.has($ref) || isRecursive(targetOf(root, $ref) ?? true))) return true;
    return [allOf, anyOf, oneOf].some((parts) => Array.isArray(parts) && parts.some(isRecursive));
  };
  return {
    root,
    isRecursive,
    isValid: (schema, value) => validate(value, schema as Schema | boolean, '2020-12', lookup, true).valid,
  };
}
