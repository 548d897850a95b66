import { afterAll, expect, test } from 'vitest';
import { createTextWork } from '../text-work/index.ts';
import { listOperations, readOpenApiDocument } from './index.ts';

const textWork = createTextWork();
afterAll(() => textWork.close());

const read = (text: string | Uint8Array) =>
  readOpenApiDocument(typeof text === 'string' ? new TextEncoder().encode(text) : text, textWork);

test.each([
  ['{"swagger":"2.0"}', '2.0'],
  ['swagger: 2.0', '2.0'],
  ['{"openapi":"3.0.4"}', '3.0'],
  ['openapi: 3.0', '3.0'],
  ['openapi: 3.1.1\npaths: {}', '3.1'],
  ['\uFEFF{"openapi":"3.2.0"}', '3.1'],
])('%s is a document of %s', async (text, version) => {
  expect(await read(text)).toMatchObject({ ok: true, document: { version } });
});

test.each([
  ['', 'it is not an object'],
  ['[]', 'it is not an object'],
  ['{"a":1}', 'it has neither'],
  ['{"openapi":"4.0.0"}', 'it has neither'],
  ['{"openapi":', 'it is not valid JSON'],
  ['a: [', 'it is neither JSON nor YAML'],
])('%j cannot be used', async (text, detail) => {
  expect(await sentence(text)).toContain(`The OpenAPI document cannot be used: ${detail}`);
});

test('what is not UTF-8, or has more than 8 MiB, cannot be used', async () => {
  expect(await sentence(new Uint8Array([0xff, 0xfe]))).toContain('it is not UTF-8');
  expect(await sentence(new Uint8Array(8 * 1024 * 1024 + 1))).toContain('it has more than 8 MiB');
});

async function sentence(text: string | Uint8Array): Promise<string> {
  const reading = await read(text);
  return reading.ok ? '' : reading.detail;
}

test('a small text of aliases that means a large document is refused', async () => {
  const lines = ['a0: &a0 [x, x, x, x, x, x, x, x]'];
  for (let level = 1; level < 9; level += 1) {
    lines.push(`a${level}: &a${level} [${Array.from({ length: 8 }, () => `*a${level - 1}`).join(', ')}]`);
  }
  expect(await read(`openapi: 3.1.0\n${lines.join('\n')}\n`)).toMatchObject({ ok: false });
});

test('of answers the media types stay, unless something refers into them', async () => {
  const responses = { 200: { content: { 'application/json': { schema: { type: 'object' } } } } };
  const document = (more: object): string =>
    JSON.stringify({ openapi: '3.1.0', paths: { '/a': { get: { responses } } }, ...more });
  const rootOf = async (text: string): Promise<unknown> => {
    const reading = await read(text);
    return reading.ok ? reading.document.root : reading.detail;
  };
  const paths = { '/a': { get: { responses: { 200: { content: { 'application/json': {} } } } } } };
  expect(await rootOf(document({}))).toEqual({ openapi: '3.1.0', paths });
  const referring = { x: { $ref: '#/paths/~1a/get/responses/200/content' } };
  expect(await rootOf(document(referring))).toMatchObject({ paths: { '/a': { get: { responses } } } });
});

test('more than 250,000 values cannot be used', async () => {
  expect(await sentence(`{"openapi":"3.1.0","x":[${'1,'.repeat(249_000)}1]}`)).toBe('');
  expect(await sentence(`{"openapi":"3.1.0","x":[${'1,'.repeat(251_000)}1]}`)).toContain('more than 250000 values');
});

test('YAML of hundreds of operations is read', async () => {
  const paths = Array.from({ length: 600 }, (_, index) =>
    [
      `  /things/${index}:`,
      '    get:',
      `      operationId: thing${index}`,
      `      summary: ${'words '.repeat(20)}`,
    ].join('\n'),
  );
  const text = `openapi: 3.0.3\npaths:\n${paths.join('\n')}\n`;
  const reading = await read(text);
  expect(reading.ok && [...listOperations(reading.document)]).toHaveLength(600);
  expect(await read(`${text}: : [`)).toMatchObject({ ok: false });
});

test('a document that nests very deep does no harm', async () => {
  const deep = `{"openapi":"3.1.0","x":${'['.repeat(200_000)}${']'.repeat(200_000)}}`;
  expect(await sentence(deep)).toContain('it is nested more than 200 levels');
  expect(await read(`openapi: 3.1.0\nx: ${'['.repeat(20_000)}${']'.repeat(20_000)}`)).toMatchObject({ ok: false });
});

test.each([
  ['once', '[*a]', 'it is nested more than 200 levels'],
  ['three times', '[*a, *a, *a]', 'it contains more than 250000 values'],
])('YAML that contains itself %s is refused, and not only when the deadline passes', async (_times, x, words) => {
  expect(await sentence(`openapi: 3.1.0\nx: &a ${x}\n`)).toContain(words);
});
