// Schemas of answers, what is typed into their forms, and what is sent.
import { type Form, kind, number, text } from './form-samples.ts';
import { expect } from './studio.ts';

interface Answer {
  answer: object;
  enter: Form['enter'];
  /** As JSON text. */
  sent: string;
}

const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more });

export const ANSWERS: readonly Answer[] = [
  {
    answer: object({ amount: number, ['__proto__']: text }, { required: ['amount'] }),
    async enter({ panel, type }, local) {
      await type('amount', `${local(19.99)} or so`);
      await expect(panel.getByRole('button', { name: /^Answer/ })).toBeDisabled();
      await type('amount', local(19.99));
      await type('__proto__', 'own');
    },
    sent: '{"amount":19.99,"__proto__":"own"}',
  },
  { answer: number, enter: ({ type }) => type('Answer', '19,99'), sent: '19.99' },
  { answer: { enum: [0.5, 1] }, enter: ({ press }, local) => press(local(0.5)), sent: '0.5' },
  { answer: { type: 'boolean' }, enter: ({ press }) => press('No'), sent: 'false' },
  { answer: text, enter: ({ type }) => type('Answer', 'hello'), sent: '"hello"' },
  {
    answer: { type: 'array', items: { type: 'integer' } },
    async enter({ press, type }) {
      await press('Add an item to Answer');
      await type('Answer 1', '7');
      await press('Add an item to Answer');
      await type('Answer 2', '8');
      await press('Move Answer 2 up');
    },
    sent: '[8,7]',
  },
  {
    answer: {
      oneOf: [object(kind('ok', {}).properties), { type: 'object', ...kind('no', { why: text, fee: number }) }],
    },
    async enter({ choose, type }, local) {
      await choose('Kind', 'no');
      await type('why', 'late');
      await type('fee', local(0.5));
    },
    sent: '{"kind":"no","why":"late","fee":0.5}',
  },
  {
    answer: object({
      x: { anyOf: [object({ a: text }, { required: ['a'] }), object({ b: number }, { required: ['b'] })] },
    }),
    async enter({ choose, type }) {
      await choose('Kind of x', 'With b');
      await type('b', '2');
    },
    sent: '{"x":{"b":2}}',
  },
  {
    answer: object({ x: { type: ['string', 'number', 'null'] } }),
    async enter({ choose, type }) {
      await choose('Kind of x', 'Text');
      await type('x', '5');
    },
    sent: '{"x":"5"}',
  },
  {
    answer: object({ x: { type: ['number', 'null'] } }, { required: ['x'] }),
    async enter({ type, check }) {
      await type('x', '5');
      await check('No value (null) for x');
    },
    sent: '{"x":null}',
  },
  {
    answer: object({
      rows: { type: 'array', items: object({ cells: { type: 'array', items: object({ v: number }) } }) },
    }),
    async enter({ press, type }, local) {
      await press('Add an item to rows');
      await press('Add an item to cells');
      await type('v', local(1.5));
    },
    sent: '{"rows":[{"cells":[{"v":1.5}]}]}',
  },
  {
    answer: { type: 'object', additionalProperties: object({ n: number }, { required: ['n'] }) },
    async enter({ page, type }) {
      await type('Name of a new field of Answer', 'hasOwnProperty');
      await page.keyboard.press('Enter');
      await type('n', '3');
    },
    sent: '{"hasOwnProperty":{"n":3}}',
  },
  {
    answer: object({
      o: object(
        { t: { enum: ['a', 'b'] } },
        {
          if: { properties: { t: { const: 'b' } }, required: ['t'] },
          then: { properties: { n: number }, required: ['n'] },
        },
      ),
    }),
    async enter({ press, type }) {
      await press('b');
      await type('n', '1');
    },
    sent: '{"o":{"t":"b","n":1}}',
  },
  { answer: object({ e: { enum: [null, false, 'x'] } }), enter: ({ press }) => press('null'), sent: '{"e":null}' },
  {
    answer: object({ p: { type: 'array', prefixItems: [number, { type: 'boolean' }], items: false, minItems: 2 } }),
    async enter({ press, type }, local) {
      await press('Yes');
      await type('p 1', `-${local(0.5)}`);
    },
    sent: '{"p":[-0.5,true]}',
  },
  {
    answer: object({ p: { type: 'array', uniqueItems: true, items: { enum: ['a', 'b', 'c'] } } }),
    async enter({ check }) {
      await check('c');
      await check('a');
    },
    sent: '{"p":["a","c"]}',
  },
  {
    answer: object({ a: text, b: text }, { dependentRequired: { a: ['b'] } }),
    async enter({ type }) {
      await type('a', '1');
      await type('b', '2');
    },
    sent: '{"a":"1","b":"2"}',
  },
  {
    answer: object({ a: { type: 'number', default: 1.5 }, b: { type: 'boolean', default: true } }),
    enter: ({ type }, local) => type('a', local(2.5)),
    sent: '{"a":2.5,"b":true}',
  },
  {
    answer: object({ o: { anyOf: [object({ a: text }), { type: 'null' }] } }),
    enter: ({ type }) => type('a', 'z'),
    sent: '{"o":{"a":"z"}}',
  },
  {
    answer: { type: 'object', patternProperties: { '^x': number }, additionalProperties: false },
    async enter({ page, type }) {
      await type('Name of a new field of Answer', 'x1');
      await page.keyboard.press('Enter');
      await type('x1', '3');
    },
    sent: '{"x1":3}',
  },
];
