import { afterAll, expect, test } from 'vitest';
import type { JsonObject } from '../../../shared/json.ts';
import { createSchemaChecker } from '../../lib/schemas/index.ts';
import { answerOfText } from './index.ts';

const schemas = createSchemaChecker();
afterAll(() => schemas.close());

const field = (schema: JsonObject, more: JsonObject = {}): JsonObject => ({
  type: 'object',
  required: ['it'],
  properties: { it: schema, note: { type: 'string' } },
  ...more,
});
const taken = (schema: JsonObject, text: string) =>
  answerOfText(schema, text, (answer) => schemas.compileSchema(schema, 'The answer').check(answer, ''));
const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

test.each([
  ['JSON that fits', field({ type: 'boolean' }), '{"it":true,"note":"x"}', { it: true, note: 'x' }],
  ['yes', field({ type: 'boolean' }), ' Yes ', { it: true }],
  ['no', field({ type: 'boolean' }), 'n', { it: false }],
  ['a number', field({ type: 'number', minimum: 2 }), '2.5', { it: 2.5 }],
  ['a whole number', field({ type: 'integer' }), '7', { it: 7 }],
  ['one of a list', field({ enum: ['Low', 'High'] }), 'high', { it: 'High' }],
  ['a text', field({ type: 'string' }), 'just words', { it: 'just words' }],
  ['a text that reads as a number', field({ type: 'string' }), '12', { it: '12' }],
  ['a text for a schema of a text', { type: 'string' }, 'just words', 'just words'],
  ['yes for a schema of a truth value', { type: 'boolean' }, 'yes', true],
  ['JSON for any schema', {}, '[1]', [1]],
  ['JSON that nests as deep as it may', {}, nested(512), JSON.parse(nested(512))],
  ['a text that is as long as it may be', { type: 'string' }, 'x'.repeat(65_534), 'x'.repeat(65_534)],
])('%s is the answer', async (_name, schema, text, answer) => {
  expect(await taken(schema, text)).toEqual({ ok: true, answer });
});

test.each([
  ['words for a truth value', field({ type: 'boolean' }), 'perhaps', 'yes or no'],
  ['words for a number', field({ type: 'number' }), 'many', 'a number'],
  ['a number out of bounds', field({ type: 'number', minimum: 2 }), '1', 'at least 2'],
  ['none of a list', field({ enum: ['Low', 'High'] }), 'mid', 'one of "Low", "High"'],
  [
    'words where two fields are needed',
    field({ type: 'string' }, { required: ['it', 'note'] }),
    'words',
    'JSON with the fields it, note',
  ],
  ['JSON that does not fit', field({ type: 'boolean' }), '{"it":1}', '`it` must be true or false'],
  ['nothing', field({ type: 'string' }), '  ', 'JSON'],
  ['JSON that names a member twice', field({ type: 'boolean' }), '{"it":false,"it":true}', 'yes or no'],
  ['JSON that nests too deep', {}, nested(513), 'nests more than'],
  ['JSON that nests far too deep', {}, nested(20_000), 'nests more than'],
  ['a text that is too long', { type: 'string' }, 'x'.repeat(65_535), 'at most 65536 bytes'],
  ['a text that is far too long', { type: 'string' }, 'x'.repeat(5_000_000), 'at most 65536 bytes'],
])('%s is refused', async (_name, schema, text, words) => {
  const found = await taken(schema, text);
  expect(found.ok ? '' : found.issues.map(({ detail }) => detail).join(' ')).toContain(words);
});
