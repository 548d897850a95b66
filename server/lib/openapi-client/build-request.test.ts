import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../shared/json.ts';
import { buildRequest, findOperation } from './index.ts';
import { documentOf, requestOf } from './testing.ts';

const operation = (own: JsonObject) =>
  documentOf({
    openapi: '3.0.3',
    servers: [{ url: 'https://api.example' }],
    paths: { '/x': { post: { operationId: 'it', ...own } } },
  });

const withBody = (content: JsonObject) => operation({ requestBody: { required: true, content } });

test('what is required and missing is refused by name, and null is the same as missing', async () => {
  const document = await operation({
    parameters: [
      { name: 'q', in: 'query', required: true },
      { name: 'r', in: 'query' },
    ],
    requestBody: { required: true, content: { 'application/json': {} } },
  });
  const missing = (name: string) => ({ error: 'missing_parameter', detail: `The parameter \`${name}\` is required.` });
  expect(requestOf(document, 'it', {})).toEqual(missing('q'));
  expect(requestOf(document, 'it', { q: null })).toEqual(missing('q'));
  expect(requestOf(document, 'it', { q: 0 })).toEqual(missing('body'));
  expect(requestOf(document, 'it', { q: 0, r: null, body: false })).toMatchObject({
    url: 'https://api.example/x?q=0',
    body: 'false',
  });
});

test('an argument that the operation does not take is refused, and what was meant is said', async () => {
  const document = await operation({ parameters: [{ name: 'status', in: 'query' }] });
  expect(requestOf(document, 'it', { statos: 'x' })).toEqual({
    error: 'unknown_parameter',
    detail: 'The operation has no parameter `statos`. Did you mean `status`?',
  });
  expect(requestOf(document, 'it', { nothing: 1 })['detail']).toContain('It takes status.');
  expect(requestOf(document, 'it', { body: {} })).toMatchObject({ error: 'unknown_parameter' });
  expect(requestOf(await operation({}), 'it', { a: 1 })['detail']).toContain('It takes none.');
});

test.each(['Authorization', 'Host', 'content-length', 'Transfer-Encoding'])(
  'a header parameter named %s is ignored: the service sets that header',
  async (name) => {
    const document = await operation({ parameters: [{ name, in: 'header', required: true }] });
    expect(requestOf(document, 'it', {})).toMatchObject({ method: 'POST' });
    expect(requestOf(document, 'it', { [name]: '300' })).toMatchObject({ error: 'unknown_parameter' });
  },
);

test('the answers that the document describes are accepted, JSON first', async () => {
  const responses = { 200: { content: { 'text/csv': {}, 'application/hal+json': {} } } };
  expect(requestOf(await operation({ responses }), 'it', {})['headers']).toEqual({
    accept: 'application/hal+json, text/csv',
  });
  expect(requestOf(await operation({}), 'it', {})['headers']).toEqual({ accept: 'application/json, */*;q=0.8' });
});

test.each<[JsonObject, Json, string, string]>([
  [{ 'text/plain': {}, 'application/json': {} }, { a: 1 }, 'application/json', '{"a":1}'],
  [{ 'application/vnd.api+json': {} }, [1], 'application/vnd.api+json', '[1]'],
  [{ 'application/json': {} }, 'text', 'application/json', '"text"'],
  [{ '*/*': {} }, 'text', 'application/json', '"text"'],
  [{}, 1, 'application/json', '1'],
  [{ 'text/csv': {} }, 'a,b', 'text/csv', 'a,b'],
  [{ 'application/x-www-form-urlencoded': {}, 'text/plain': {} }, 'a', 'text/plain', 'a'],
  [
    { 'application/x-www-form-urlencoded': {} },
    { a: 'b c&d', e: [1, true], f: null, 'g h': { i: 1 } },
    'application/x-www-form-urlencoded',
    'a=b+c%26d&e=1&e=true&g+h=%7B%22i%22%3A1%7D',
  ],
])('given the media types %j, the body %j is sent as %s', async (content, value, type, body) => {
  expect(requestOf(await withBody(content), 'it', { body: value })).toMatchObject({
    headers: { 'content-type': type },
    body,
  });
});

test('a body that the media type cannot hold is refused', async () => {
  expect(requestOf(await withBody({ 'text/csv': {} }), 'it', { body: {} })).toEqual({
    error: 'bad_parameter',
    detail: '`body` is sent as text/csv and must be a string.',
  });
  const form = await withBody({ 'application/x-www-form-urlencoded': {} });
  expect(requestOf(form, 'it', { body: [1] })).toMatchObject({ error: 'bad_parameter' });
});

test('parts are written with their names, and files with a file name', async () => {
  const document = await withBody({
    'multipart/form-data': { schema: { properties: { file: { type: 'string', format: 'binary' } } } },
  });
  const request = requestOf(document, 'it', { body: { file: 'bytes', 'a"\r\n': [1, 2] } });
  const type = String((request['headers'] as JsonObject)['content-type']);
  const boundary = type.replace('multipart/form-data; boundary=', '');
  expect(request['body']).toBe(
    [
      `--${boundary}\r\nContent-Disposition: form-data; name="file"; filename="file"`,
      'Content-Type: application/octet-stream\r\n\r\nbytes',
      `--${boundary}\r\nContent-Disposition: form-data; name="a%22%0D%0A"\r\n\r\n1`,
      `--${boundary}\r\nContent-Disposition: form-data; name="a%22%0D%0A"\r\n\r\n2`,
      `--${boundary}--\r\n`,
    ].join('\r\n'),
  );
});

const swagger = (own: JsonObject) =>
  documentOf({
    swagger: '2.0',
    host: 'api.example',
    consumes: ['application/json'],
    produces: ['application/xml', 'application/json'],
    paths: { '/x': { post: { operationId: 'it', ...own } } },
  });

test('2.0: a body is given by its own name or as `body`', async () => {
  const document = await swagger({
    parameters: [{ name: 'pet', in: 'body', required: true, schema: { $ref: '#/definitions/Pet' } }],
  });
  const sent = {
    headers: { accept: 'application/json, application/xml', 'content-type': 'application/json' },
    body: '{"name":"Rex"}',
  };
  expect(requestOf(document, 'it', { pet: { name: 'Rex' } })).toMatchObject(sent);
  expect(requestOf(document, 'it', { body: { name: 'Rex' } })).toMatchObject(sent);
  expect(requestOf(document, 'it', {})).toMatchObject({
    error: 'missing_parameter',
    detail: 'The parameter `pet` is required.',
  });
});

test('2.0: form fields are arguments of their own', async () => {
  const parameters: JsonObject[] = [
    { name: 'a', in: 'formData', type: 'string', required: true },
    { name: 'tags', in: 'formData', type: 'array', collectionFormat: 'multi' },
    { name: 'codes', in: 'formData', type: 'array' },
  ];
  const document = await swagger({ parameters });
  expect(requestOf(document, 'it', { a: 'x y', tags: ['t', 'u'], codes: [1, 2] })).toMatchObject({
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'a=x+y&tags=t&tags=u&codes=1,2',
  });
  expect(requestOf(document, 'it', { tags: 't' })).toMatchObject({ error: 'missing_parameter' });
  const withFile = await swagger({ parameters: [...parameters, { name: 'file', in: 'formData', type: 'file' }] });
  const request = requestOf(withFile, 'it', { a: 'x', codes: [1, 2], file: 'bytes' });
  expect(request['body']).toContain('name="codes"\r\n\r\n1,2\r\n');
  expect(request['body']).toContain(
    'name="file"; filename="file"\r\nContent-Type: application/octet-stream\r\n\r\nbytes\r\n',
  );
});

test('a base address takes the place of the servers', async () => {
  const document = await operation({});
  const found = findOperation(document, 'it');
  const built = found.ok ? buildRequest(document, found.operation, {}, new URL('http://127.0.0.1:9/base/')) : found;
  expect(built.ok && built.request.url.href).toBe('http://127.0.0.1:9/base/x');
});
