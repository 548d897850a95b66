import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../shared/json.ts';
import { checkSchemaDocument, createSchemaChecker } from './index.ts';

const issuesOf = (schema: unknown): string[] =>
  checkSchemaDocument(schema, '/source').issues.map(({ pointer, detail }) => `${pointer} ${detail}`);
const DIALECT = 'https://json-schema.org/draft/2020-12/schema';

test.each([
  [{}],
  [{ $schema: DIALECT, $id: 'https://example.com/a', title: 'A' }],
  [{ properties: { a: true, b: false } }],
  [{ $ref: '#/$defs/a~1b', $defs: { 'a/b': { type: 'string' } } }],
  [{ $ref: '#/$defs/a%20b', $defs: { 'a b': {} } }],
  [{ properties: { next: { $ref: '#' } } }],
  [{ $ref: '#/definitions/a', definitions: { a: { pattern: '^\\p{L}{1,1000}$' } } }],
  [{ enum: [{ $ref: 'nowhere', pattern: '(' }], default: { $id: 1 }, examples: [{ type: 'nothing' }] }],
])('%j is taken', (schema) => {
  expect(checkSchemaDocument(schema, '')).toEqual({ issues: [], warnings: [] });
});

test.each<[unknown, string]>([
  [true, '/source A schema must be an object'],
  [[], '/source A schema must be an object'],
  [{ $schema: 'http://json-schema.org/draft-07/schema#' }, `/source/$schema \`$schema\` may only be ${DIALECT}`],
  [{ items: { $schema: DIALECT } }, '/source/items/$schema `$schema` may only be'],
  [{ items: { $id: 'a' } }, '/source/items/$id `$id` is not supported here'],
  [{ $anchor: 'a' }, '/source/$anchor `$anchor` is not supported here'],
  [{ $dynamicRef: '#a' }, '/source/$dynamicRef `$dynamicRef` is not supported here'],
  [{ properties: { a: { $ref: 'https://example.com/a' } } }, '/source/properties/a/$ref A `$ref` may only point into'],
  [{ $ref: 5 }, '/source/$ref A `$ref` may only point into'],
  [{ $ref: '#/%' }, '/source/$ref A `$ref` may only point into'],
  [{ $ref: '#/$defs/a' }, '/source/$ref The `$ref` points to a place where no schema stands'],
  [{ $ref: '#/examples/0', examples: [{}] }, '/source/$ref The `$ref` points to a place where no schema stands'],
  [{ $ref: '#/constructor' }, '/source/$ref The `$ref` points to a place where no schema stands'],
  [{ anyOf: [{}, { $ref: '#' }] }, '/source/anyOf/1/$ref The `$ref` leads back to itself'],
  [{ $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }, '/source/$defs/b/$ref The `$ref` leads back'],
  [{ type: 'strng' }, '/source/type `type` must be one of "array"'],
  [{ properties: { a: { type: 5 } } }, '/source/properties/a/type `properties.a.type` must be one of'],
  [{ properties: { 'a/b': 'text' } }, '/source/properties/a~1b `properties.a/b` must be an object or true or false.'],
  [{ items: [{}] }, '/source/items `items` must be an object or true or false.'],
  [{ required: 'a' }, '/source/required `required` must be a list.'],
  [{ minLength: -1 }, '/source/minLength `minLength` must be at least 0.'],
  [{ pattern: '(?=a)' }, '/source/pattern The pattern is not valid (invalid or unsupported Perl syntax: `(?=`)'],
  [{ patternProperties: { '(a)\\1': {} } }, '/source/patternProperties/(a)\\1 The pattern is not valid'],
  [
    { pattern: 'a'.repeat(2001) },
    '/source/pattern The pattern is not valid (it has 2001 characters, and a pattern has',
  ],
  [{ pattern: `(${'ab'.repeat(400)}){1000}` }, '/source/pattern The pattern is not valid (it repeats too much)'],
])('$0 is refused, and the issue says where and why', (schema, detail) => {
  const [first = '', ...more] = issuesOf(schema);
  expect(first.slice(0, detail.length)).toBe(detail);
  expect(first).toMatch(/\.$/);
  expect(more).toEqual([]);
});

test.each([
  [{ format: 'ipv4' }, '/source/format', 'date-time, date, time, duration, email, uri, uuid'],
  [{ items: { propertes: {} } }, '/source/items/propertes', 'did you mean `properties`?'],
  [{ nullable: true }, '/source/nullable', 'not a keyword'],
  [{ $async: true }, '/source/$async', 'not a keyword'],
])('%j is taken with a warning', (schema, pointer, words) => {
  const { issues, warnings } = checkSchemaDocument(schema, '/source');
  expect(issues).toEqual([]);
  expect(warnings).toEqual([{ pointer, detail: expect.stringContaining(words) as string }]);
});

test('of many warnings fifty are returned, and one that says how many more there are', () => {
  const { warnings } = checkSchemaDocument(
    Object.fromEntries(Array.from({ length: 45_000 }, (_, n) => [`propertyNam${n}`, 1])),
    '',
  );
  expect(warnings).toHaveLength(51);
  expect(warnings[50]?.detail).toContain('44950 more issues');
});

test('keywords that only ajv knows have no effect', async () => {
  const checker = createSchemaChecker();
  const schema = {
    $async: true,
    id: 'a',
    type: 'string',
    nullable: true,
    dependencies: { a: ['b'] },
    discriminator: {},
  };
  expect(checkSchemaDocument(schema, '').issues).toEqual([]);
  expect(await checker.compileSchema(schema).check(null, '')).toHaveLength(1);
  expect(await checker.compileSchema({ dependencies: { a: ['b'] } }).check({ a: 1 }, '')).toEqual([]);
  await checker.close();
});

const nested = (levels: number): object => {
  let schema = {};
  for (let level = 1; level < levels; level += 1) schema = { not: schema };
  return schema;
};
const wide = (count: number): object => ({ allOf: Array.from({ length: count }, () => ({})) });

test.each([
  ['1,000 schemas', wide(999), wide(1000)],
  ['100 levels of schemas', nested(100), nested(101)],
  ['300 levels of JSON', { const: nested(300) }, { const: nested(302) }],
  ['any number of levels', {}, nested(200_000)],
  ['300 patterns', patterns(300), patterns(301)],
])('a schema holds at most %s', (_what, most, tooMuch) => {
  expect(issuesOf(most)).toEqual([]);
  expect(issuesOf(tooMuch)).toHaveLength(1);
});

function patterns(count: number): object {
  return { allOf: Array.from({ length: count }, (_, index) => ({ pattern: `^${index}$` })) };
}

const NAMES = [
  'type $ref $id properties items enum const anyOf not if then required pattern format $defs a contains minContains',
  'unevaluatedProperties additionalProperties dependentSchemas uniqueItems valueOf constructor __proto__',
].flatMap((names) => names.split(' '));

test('no JSON makes the check throw, and what it takes compiles', async () => {
  const checker = createSchemaChecker();
  const name = fc.constantFrom(...NAMES);
  const leaf = fc.constantFrom<unknown>('string', '#', '#/$defs/a', '(', 'date', true, false, null, 0, -1, 1e300, '');
  const { schema } = fc.letrec((tie) => ({
    schema: fc.oneof(
      { maxDepth: 5, withCrossShrink: true },
      leaf,
      fc.array(tie('schema'), { maxLength: 3 }),
      fc.dictionary(name, tie('schema'), { maxKeys: 4 }),
    ),
  }));
  await fc.assert(
    fc.asyncProperty(schema, fc.jsonValue({ maxDepth: 2 }), async (made, value) => {
      const document = JSON.parse(JSON.stringify(made)) as JsonObject;
      const { issues } = checkSchemaDocument(document, '');
      if (issues.length > 0) return;
      const found = await checker.compileSchema(document).check(JSON.parse(JSON.stringify(value)) as Json, '');
      for (const { detail } of found) expect(detail).toMatch(/^[^\n]+\.$/);
    }),
    { numRuns: 500, seed: 7 },
  );
  await checker.close();
});
