import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Issue } from '../../../shared/issues.ts';
import { useJsonEquality } from './equality-keywords.ts';
import { issuesOf } from './issues-of.ts';

/**
 * Compiles a schema of the service's own, for the fields of an operation. A missing field is an issue at the place
 * where it should stand.
 */
export function compileOwnSchema(schema: object): (value: unknown, pointer: string) => Issue[] {
  const ajv = new Ajv2020({
    strict: false,
    allErrors: true,
    verbose: true,
    logger: false,
    ownProperties: true,
    meta: false,
    validateSchema: false,
  });
  useJsonEquality(ajv);
  const validate = addFormats.default(ajv, { mode: 'full' }).compile(schema);
  return (value, pointer) => {
    if (validate(value)) return [];
    const errors = validate.errors ?? [];
    validate.errors = null;
    return issuesOf(errors, value, { pointer, root: 'The request', missingAt: 'field', schema });
  };
}
