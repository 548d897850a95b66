import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../shared/json.ts';
import { documentOf, requestOf } from './testing.ts';

const LIST = ['blue', 'black'];
const OBJECT = { R: 100, G: 'a b' };

async function sent(parameter: JsonObject, value: Json, path = '/x'): Promise<JsonObject> {
  const document = await documentOf({
    openapi: '3.1.0',
    servers: [{ url: 'https://api.example' }],
    paths: { [path]: { get: { operationId: 'it', parameters: [{ name: 'color', ...parameter }] } } },
  });
  return requestOf(document, 'it', { color: value });
}

test.each<[JsonObject, Json, string]>([
  [{}, 'a b/&=ü', 'color=a%20b%2F%26%3D%C3%BC'],
  [{}, 1.5, 'color=1.5'],
  [{}, false, 'color=false'],
  [{}, '', 'color='],
  [{}, LIST, 'color=blue&color=black'],
  [{}, [], ''],
  [{}, 'half \uD800', 'color=half%20%EF%BF%BD'],
  [{}, OBJECT, 'R=100&G=a%20b'],
  [{ explode: false }, LIST, 'color=blue,black'],
  [{ explode: false }, [], ''],
  [{ explode: false }, OBJECT, 'color=R,100,G,a%20b'],
  [{ style: 'spaceDelimited' }, LIST, 'color=blue%20black'],
  [{ style: 'pipeDelimited' }, LIST, 'color=blue%7Cblack'],
  [{ style: 'pipeDelimited', explode: true }, LIST, 'color=blue&color=black'],
  [{ style: 'deepObject', explode: true }, OBJECT, 'color%5BR%5D=100&color%5BG%5D=a%20b'],
  [{ style: 'deepObject' }, { a: { b: [1, 2] }, c: 3 }, 'color%5Ba%5D%5Bb%5D=1&color%5Ba%5D%5Bb%5D=2&color%5Bc%5D=3'],
  [{ allowReserved: true }, 'a/b?c#d e', 'color=a/b?c%23d%20e'],
  [{ content: { 'application/json': { schema: {} } } }, OBJECT, 'color=%7B%22R%22%3A100%2C%22G%22%3A%22a%20b%22%7D'],
  [{ content: { 'application/json': { schema: { type: 'array' } } } }, 1, 'color=%5B1%5D'],
  [{ style: 'unheard-of' }, 'x', 'color=x'],
])('in a query, %j writes %j as %s', async (parameter, value, query) => {
  expect((await sent({ in: 'query', ...parameter }, value))['url']).toBe(
    `https://api.example/x${query && '?'}${query}`,
  );
});

test.each<[JsonObject, Json, string]>([
  [{}, 'a b/c?d', 'a%20b%2Fc%3Fd'],
  [{}, LIST, 'blue,black'],
  [{}, { R: 100, G: 2 }, 'R,100,G,2'],
  [{ explode: true }, { R: 100, G: 2 }, 'R=100,G=2'],
  [{ style: 'label' }, LIST, '.blue,black'],
  [{ style: 'label', explode: true }, LIST, '.blue.black'],
  [{ style: 'label', explode: true }, { R: 1, G: 2 }, '.R=1.G=2'],
  [{ style: 'matrix' }, 'x', ';color=x'],
  [{ style: 'matrix' }, LIST, ';color=blue,black'],
  [{ style: 'matrix', explode: true }, LIST, ';color=blue;color=black'],
  [{ style: 'matrix', explode: true }, { R: 1, G: 2 }, ';R=1;G=2'],
])('in a path, %j writes %j as %s', async (parameter, value, text) => {
  expect((await sent({ in: 'path', ...parameter }, value, '/x/{color}/y'))['url']).toBe(
    `https://api.example/x/${text}/y`,
  );
});

test.each(['..', '.', ''])('in a path, %j is refused', async (value) => {
  expect(await sent({ in: 'path' }, value, '/x/{color}')).toMatchObject({ error: 'bad_parameter' });
});

test('in a path, what looks encoded is text like any other', async () => {
  expect((await sent({ in: 'path' }, '%2e%2E', '/x/{color}'))['url']).toBe('https://api.example/x/%252e%252E');
});

test('two parameters that make a step out of the path together are refused', async () => {
  const document = await documentOf({
    openapi: '3.1.0',
    servers: [{ url: 'https://api.example' }],
    paths: { '/x/{a}{b}': { get: { operationId: 'it' } } },
  });
  expect(requestOf(document, 'it', { a: '.', b: '.' })).toMatchObject({ error: 'bad_parameter' });
  expect(requestOf(document, 'it', { a: 'v', b: 1 })['url']).toBe('https://api.example/x/v1');
});

test.each<[JsonObject, Json, string]>([
  [{}, LIST, 'blue,black'],
  [{ explode: true }, { R: 1, G: 'ü' }, 'R=1,G=ü'],
  [{ content: { 'application/json': {} } }, { R: 1 }, '{"R":1}'],
])('in a header, %j writes %j as %s', async (parameter, value, text) => {
  expect((await sent({ in: 'header', ...parameter }, value))['headers']).toMatchObject({ color: text });
});

test.each(['a\r\nb', '日本'])('in a header, %j is refused, and the sentence does not hold it', async (value) => {
  const request = await sent({ in: 'header' }, value);
  expect(request).toMatchObject({ error: 'bad_parameter' });
  expect(JSON.stringify(request)).not.toContain(value);
});

test('cookies stand in one header', async () => {
  expect((await sent({ in: 'cookie' }, LIST))['headers']).toMatchObject({ cookie: 'color=blue; color=black' });
  expect((await sent({ in: 'cookie' }, 'a;b'))['headers']).toMatchObject({ cookie: 'color=a%3Bb' });
});

test.each([{ type: 'array' }, { type: ['array', 'null'] }, { items: {} }, { $ref: '#/components/schemas/list' }])(
  'given the schema %j, then a single value is put into a list',
  async (schema) => {
    const document = await documentOf({
      openapi: '3.1.0',
      servers: [{ url: 'https://api.example' }],
      paths: {
        '/x': { post: { operationId: 'it', requestBody: { content: { 'application/json': { schema } } } } },
      },
      components: { schemas: { list: { type: 'array' } } },
    });
    expect(requestOf(document, 'it', { body: 'one' })['body']).toBe('["one"]');
    expect(requestOf(document, 'it', { body: ['one', 'two'] })['body']).toBe('["one","two"]');
  },
);

test.each([
  [{ type: 'array' }, 'color=blue,black'],
  [{ type: 'array', collectionFormat: 'multi' }, 'color=blue&color=black'],
  [{ type: 'array', collectionFormat: 'ssv' }, 'color=blue%20black'],
  [{ type: 'array', collectionFormat: 'tsv' }, 'color=blue%09black'],
  [{ type: 'array', collectionFormat: 'pipes' }, 'color=blue%7Cblack'],
])('2.0: %j writes a list as %s', async (parameter, query) => {
  const document = await documentOf({
    swagger: '2.0',
    host: 'api.example',
    paths: { '/x': { get: { operationId: 'it', parameters: [{ name: 'color', in: 'query', ...parameter }] } } },
  });
  expect(requestOf(document, 'it', { color: LIST })['url']).toBe(`https://api.example/x?${query}`);
  expect(requestOf(document, 'it', { color: 'one' })['url']).toBe('https://api.example/x?color=one');
});
