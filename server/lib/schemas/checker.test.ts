import { afterAll, describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../shared/json.ts';
import { Refused } from '../rejection.ts';
import { checkSchemaDocument, createSchemaChecker } from './index.ts';
import { ENDLESS } from './endless.testing.ts';

const checker = createSchemaChecker();
afterAll(() => checker.close());

const check = (schema: JsonObject, value: Json) => checker.compileSchema(schema).check(value, '/input');
const refusal = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'nothing was refused',
    (error: unknown) => (error instanceof Refused ? error.rejection : error),
  );

const TREE = { type: 'object', properties: { next: { $ref: '#' } }, additionalProperties: false } satisfies JsonObject;

test('nothing of a value is coerced or filled in', async () => {
  const value = { count: '1' };
  const schema = { properties: { count: { type: 'number' }, unit: { default: 'h' } } };
  expect(await check(schema, value)).toHaveLength(1);
  expect(value).toEqual({ count: '1' });
});

test('each pattern of a schema is matched by itself', async () => {
  const schema = { properties: { a: { pattern: '^a$' }, b: { pattern: '^b$' } } };
  expect(await check(schema, { a: 'a', b: 'b' })).toEqual([]);
  expect(await check(schema, { a: 'b', b: 'a' })).toHaveLength(2);
});

test.each([
  [
    'date-time',
    ['2026-01-31T07:00:00Z', '2026-01-31t07:00:00.5+01:00', '2016-12-31T23:59:60Z'],
    [
      '2026-02-30T07:00:00Z',
      '2026-01-31 07:00:00Z',
      '2026-01-31T07:00:00',
      '2026-01-31T07:00:00+01',
      '2026-01-31T22:59:60Z',
    ],
  ],
  ['date', ['2024-02-29'], ['2026-02-29', '2026-1-1', '20260101']],
  ['time', ['07:00:00Z', '00:59:60+01:00'], ['24:00:00Z', '07:00Z', '07:00:00']],
  ['duration', ['P3D', 'PT2H', 'P1W'], ['P', 'PT', '3D']],
  ['email', ['ada@example.com'], ['ada', '@example.com']],
  ['uri', ['https://example.com/a?b#c', 'urn:a:b'], ['/a', 'example.com', 'http://a b']],
  ['uuid', ['01890a5d-ac96-774b-bcce-b302099a8057'], ['urn:uuid:01890a5d-ac96-774b-bcce-b302099a8057', '01890a5dac96']],
  ['ipv4', ['anything'], []],
])('the format %s', async (format, valid, invalid) => {
  for (const value of valid) expect([value, ...(await check({ format }, value))]).toEqual([value]);
  for (const value of invalid) expect([value, ...(await check({ format }, value))]).toHaveLength(2);
});

test('a large value, and a schema that refers to itself, are checked in a worker with the same issues', async () => {
  const long = 'x'.repeat(40_000);
  expect(await check({ properties: { a: { maxLength: 5 } } }, { a: long })).toEqual([
    { pointer: '/input/a', detail: '`a` must have at most 5 characters.' },
  ]);
  expect(await check(TREE, { next: { next: { last: 1 } } })).toEqual([
    { pointer: '/input/next/next/last', detail: '`next.next` has an unknown field `last`; known fields: `next`.' },
  ]);
  const named = await checker.compileSchema(TREE, 'The output').check(5, '');
  expect(named).toEqual([{ pointer: '', detail: 'The output must be an object with the optional field `next`.' }]);
});

test('a value as deep as inputs may be is checked', async () => {
  let deep: JsonObject = {};
  for (let level = 1; level < 512; level += 1) deep = { next: deep };
  expect(await check(TREE, deep)).toEqual([]);
});

test('a check that takes longer than a second is refused as unworkable, and others continue', async () => {
  const endless = refusal(check(ENDLESS, 'a'));
  expect(await check(TREE, {})).toEqual([]);
  expect(await endless).toMatchObject({ reason: 'conflict', kind: 'unworkable' });
  expect(await check(TREE, { next: 1 })).toHaveLength(1);
});

test('closing refuses what is under way and what comes later, and small checks need no worker', async () => {
  const closing = createSchemaChecker();
  const underWay = refusal(closing.compileSchema(ENDLESS).check('a', ''));
  await closing.close();
  expect(await underWay).toMatchObject({ reason: 'unavailable' });
  expect(await refusal(closing.compileSchema(TREE).check({}, ''))).toMatchObject({ reason: 'unavailable' });
  expect(await closing.compileSchema({ type: 'null' }).check(null, '')).toEqual([]);
});

/** A short pattern that takes long to read: a class of many ranges without case. */
const folded = (classes: number): string => `(?i)[${'\\u0100-\\uffff'.repeat(classes)}]`;
const manyFolded = { allOf: Array.from({ length: 250 }, (_, n) => ({ pattern: `${folded(100)}${n}` })) };

describe('a schema of an author', () => {
  test('that is costly to look at keeps nobody waiting, and past two seconds it is refused', async () => {
    const ended: string[] = [];
    const costly = checker.checkDocument(manyFolded, '/source').then((found) => {
      ended.push('costly');
      return found;
    });
    for (let n = 0; n < 20; n += 1) await checker.checkDocument({ properties: { [`a${n}`]: { pattern: '^a' } } }, '');
    ended.push('twenty others');
    const { issues } = await costly;
    expect(ended).toEqual(['twenty others', 'costly']);
    expect(issues).toEqual([{ pointer: '/source', detail: expect.stringContaining('longer than two seconds') }]);
  }, 60_000);

  test.each<[string, Json]>([
    ['large', { properties: Object.fromEntries(Array.from({ length: 500 }, (_, n) => [`a${n}`, { type: 'strng' }])) }],
    ['with a costly pattern', { pattern: '(?i)(\\p{L}' }],
    ['taken with a costly pattern', { pattern: '(?i)\\p{L}', nullable: true }],
    ['too deep', JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`) as Json],
    ['too deep below a name', { const: JSON.parse(`${'['.repeat(5000)}${']'.repeat(5000)}`) as Json }],
    ['no schema', true],
  ])('has the same issues wherever it is looked at: %s', async (_what, schema) => {
    expect(await checker.checkDocument(schema, '/source')).toEqual(checkSchemaDocument(schema, '/source'));
  });

  test('with a costly pattern is never compiled beside everything else, not even for a short value', async () => {
    const closed = createSchemaChecker();
    await closed.close();
    const costly = { pattern: folded(20) };
    expect(await refusal(closed.compileSchema(costly).check('a', ''))).toMatchObject({ reason: 'unavailable' });
    expect(await refusal(closed.checkDocument(costly, ''))).toMatchObject({ reason: 'unavailable' });
    expect(await check(costly, '\u0100')).toEqual([]);
    expect(await check(costly, '5')).toHaveLength(1);
  });
});

describe('values that are checked together', () => {
  const schema = { type: 'string', maxLength: 3 } satisfies JsonObject;

  test('have each their own issues', async () => {
    const found = await checker.compileSchema(schema).checkEach(['a', 5, 'abcd'], '');
    expect(found.map((issues) => issues.length)).toEqual([0, 1, 1]);
  });

  test('are checked in a worker where they are large together', async () => {
    const values = Array.from({ length: 10_000 }, (_, n) => (n === 4000 ? 'wrong' : 'abc'));
    const found = await checker.compileSchema(schema).checkEach(values, '');
    expect(found.flatMap((issues, index) => (issues.length > 0 ? [index] : []))).toEqual([4000]);
    const closed = createSchemaChecker();
    await closed.close();
    expect(await refusal(closed.compileSchema(schema).checkEach(values, ''))).toMatchObject({ reason: 'unavailable' });
  });
});
