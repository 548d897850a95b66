import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { Issue } from '../../../shared/issues.ts';
import { useJsonEquality } from './equality-keywords.ts';
import { issuesOf } from './issues-of.ts';
import { isWithin } from '../json-bounds.ts';

/** Values in a request that is looked at for every issue; of a larger one only the first issue is reported. */
const MOST_NODES = 20_000;
const MOST_DEPTH = 600;
const NOT_WHOLE = 'The rest was not checked, because the request is too large.';

/** Compiled schemas by their JSON: many operations have the same path, and every server of a process the same operations. */
const compiled = new Map<string, ValidateFunction>();

/**
 * Compiles a schema of the service's own, for the fields of an operation or the form of a document. A missing field is
 * an issue at the path where it should be. It is compiled when the first value is checked: a process that starts
 * for one command has a hundred of them and uses two. It is kept for good, so it must not depend on what callers send.
 * @param root what the checked value is called
 */
export function compileOwnSchema(schema: object, root = 'The request'): (value: unknown, pointer: string) => Issue[] {
  let validateFirst: ValidateFunction | undefined;
  let validateAll: ValidateFunction | undefined;
  return (value, pointer) => {
    validateFirst ??= compile(schema, false);
    if (validateFirst(value)) return [];
    const first = takeErrors(validateFirst);
    // Each issue is an object of its own, and a caller can make millions of them of a few bytes each.
    const isWhole = isWithin(value, MOST_NODES, MOST_DEPTH);
    let errors = first;
    if (isWhole) {
      validateAll ??= compile(schema, true);
      validateAll(value);
      errors = takeErrors(validateAll);
    }
    const issues = issuesOf(errors, value, { pointer, root, missingAt: 'field', schema });
    return isWhole ? issues : issues.map((issue) => ({ ...issue, detail: `${issue.detail} ${NOT_WHOLE}` }));
  };
}

/** What the last value was refused for; the function keeps it no longer. */
function takeErrors(validate: ValidateFunction): ErrorObject[] {
  const errors = validate.errors ?? [];
  validate.errors = null;
  return errors;
}

function compile(schema: object, allErrors: boolean): ValidateFunction {
  const key = `${allErrors} ${JSON.stringify(schema)}`;
  const known = compiled.get(key);
  if (known !== undefined) return known;
  const ajv = new Ajv2020({
    strict: false,
    allErrors,
    verbose: true,
    logger: false,
    ownProperties: true,
    meta: false,
    validateSchema: false,
    // As in compile.ts: optimized code is compiled more slowly and checks no faster.
    code: { optimize: false },
  });
  useJsonEquality(ajv);
  const validate = addFormats.default(ajv, { mode: 'full' }).compile(schema);
  compiled.set(key, validate);
  return validate;
}
