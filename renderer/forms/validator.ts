// Validates forms without compiling code, which the Content Security Policy forbids.
import { type OutputUnit, type Schema, Validator } from '@cfworker/json-schema';
import type { ErrorSchema, RJSFSchema, RJSFValidationError, ValidationData, ValidatorType } from '@rjsf/utils';
import { toErrorSchema, validationDataMerge } from '@rjsf/utils';
import { tokensOf } from '../../shared/json-pointer.ts';

/** Keywords whose errors only say that there is an error below them. */
const PARENT_KEYWORDS = new Set([
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
    // The studio's forms have no rules besides their schemas.
    return customValidate === undefined ? own : validationDataMerge(own, {});
  },
  isValid(schema, formData, rootSchema): boolean {
    return new Validator(withDefinitions(schema, rootSchema), DRAFT, true).validate(formData).valid;
  },
  // The interface allows errors of any type; these are the errors of `validateFormData`.
  rawValidation: (schema, formData) => ({ errors: issuesOf(schema, formData) as never[] }),
};

/** Adds the definitions of the root, so that references in a subschema can be resolved. */
function withDefinitions(schema: RJSFSchema, { $defs, definitions }: RJSFSchema): Schema {
  return { ...($defs && { $defs }), ...(definitions && { definitions }), ...schema } as Schema;
}

function issuesOf(schema: RJSFSchema, formData: unknown): RJSFValidationError[] {
  const { errors } = new Validator(schema as Schema, DRAFT, false).validate(formData);
  return errors.filter(({ keyword }) => !PARENT_KEYWORDS.has(keyword)).map(toIssue);
}

function toIssue({ keyword, error, instanceLocation }: OutputUnit): RJSFValidationError {
  const missing = keyword === 'required' ? /"([^"]+)"/.exec(error)?.[1] : undefined;
  const path = tokensOf(instanceLocation.replace(/^#/, ''));
  const property = [...path, ...(missing === undefined ? [] : [missing])].map((part) => `.${part}`).join('');
  const message = missing === undefined ? error : 'This field is required.';
  return { name: keyword, property, message, stack: message, params: {} };
}

export default validator;
