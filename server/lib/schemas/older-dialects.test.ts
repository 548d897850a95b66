import { expect, test } from 'vitest';
import type { JsonObject } from '../../../shared/json.ts';
import { createSchemaChecker } from './index.ts';
import { asNewestDialect } from './older-dialects.ts';

const DRAFT_4 = 'http://json-schema.org/draft-04/schema#';
const DRAFT_7 = 'http://json-schema.org/draft-07/schema#';
const DRAFT_2019 = 'https://json-schema.org/draft/2019-09/schema';

test.each<[string, JsonObject, JsonObject]>([
  [
    'tuples',
    { $schema: DRAFT_7, items: [{ type: 'string' }], additionalItems: false },
    { prefixItems: [{ type: 'string' }], items: false },
  ],
  [
    'items that are all alike',
    { $schema: DRAFT_7, items: { type: 'string' }, additionalItems: false },
    { items: { type: 'string' } },
  ],
  [
    'dependencies',
    { $schema: DRAFT_7, dependencies: { a: ['b'], c: { items: [true] } } },
    { dependentRequired: { a: ['b'] }, dependentSchemas: { c: { prefixItems: [true] } } },
  ],
  [
    'what stands beside a reference',
    { $schema: DRAFT_7, $ref: '#/definitions/a', type: 'object', definitions: { a: { type: 'string' } } },
    { $ref: '#/definitions/a', definitions: { a: { type: 'string' } } },
  ],
  [
    'what stands beside a reference in 2019-09',
    { $schema: DRAFT_2019, $ref: '#/$defs/a', minLength: 2, $defs: { a: { type: 'string' } } },
    { $ref: '#/$defs/a', minLength: 2, $defs: { a: { type: 'string' } } },
  ],
  [
    'references into tuples and dependencies',
    {
      $schema: DRAFT_7,
      properties: {
        items: { items: [{ type: 'string' }] },
        a: { $ref: '#/properties/items/items/0' },
        b: { $ref: '#/dependencies/x~1y' },
        c: { $ref: '#' },
      },
      dependencies: { 'x/y': {} },
    },
    {
      properties: {
        items: { prefixItems: [{ type: 'string' }] },
        a: { $ref: '#/properties/items/prefixItems/0' },
        b: { $ref: '#/dependentSchemas/x~1y' },
        c: { $ref: '#' },
      },
      dependentSchemas: { 'x/y': {} },
    },
  ],
  [
    'limits of draft 04',
    { $schema: DRAFT_4, minimum: 1, exclusiveMinimum: true, maximum: 9, exclusiveMaximum: false },
    { exclusiveMinimum: 1, maximum: 9 },
  ],
  [
    'schemas that name themselves',
    {
      $schema: DRAFT_7,
      definitions: { a: { $id: '#one', type: 'string' } },
      items: [{ $ref: '#one' }, { $id: '#two', type: 'null' }, { $ref: '#two' }, { const: { id: '#three' } }],
    },
    {
      definitions: { a: { type: 'string' } },
      prefixItems: [
        { $ref: '#/definitions/a' },
        { type: 'null' },
        { $ref: '#/prefixItems/1' },
        { const: { id: '#three' } },
      ],
    },
  ],
  [
    'schemas that name themselves in draft 04',
    { $schema: DRAFT_4, definitions: { a: { id: '#one' } }, properties: { id: { $ref: '#one' } } },
    { definitions: { a: {} }, properties: { id: { $ref: '#/definitions/a' } } },
  ],
  [
    'references by the address of the schema itself',
    {
      $schema: DRAFT_7,
      $id: 'https://example.com/a',
      not: { $ref: 'https://example.com/a#/definitions/b' },
      definitions: { b: {} },
    },
    { $id: 'https://example.com/a', not: { $ref: '#/definitions/b' }, definitions: { b: {} } },
  ],
  [
    'recursive references of 2019-09',
    { $schema: DRAFT_2019, $recursiveAnchor: true, properties: { child: { $recursiveRef: '#' } } },
    { properties: { child: { $ref: '#' } } },
  ],
  [
    'the newest dialect without its year',
    { $schema: 'http://json-schema.org/schema#', prefixItems: [] },
    { prefixItems: [] },
  ],
  [
    'another dialect',
    { $schema: 'https://example.com/own', items: [{}] },
    { $schema: 'https://example.com/own', items: [{}] },
  ],
  ['no dialect', { items: [{}] }, { items: [{}] }],
])('%s are read', (_what, schema, newest) => {
  expect(asNewestDialect(schema)).toEqual(newest);
});

test('a value is checked as the draft says', async () => {
  const schemas = createSchemaChecker();
  const schema = asNewestDialect({
    $schema: DRAFT_7,
    type: 'object',
    properties: {
      pair: { items: [{ type: 'string' }, { type: 'integer' }], additionalItems: false },
      node: { $ref: '#/definitions/node' },
    },
    dependencies: { pair: ['node'] },
    definitions: { node: { type: 'object', properties: { next: { $ref: '#/definitions/node' } } } },
  });
  expect((await schemas.checkDocument(schema, '')).issues).toEqual([]);
  const pointersOf = async (value: JsonObject): Promise<string[]> =>
    (await schemas.compileSchema(schema).check(value, '')).map(({ pointer }) => pointer);
  expect(await pointersOf({ pair: ['a', 1], node: { next: {} } })).toEqual([]);
  expect(await pointersOf({ pair: ['a', 'b', 3], node: { next: 1 } })).toEqual(
    expect.arrayContaining(['/pair/1', '/node/next']),
  );
  expect(await pointersOf({ pair: ['a', 1] })).toHaveLength(1);
  await schemas.close();
});
