// What counts as evaluated depends on the value: on the items that `contains` matched, and on the alternatives that did.
import { afterAll, describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../shared/json.ts';
import { createSchemaChecker } from './index.ts';

const checker = createSchemaChecker();
afterAll(() => checker.close());

const details = async (schema: JsonObject, value: Json): Promise<string[]> => {
  const issues = await checker.compileSchema(schema).check(value, '/input');
  return issues.map(({ pointer, detail }) => `${pointer} ${detail}`);
};

const TEXTS_OR_ANYTHING = { anyOf: [{ items: { type: 'string' } }, true], unevaluatedItems: { type: 'boolean' } };
const AN_EVEN_ONE = { contains: { multipleOf: 2 }, unevaluatedItems: { multipleOf: 3 } };
const A_B_C = {
  if: { contains: { const: 'a' } },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: { if: { contains: { const: 'b' } }, then: { if: { contains: { const: 'c' } } } },
  unevaluatedItems: false,
};
const TREE = {
  $defs: { node: { properties: { next: { $ref: '#/$defs/node' }, 'a/b~c': true } } },
  $ref: '#/$defs/node',
  unevaluatedProperties: false,
};

describe('items', () => {
  test.each<[string, JsonObject, Json, string[]]>([
    ['of the alternative that matches', TEXTS_OR_ANYTHING, ['yes', 'no'], []],
    [
      'without one that matches',
      TEXTS_OR_ANYTHING,
      ['yes', 1],
      ['/input/0 Item 1 must be true or false.', '/input/1 Item 2 must be true or false.'],
    ],
    ['that `contains` did not match', AN_EVEN_ONE, [4, 9, 5], ['/input/2 Item 3 must be a multiple of 3.']],
    ['of `contains` and of the schema for the rest', AN_EVEN_ONE, [4, 9], []],
    [
      'that `minContains: 0` matched',
      { contains: { type: 'string' }, minContains: 0, unevaluatedItems: false },
      ['a', 'b'],
      [],
    ],
    ['of conditions inside conditions', A_B_C, ['a', 'b', 'c', 'a'], []],
    ['of a condition that was not met', A_B_C, ['b', 'b'], ['/input The input must have at most 0 items.']],
    ['between others', A_B_C, ['a', 'c', 'b', 'd'], ['/input The input must have at most 3 items.']],
    [
      'at a place in the middle',
      { contains: { const: 'b' }, unevaluatedItems: false },
      ['b', 'c', 'b'],
      ['/input/1 Item 2 is not allowed here.'],
    ],
    [
      'behind a prefix',
      { prefixItems: [true, true], unevaluatedItems: false },
      [1, 2, 3],
      ['/input The input must have at most 2 items.'],
    ],
    ['of a condition alone', { if: { prefixItems: [{ const: 'a' }] }, unevaluatedItems: false }, ['a'], []],
    ['of something else', { contains: true, unevaluatedItems: false }, 'text', []],
  ])('%s', async (_name, schema, value, expected) => {
    expect(await details(schema, value)).toEqual(expected);
  });
});

describe('fields', () => {
  const CONDITION = { if: { properties: { kind: { const: 'a' } }, required: ['kind'] }, unevaluatedProperties: false };

  test.each<[string, JsonObject, Json, string[]]>([
    ['of a condition alone', CONDITION, { kind: 'a' }, []],
    [
      'of a condition that was not met',
      CONDITION,
      { kind: 'b' },
      [expect.stringContaining('/input/kind The input has an unknown field `kind`')],
    ],
    ['of an `else` without a `then`', { ...CONDITION, else: { properties: { size: true } } }, { size: 1 }, []],
    [
      'of `allOf`',
      { allOf: [{ properties: { a: true } }], properties: { b: true }, unevaluatedProperties: false },
      { a: 1, b: 2 },
      [],
    ],
    [
      'of a pattern',
      { allOf: [{ patternProperties: { '^x-': true } }], unevaluatedProperties: false },
      { 'x-a': 1 },
      [],
    ],
    [
      'of a dependent schema',
      { dependentSchemas: { card: { properties: { card: true, billing: true } } }, unevaluatedProperties: false },
      { card: 1, billing: 2 },
      [],
    ],
    [
      'of a dependent schema that does not apply',
      { dependentSchemas: { card: { properties: { billing: true } } }, unevaluatedProperties: false },
      { billing: 2 },
      [expect.stringContaining('`billing`')],
    ],
    [
      'of a negation',
      { not: { not: { properties: { a: true } } }, unevaluatedProperties: false },
      { a: 1 },
      [expect.stringContaining('`a`')],
    ],
    [
      'that a schema for the rest refuses',
      { allOf: [{ properties: { a: true } }], unevaluatedProperties: { type: 'string' } },
      { a: 1, b: 2 },
      ['/input/b `b` must be a string.'],
    ],
    [
      'that a schema inside evaluated',
      { allOf: [{ unevaluatedProperties: true }], unevaluatedProperties: false },
      { a: 1 },
      [],
    ],
    ['of a reference to the schema itself', TREE, { next: { 'a/b~c': 1, other: 2 }, 'a/b~c': 1 }, []],
    ['beside those of a reference', TREE, { next: {}, other: 1 }, [expect.stringContaining('`other`')]],
    [
      'named as members of every object',
      { properties: { constructor: true }, unevaluatedProperties: false },
      JSON.parse('{ "constructor": 1, "toString": 2 }') as Json,
      [expect.stringContaining('`toString`')],
    ],
  ])('%s', async (_name, schema, value, expected) => {
    expect(await details(schema, value)).toEqual(expected);
  });
});
