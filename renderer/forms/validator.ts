// Checks forms without compiling code, which the page's policy forbids.
import { type OutputUnit, type Schema, Validator } from '@cfworker/json-schema';
import type { ErrorSchema, RJSFSchema, RJSFValidationError, ValidationData, ValidatorType } from '@rjsf/utils';
import { toErrorSchema, validationDataMerge } from '@rjsf/utils';

/** Units that say only that something below them does not fit. */
const CARRIERS = new Set([
  'properties',
  'items',
  'prefixItems',
  'additionalProperties',
  '$ref',
  'allOf',
  'anyOf',
  'oneOf',
]);

const DRAFT = '2020-12';

const validator: ValidatorType<unknown> = {
  validateFormData(formData, schema, customValidate, transformErrors, uiSchema): ValidationData<unknown> {
    const found = issuesOf(schema, formData);
    const errors = transformErrors === undefined ? found : transformErrors(found, uiSchema);
    const own = { errors, errorSchema: toErrorSchema(errors) as ErrorSchema<unknown> };
    // The studio's forms have no rules beside their schemas.
    return customValidate === undefined ? own : validationDataMerge(own, {});
  },
  isValid(schema, formData, rootSchema): boolean {
    return new Validator(withDefinitions(schema, rootSchema), DRAFT, true).validate(formData).valid;
  },
  // The forms' interface takes issues of any form; these are of the one above.
  rawValidation: (schema, formData) => ({ errors: issuesOf(schema, formData) as never[] }),
};

/** A part of a schema still finds what its root defines. */
function withDefinitions(schema: RJSFSchema, { $defs, definitions }: RJSFSchema): Schema {
  return { ...($defs && { $defs }), ...(definitions && { definitions }), ...schema } as Schema;
}

function issuesOf(schema: RJSFSchema, formData: unknown): RJSFValidationError[] {
  const { errors } = new Validator(schema as Schema, DRAFT, false).validate(formData);
  return errors.filter(({ keyword }) => !CARRIERS.has(keyword)).map(toIssue);
}

function toIssue({ keyword, error, instanceLocation }: OutputUnit): RJSFValidationError {
  const missing = keyword === 'required' ? /"([^"]+)"/.exec(error)?.[1] : undefined;
  const path = instanceLocation
    .split('/')
    .slice(1)
    .map((part) => part.replaceAll('~1', '/').replaceAll('~0', '~'));
  const property = [...path, ...(missing === undefined ? [] : [missing])].map((part) => `.${part}`).join('');
  const message = missing === undefined ? error : 'This is needed.';
  return { name: keyword, property, message, stack: message, params: {} };
}

export default validator;
