// Values that many parts of a document share.
import { any, object, oneOfTexts, refused, type Schema, text, textLike, textOrObject } from './build.ts';

export const EXPRESSION = textLike('runtime-expression', 'must be an expression in ${ }');

export const URI = textLike('uri-template', 'must be a URI, without spaces; `{name}` in it is filled from the input');

export const URI_OR_EXPRESSION = textLike(
  'uri-or-expression',
  'must be a URI without spaces, or an expression in ${ }',
);

export const BOOLEAN: Schema = { type: 'boolean', says: 'must be true or false' };

export const INTEGER: Schema = { type: 'integer', says: 'must be a whole number' };

export const ANYTHING: Schema = {};

export const OPEN_OBJECT: Schema = { type: 'object', says: 'must be an object' };

const DURATION_SAYS = 'must be a duration: PT30S (ISO 8601), { seconds: 30 } or an expression in ${ }';

const DURATION_MEMBERS = { days: INTEGER, hours: INTEGER, minutes: INTEGER, seconds: INTEGER, milliseconds: INTEGER };

export const DURATION = textOrObject(
  {
    text: textLike('duration', DURATION_SAYS),
    object: object(DURATION_MEMBERS, { minProperties: 1, message: DURATION_SAYS }),
  },
  DURATION_SAYS,
);

/** `from` and `as`: an expression, or an object with expressions in it. */
function rule(message: string): Schema {
  return {
    type: ['string', 'object'],
    says: `must be ${message}: jq such as .order, or an object whose texts may be in \${ }`,
  };
}

const SCHEMA_SAYS = 'must be an object with `document`, the JSON Schema';

const SCHEMA_FORM: Schema = {
  ...object(
    {
      format: text('must be `json`'),
      document: any('must be the JSON Schema itself'),
      resource: refused(
        'is not supported: an external schema can change after it was checked; write it under `document`',
      ),
    },
    { message: SCHEMA_SAYS },
  ),
  if: { type: 'object', not: { required: ['resource'] } },
  then: { required: ['document'], properties: { document: any('must be the JSON Schema itself') } },
};

export const INPUT = object(
  { schema: SCHEMA_FORM, from: rule('what the input becomes') },
  { message: 'must be an object with `schema` and `from`' },
);

export const OUTPUT_MEMBERS = { schema: SCHEMA_FORM, as: rule('what the output becomes') };

export const OUTPUT = object(OUTPUT_MEMBERS, { message: 'must be an object with `schema` and `as`' });

export const EXPORT = object(
  { schema: SCHEMA_FORM, as: rule('what the context becomes') },
  { message: 'must be an object with `as` and `schema`' },
);

export const TIMEOUT = object({ after: DURATION }, { required: ['after'], message: 'must be { after: DURATION }' });

export const TIMEOUT_OR_NAME = textOrObject(
  { text: text(), object: TIMEOUT },
  'must be { after: DURATION }, or the name of a timeout of `use.timeouts`',
);

export const FLOW_DIRECTIVE = text('must be `continue`, `exit`, `end` or the name of a step in the same list');

export const READ = oneOfTexts(['data', 'envelope', 'raw']);

/** Schemas that refer to themselves, by their names in `$defs`. */
export const TASK: Schema = { $ref: '#/$defs/task' };
export const TASK_LIST: Schema = { $ref: '#/$defs/taskList' };
export const STRATEGY_REFERENCE: Schema = { $ref: '#/$defs/strategy' };
