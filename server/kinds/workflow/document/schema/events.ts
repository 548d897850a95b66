import {
  byKey,
  listOf,
  mapOf,
  object,
  refused,
  refusedBeside,
  type Schema,
  text,
  textLike,
  textOrObject,
} from './build.ts';
import { ANYTHING, URI_OR_EXPRESSION } from './values.ts';

const EVENT_MEMBERS: Readonly<Record<string, Schema>> = {
  id: text(),
  source: URI_OR_EXPRESSION,
  type: text('must be a string: what happened, for example order.placed'),
  time: textLike('time-or-expression', 'must be an RFC 3339 time with its offset, or an expression in ${ }'),
  subject: text(),
  datacontenttype: text(),
  dataschema: URI_OR_EXPRESSION,
  data: ANYTHING,
};

export const EMITTED_EVENT = object(EVENT_MEMBERS, {
  isOpen: true,
  required: ['type'],
  message: 'must be the attributes of the event: { type, data }',
});

const FILTER = object(
  {
    with: object(EVENT_MEMBERS, {
      isOpen: true,
      minProperties: 1,
      message: 'must be an object with at least one attribute of the event, such as `type`',
    }),
    correlate: mapOf(
      object(
        {
          from: text('must be a jq expression over the data of the event'),
          expect: text('must be a string, or an expression in ${ }'),
        },
        { isOpen: true, required: ['from'], message: 'must be { from, expect }' },
      ),
      'must be an object of correlations by name, each { from, expect }',
    ),
  },
  { required: ['with'], message: 'must be an event filter, { with: { type: NAME } }' },
);

const STRATEGY_SAYS = 'must be { one: FILTER }, { any: [FILTER] } or { all: [FILTER] }';
const WHY = 'a strategy is one of `one`, `any` and `all`';
const UNTIL_NEEDS_ANY = 'goes with `any` alone: the others end by themselves';

function strategyForms(until: Schema): Schema {
  const forms = {
    all: object({ all: listOf(FILTER), ...refusedBeside('all', ['any', 'one'], WHY), until: refused(UNTIL_NEEDS_ANY) }),
    any: object({ any: listOf(FILTER), ...refusedBeside('any', ['one'], WHY), until }),
    one: object({ one: FILTER, until: refused(UNTIL_NEEDS_ANY) }),
  };
  return { type: 'object', says: STRATEGY_SAYS, ...byKey(forms, refused(STRATEGY_SAYS)) };
}

const INNER_STRATEGY = strategyForms(refused('cannot be used inside another `until`'));

export const STRATEGY = strategyForms(
  textOrObject(
    { text: text(), object: INNER_STRATEGY },
    'must be a jq expression over the list of events so far, or a strategy such as { one: FILTER }',
  ),
);
