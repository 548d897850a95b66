import { expect, test } from 'vitest';
import type { JsonObject } from '../../../shared/json.ts';
import { documentOf, requestOf } from './testing.ts';

const SERVERS = [{ url: 'https://api.example' }];
const JSON_BODY = { requestBody: { content: { 'application/json': {} } } };

const operation = (path: string, own: JsonObject) =>
  documentOf({ openapi: '3.0.3', servers: SERVERS, paths: { [path]: { post: { operationId: 'it', ...own } } } });

const parameter = (name: string, location: string, more: JsonObject = {}): JsonObject => ({
  name,
  in: location,
  ...(location === 'path' ? { required: true } : {}),
  ...more,
});

test('of parameters of one name the path has it, and each goes to its own place', async () => {
  const locations = ['cookie', 'header', 'query', 'path'];
  const document = await operation('/x/{id}', { parameters: locations.map((location) => parameter('id', location)) });
  expect(requestOf(document, 'it', { id: 1 })).toMatchObject({ url: 'https://api.example/x/1' });
  const all = { id: 1, query_id: 2, header_id: 3, cookie_id: 4 };
  expect(requestOf(document, 'it', all)).toMatchObject({
    url: 'https://api.example/x/1?id=2',
    headers: { id: '3', cookie: 'id=4' },
  });
});

test('`body` is the body, and a parameter of that name is given by its place', async () => {
  const document = await operation('/x', {
    parameters: [parameter('body', 'query', { required: true })],
    ...JSON_BODY,
  });
  expect(requestOf(document, 'it', { body: { a: 1 } })).toEqual({
    error: 'missing_parameter',
    detail: 'The parameter `query_body` is required.',
  });
  expect(requestOf(document, 'it', { body: { a: 1 }, query_body: 'q' })).toMatchObject({
    url: 'https://api.example/x?body=q',
    body: '{"a":1}',
  });
  const alone = await operation('/x', { parameters: [parameter('body', 'query')] });
  expect(requestOf(alone, 'it', { body: 'q' })).toMatchObject({ url: 'https://api.example/x?body=q' });
});

test('a name that is made gives way to one that the document has', async () => {
  const parameters = [parameter('id', 'path'), parameter('id', 'query'), parameter('query_id', 'query')];
  const document = await operation('/x/{id}', { parameters });
  expect(requestOf(document, 'it', { id: 1, query_id: 2, query_id_2: 3 })).toMatchObject({
    url: 'https://api.example/x/1?id=3&query_id=2',
  });
});

test('a place of the path that no parameter declares has its name too', async () => {
  const document = await operation('/x/{id}', { parameters: [parameter('id', 'query')] });
  expect(requestOf(document, 'it', { id: 1, query_id: 2 })).toMatchObject({ url: 'https://api.example/x/1?id=2' });
});

test('2.0: form fields come last, and the own name of a body goes to a parameter that has it', async () => {
  const swagger = (parameters: JsonObject[]) =>
    documentOf({
      swagger: '2.0',
      host: 'api.example',
      paths: { '/x/{pet}': { post: { operationId: 'it', parameters } } },
    });
  const field = await swagger([parameter('pet', 'formData', { type: 'string' }), parameter('pet', 'path')]);
  expect(requestOf(field, 'it', { pet: 1, form_pet: 'Rex' })).toMatchObject({
    url: 'https://api.example/x/1',
    body: 'pet=Rex',
  });
  const body = await swagger([parameter('pet', 'body', { schema: {} }), parameter('pet', 'path')]);
  expect(requestOf(body, 'it', { pet: 1, body: { name: 'Rex' } })).toMatchObject({
    url: 'https://api.example/x/1',
    body: '{"name":"Rex"}',
  });
});
