import { byKey, object, refused, refusedBeside, type Schema, text, textLike } from './build.ts';
import { DURATION, INTEGER, OPEN_OBJECT, URI_OR_EXPRESSION } from './values.ts';

export const ERROR = object(
  {
    type: URI_OR_EXPRESSION,
    status: INTEGER,
    instance: textLike('pointer-or-expression', 'must be a JSON Pointer such as /do/0/step, or an expression in ${ }'),
    title: text(),
    detail: text(),
  },
  { required: ['type', 'status'], message: 'must be { type, status, title, detail }' },
);

export const ERROR_FILTER = object(
  { type: text(), status: INTEGER, instance: text(), title: text(), detail: text() },
  { isOpen: true, minProperties: 1, message: 'must be an object with at least one of `type`, `status`, `title`' },
);

const BACKOFF_SAYS = 'must be { constant: {} }, { linear: {} } or { exponential: { factor, maximum } }';
const OF_EXPONENTIAL = 'can only be set in `exponential`';

const BACKOFF: Schema = {
  type: 'object',
  says: BACKOFF_SAYS,
  ...byKey(
    Object.fromEntries(
      ['constant', 'exponential', 'linear'].map((name, _, all) => {
        const others = all.filter((other) => other !== name);
        const beside = { factor: refused(OF_EXPONENTIAL), maximum: refused(OF_EXPONENTIAL) };
        // The standard leaves the members of each open; a rule of ours refuses those that would have no effect.
        const form = { [name]: OPEN_OBJECT, ...refusedBeside(name, others, 'waits grow in one way'), ...beside };
        return [name, object(form)];
      }),
    ),
    { not: {}, says: BACKOFF_SAYS, nearest: ['constant', 'exponential', 'linear'] },
  ),
};

export const RETRY_POLICY = object(
  {
    when: text('must be a jq expression'),
    exceptWhen: text('must be a jq expression'),
    delay: DURATION,
    backoff: BACKOFF,
    limit: object({
      attempt: object({ count: INTEGER, duration: DURATION }, { message: 'must be { count, duration }' }),
      duration: DURATION,
    }),
    jitter: object({ from: DURATION, to: DURATION }, { required: ['from', 'to'], message: 'must be { from, to }' }),
  },
  { message: 'must be a retry policy: { delay, backoff, limit }' },
);
