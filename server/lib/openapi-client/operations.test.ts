import { expect, test } from 'vitest';
import { findOperation, listOperations } from './index.ts';
import { documentOf, requestOf } from './testing.ts';

const SERVER = { openapi: '3.1.0', servers: [{ url: 'https://api.example.com/v1' }] };

test('operations are listed with what they take, references resolved', async () => {
  const document = await documentOf({
    ...SERVER,
    paths: {
      '/pets/{id}': { $ref: '#/components/pathItems/pet~1by%20id' },
      'x-own': { get: { operationId: 'nothing' } },
    },
    components: {
      pathItems: {
        'pet/by id': {
          parameters: [{ $ref: '#/components/parameters/id' }, { name: 'lang', in: 'query', required: true }],
          put: {
            operationId: 'replacePet',
            summary: 'Replaces a pet',
            deprecated: true,
            parameters: [{ name: 'lang', in: 'query', description: 'mine' }],
            requestBody: { $ref: '#/components/requestBodies/pet' },
            responses: {
              200: { content: { 'text/plain': {}, 'application/json': {} } },
              404: { content: { 'text/html': {} } },
            },
          },
          delete: {},
        },
      },
      parameters: { id: { name: 'id', in: 'path', schema: { type: 'integer' } } },
      requestBodies: {
        pet: { required: true, content: { 'application/xml': {}, 'application/json': { schema: {} } } },
      },
    },
  });
  const operations = [...listOperations(document)].map(({ read }) => read());
  expect(operations.map(({ id, method, path }) => [id, method, path])).toEqual([
    ['replacePet', 'put', '/pets/{id}'],
    [undefined, 'delete', '/pets/{id}'],
  ]);
  expect(operations[0]).toMatchObject({
    summary: 'Replaces a pet',
    isDeprecated: true,
    accepts: ['application/json', 'text/plain'],
    body: {
      names: ['body'],
      isRequired: true,
      mediaTypes: [{ type: 'application/json' }, { type: 'application/xml' }],
    },
  });
  expect(operations[0]?.parameters.map(({ name, isRequired, description }) => [name, isRequired, description])).toEqual(
    [
      ['lang', false, 'mine'],
      ['id', true, undefined],
    ],
  );
});

test('an unknown operation is refused with the name that was meant; a name of two is refused', async () => {
  const document = await documentOf({
    ...SERVER,
    paths: {
      '/a': { get: { operationId: 'findPets' }, put: { operationId: 'twice' }, post: { operationId: 'twice' } },
    },
  });
  expect(findOperation(document, 'findPet')).toEqual({
    ok: false,
    error: { kind: 'unknown_operation', detail: 'The document has no operation `findPet`. Did you mean `findPets`?' },
  });
  expect(findOperation(document, 'constructor')).toMatchObject({ ok: false, error: { kind: 'unknown_operation' } });
  expect(findOperation(document, 'twice')).toMatchObject({ ok: false, error: { kind: 'unusable_document' } });
});

test('references in circles, out of the document or to nothing are as if nothing stood there', async () => {
  const document = await documentOf({
    ...SERVER,
    paths: {
      '/a': {
        get: {
          operationId: 'a',
          parameters: [
            { $ref: '#/components/parameters/round' },
            { $ref: 'https://elsewhere.example/parameters.json' },
            { $ref: '#/components/parameters/__proto__' },
            { $ref: '#/%' },
            { $ref: '#/paths/~1a/get/parameters/5' },
            { name: 'q', in: 'query', schema: { $ref: '#/components/schemas/tree' } },
          ],
        },
      },
      '/b': { $ref: '#/paths/~1c' },
      '/c': { $ref: '#/paths/~1b' },
    },
    components: {
      parameters: { round: { $ref: '#/components/parameters/round' } },
      schemas: { tree: { type: 'array', items: { $ref: '#/components/schemas/tree' } } },
    },
  });
  const parameters = [...listOperations(document)].flatMap(({ read }) => read().parameters);
  expect(parameters.map(({ name }) => name)).toEqual(['q']);
  expect(requestOf(document, 'a', { q: 'x' })['url']).toBe('https://api.example.com/v1/a?q=x');
});

test.each([
  [[{ url: 'https://b.example/{v}/', variables: { v: { default: 'v2' } } }], 'https://b.example/v2/a'],
  [[{ url: '/base' }, { url: 'https://second.example' }], 'https://docs.example/base/a'],
  [[{ url: '../api' }], 'https://docs.example/api/a'],
  [undefined, 'https://docs.example/a'],
  [[{ url: '//other.example:8443/x?k=v' }], 'https://other.example:8443/x/a?k=v'],
])('a document with the servers %j is called at %s', async (servers, expected) => {
  const paths = { '/a': { get: { operationId: 'a' } } };
  const document = await documentOf(
    servers === undefined ? { openapi: '3.0.0', paths } : { openapi: '3.0.0', servers, paths },
    'https://docs.example/v1/openapi.json',
  );
  expect(requestOf(document, 'a', {})['url']).toBe(expected);
});

test('the servers of an operation go before those of its path, and those before the document', async () => {
  const servers = [{ url: 'https://path.example' }];
  const document = await documentOf({
    ...SERVER,
    paths: {
      '/a': {
        servers,
        get: { operationId: 'a', servers: [{ url: 'https://own.example' }] },
        put: { operationId: 'b' },
      },
    },
  });
  expect(requestOf(document, 'a', {})['url']).toBe('https://own.example/a');
  expect(requestOf(document, 'b', {})['url']).toBe('https://path.example/a');
});

test.each([
  [{ schemes: ['http', 'https'], host: 'api.example', basePath: '/v2' }, 'https://api.example/v2/a'],
  [{ schemes: ['http'], host: 'api.example:81' }, 'http://api.example:81/a'],
  [{ schemes: ['ws', 'http'], basePath: 'v2/' }, 'http://docs.example/v2/a'],
  [{}, 'https://docs.example/a'],
])('a 2.0 document that says %j is called at %s', async (said, expected) => {
  const document = await documentOf(
    { swagger: '2.0', ...said, paths: { '/a': { get: { operationId: 'a' } } } },
    'https://docs.example/swagger.json',
  );
  expect(requestOf(document, 'a', {})['url']).toBe(expected);
});

test.each([
  [{ url: '/relative' }],
  [{ url: 'ftp://x.example' }],
  [{ url: 'https://{host}' }],
  [{ url: 'https://' }],
  ['no object'],
])('a document whose server is %j names no address that can be called', async (server) => {
  const document = await documentOf({
    openapi: '3.0.0',
    servers: [server],
    paths: { '/a': { get: { operationId: 'a' } } },
  });
  expect(requestOf(document, 'a', {})).toMatchObject({ error: 'unusable_document' });
});
