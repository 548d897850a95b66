import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../shared/json.ts';
import { compileUserSchema } from './compile.ts';

const ORDER = {
  type: 'object',
  required: ['customer'],
  additionalProperties: false,
  properties: {
    customer: {
      type: 'object',
      required: ['plan'],
      properties: {
        plan: { enum: ['free', 'team', 'enterprise'], description: "The customer's plan.", examples: ['team'] },
        'a/b~c': { type: 'integer' },
      },
    },
    lines: {
      type: 'array',
      maxItems: 2,
      items: { type: 'object', properties: { count: { type: 'integer', minimum: 1 } } },
    },
    title: { type: 'string', minLength: 1 },
  },
} satisfies JsonObject;

const PETS = {
  oneOf: [{ $ref: '#/$defs/cat' }, { $ref: '#/$defs/dog' }, { type: 'string' }],
  $defs: {
    cat: {
      type: 'object',
      required: ['kind', 'lives'],
      properties: { kind: { const: 'cat' }, lives: { type: 'integer' } },
    },
    dog: { type: 'object', required: ['kind'], properties: { kind: { const: 'dog' } } },
  },
} satisfies JsonObject;

type Case = [schema: JsonObject, value: unknown, ...told: string[]];

const CASES: readonly Case[] = [
  // Where: a path, a place in a list, the holder of what is missing, the unknown member itself.
  [
    ORDER,
    { customer: { plan: 'gold' } },
    '/input/customer/plan `customer.plan` (The customer\'s plan, for example "team") must be one of "free", "team", "enterprise".',
  ],
  [
    ORDER,
    { customer: {} },
    '/input/customer `customer` is missing the required field `plan` (The customer\'s plan, for example "team").',
  ],
  [ORDER, {}, '/input The input is missing the required field `customer`.'],
  [ORDER, 5, '/input The input must be an object with the field `customer`, and optionally `lines`, `title`.'],
  [
    ORDER,
    { customer: { plan: 'free' }, lines: [{}, { count: 0 }] },
    '/input/lines/1/count `count` in item 2 of `lines` must be at least 1.',
  ],
  [
    ORDER,
    { customer: { plan: 'free' }, lines: [{}, 4] },
    '/input/lines/1 Item 2 of `lines` must be an object with the optional field `count`.',
  ],
  [
    ORDER,
    { customer: { plan: 'free' }, titel: 'x' },
    '/input/titel The input has an unknown field `titel` (did you mean `title`?).',
  ],
  [
    ORDER,
    { customer: { plan: 'free', 'a/b~c': 'x' } },
    '/input/customer/a~1b~0c `customer.a/b~c` must be a whole number.',
  ],
  [{ items: { items: { type: 'null' } } }, [[null], [null, 1]], '/input/1/1 Item 2 in item 2 must be null.'],

  // What: every keyword has words.
  [{ type: ['string', 'null'] }, 5, '/input The input must be a string or null.'],
  [{ const: { a: 1 } }, 5, '/input The input must be {"a":1}.'],
  [{ maximum: 3 }, 5, '/input The input must be at most 3.'],
  [{ exclusiveMinimum: 5 }, 5, '/input The input must be more than 5.'],
  [{ exclusiveMaximum: 5 }, 5, '/input The input must be less than 5.'],
  [{ multipleOf: 0.01 }, 0.015, '/input The input must be a multiple of 0.01.'],
  [{ minLength: 2 }, '😀', '/input The input must have at least 2 characters.'],
  [{ maxLength: 1 }, 'ab', '/input The input must have at most 1 character.'],
  [{ pattern: '^[a-z]+$' }, '1', '/input The input must be one or more lowercase letters.'],
  [{ pattern: '^(a+)+$' }, 'b', '/input The input must match the pattern ^(a+)+$.'],
  [{ format: 'uuid' }, 'b', '/input The input must be a UUID.'],
  [{ minItems: 1 }, [], '/input The input must have at least 1 item.'],
  [{ maxItems: 1 }, [1, 2], '/input The input must have at most 1 item.'],
  [{ prefixItems: [true], items: false }, [1, 2], '/input The input must have at most 1 item.'],
  [{ prefixItems: [true], unevaluatedItems: false }, [1, 2], '/input The input must have at most 1 item.'],
  [
    { uniqueItems: true },
    [{ a: 1, b: 2 }, 0, { b: 2, a: 1 }],
    '/input The input must not contain duplicate items: items 1 and 3 are equal.',
  ],
  [
    { contains: { type: 'number' } },
    ['a', 'b'],
    "/input The input must contain at least 1 item as the schema's `contains` describes.",
  ],
  [
    { contains: { type: 'number', description: 'A price.' }, minContains: 0, maxContains: 1 },
    [1, 2],
    "/input The input must contain at most 1 item as the schema's `contains` describes (A price).",
  ],
  [{ minProperties: 1 }, {}, '/input The input must have at least 1 field.'],
  [{ maxProperties: 1 }, { a: 1, b: 2 }, '/input The input must have at most 1 field.'],
  [{ additionalProperties: false }, { a: 1 }, '/input/a The input has an unknown field `a`; no fields are allowed.'],
  [
    { additionalProperties: false, properties: { one: {}, two: {} } },
    { other: 1 },
    '/input/other The input has an unknown field `other`; known fields: `one`, `two`.',
  ],
  [
    { unevaluatedProperties: false, allOf: [{ properties: { title: {} } }] },
    { titel: 1 },
    '/input/titel The input has an unknown field `titel` (did you mean `title`?).',
  ],
  [{ dependentRequired: { a: ['b'] } }, { a: 1 }, '/input The input requires the field `b` when `a` is present.'],
  [{ dependentSchemas: { a: { required: ['b'] } } }, { a: 1 }, '/input The input is missing the required field `b`.'],
  [
    { properties: { o: { propertyNames: { maxLength: 2 } } } },
    { o: { a: 1, long: 2 } },
    '/input/o/long The field name `long` in `o` must have at most 2 characters.',
  ],
  [{ not: { type: 'string' } }, 'a', "/input The input must not be as the schema's `not` describes."],
  [{ properties: { a: false } }, { a: 1 }, '/input/a `a` is not allowed here.'],
  [{ enum: [] }, 1, '/input The input is not allowed here.'],
  [
    JSON.parse('{"if":{"required":["a"]},"then":{"required":["b"]},"else":{"required":["c"]}}') as JsonObject,
    { a: 1 },
    '/input The input is missing the required field `b`.',
  ],

  // A choice reports the branch that was meant.
  [PETS, { kind: 'cat', lives: 'x' }, '/input/lives `lives` must be a whole number.'],
  [PETS, { kind: 'cow' }, '/input/kind `kind` must be one of "cat", "dog".'],
  [PETS, {}, '/input The input is missing the required field `kind`.'],
  [PETS, 5, '/input The input must be an object or a string.'],
  [
    {
      oneOf: [
        { type: 'object', required: ['a'], properties: { a: { type: 'number' } } },
        { type: 'object', required: ['b'], properties: { b: { type: 'number' } } },
      ],
    },
    { a: 'x' },
    '/input/a `a` must be a number.',
  ],
  [
    {
      oneOf: [
        { type: 'object', required: ['a', 'b'], properties: { a: { minimum: 1 }, b: { minimum: 1 } } },
        { type: 'object', required: ['a', 'c'], properties: { a: { minimum: 1 }, c: { minimum: 1 } } },
      ],
    },
    { a: 0, b: 0, c: 0 },
    '/input The input must match one of the forms { `a`, `b` }, { `a`, `c` }.',
  ],
  [{ type: 'string', pattern: '\\S' }, ' ', '/input The input must contain more than white space.'],
  [{ anyOf: [{ required: ['a'] }, { required: ['b'] }] }, {}, '/input The input requires one of the fields `a`, `b`.'],
  [{ anyOf: [{ const: 'a' }, { const: 'b' }, { type: 'null' }] }, 'c', '/input The input must be null, "a" or "b".'],
  [
    {
      oneOf: [
        { title: 'Even', multipleOf: 2 },
        { title: 'Third', multipleOf: 3 },
      ],
    },
    6,
    '/input The input must match exactly one of the forms "Even", "Third", but matches several.',
  ],
  [
    {
      anyOf: [
        { title: 'Even', multipleOf: 2 },
        { title: 'Third', multipleOf: 3 },
      ],
    },
    5,
    '/input The input must match one of the forms "Even", "Third".',
  ],
  [
    { type: 'string', anyOf: [{ $ref: '#/$defs/a' }], $defs: { a: { maximum: 1 } } },
    2,
    '/input The input must be a string.',
    '/input The input must be at most 1.',
  ],
];

test.each(CASES.map((one) => [JSON.stringify(one[0]), JSON.stringify(one[1]), one] as const))(
  'against %.70s, %.50s',
  (_schema, _value, [schema, value, ...reported]) => {
    const issues = compileUserSchema(schema, 'The input')(value, '/input');
    expect(issues.map(({ pointer, detail }) => `${pointer} ${detail}`)).toEqual(reported);
  },
);

test('a sentence stays on one line and short, whatever a caller named a field', () => {
  const check = compileUserSchema({ additionalProperties: { additionalProperties: false } }, 'The input');
  const [issue] = check({ [`a\n${'b'.repeat(3000)}`]: { ['c\t'.repeat(500)]: 1 } }, '/input');
  expect(issue?.detail).not.toMatch(/[\n\t]/);
  expect(issue?.detail.length).toBeLessThan(400);
  expect(issue?.pointer).toBe('/input');
});

describe('at most fifty issues are reported', () => {
  const check = compileUserSchema({ items: { type: 'string' } }, 'The input');
  const toldOf = (wrong: number): string[] =>
    check(Array(wrong).fill(1), '/input').map(({ pointer, detail }) => `${pointer} ${detail}`);

  test('and one that says how many more there are, where they begin', () => {
    const reported = toldOf(1000);
    expect(reported).toHaveLength(51);
    expect(reported[49]).toMatch(/^\/input\/49 .* must be a string/);
    expect(reported[50]).toMatch(/^\/input\/50 There are 950 more issues/);
  });

  test('and a rule that several parts of the schema state alike counts once', () => {
    const twice = { $ref: '#/$defs/text' };
    const both = compileUserSchema(
      { items: { allOf: [twice, twice] }, $defs: { text: { type: 'string' } } },
      'The input',
    );
    const reported = both(Array(1000).fill(1), '/input');
    expect(reported).toHaveLength(51);
    expect(reported[50]).toMatchObject({ detail: expect.stringMatching(/^There are 950 more issues/), standsFor: 950 });
  });

  test('and none that says so where nothing was left out', () => {
    expect(toldOf(50).join()).not.toContain('more issues');
    expect(toldOf(51).join()).not.toContain('more issues');
    expect(toldOf(51)).toHaveLength(51);
  });
});
