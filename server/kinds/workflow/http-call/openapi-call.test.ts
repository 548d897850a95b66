import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../../shared/json.ts';
import { serveHttp } from '../../../lib/http-client/testing.ts';
import { prepareCall, resolveCall } from './index.ts';
import { call, testContext } from './testing.ts';

/** A server that has a document at `/openapi.json`, and records its other requests. */
async function serve(document: (origin: string) => Json | string, status = 200) {
  const asked: string[] = [];
  const url = await serveHttp((request, response) => {
    const { url: path = '', headers, method = '' } = request;
    asked.push(`${method} ${path}`);
    if (path !== '/openapi.json') {
      response
        .writeHead(200, { 'content-type': 'application/json' })
        .end(JSON.stringify({ path, accept: headers.accept ?? null }));
      return;
    }
    const body = document(`http://${headers.host}`);
    response.writeHead(status).end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  return { url, asked, given: (own: JsonObject) => ({ document: { endpoint: `${url.href}openapi.json` }, ...own }) };
}

const pets = (servers: Json[]): Json => ({
  openapi: '3.0.3',
  servers,
  paths: {
    '/pets/{id}': {
      get: {
        operationId: 'getPet',
        parameters: [
          { name: 'id', in: 'path', required: true },
          { name: 'tags', in: 'query', schema: { type: 'array' } },
          { name: 'Host', in: 'header' },
        ],
      },
    },
  },
});

test('an operation is found in the document and called', async () => {
  const { asked, given } = await serve(() => pets([{ url: '/v1' }]));
  const result = await call('openapi', given({ operationId: 'getPet', parameters: { id: 'a/b', tags: 'x' } }));
  expect(result).toEqual({
    ok: true,
    output: { path: '/v1/pets/a%2Fb?tags=x', accept: 'application/json, */*;q=0.8' },
  });
  expect(asked).toEqual(['GET /openapi.json', 'GET /v1/pets/a%2Fb?tags=x']);
});

test('a document of 2.0 in YAML is one too', async () => {
  const { url, given } = await serve(() =>
    [
      'swagger: "2.0"',
      'basePath: /v2',
      'paths:',
      '  /pets:',
      '    post: { operationId: addPet, parameters: [{ name: pet, in: body }] }',
    ].join('\n'),
  );
  const result = await call(
    'openapi',
    given({ operationId: 'addPet', parameters: { pet: { name: 'Rex' } }, output: 'response' }),
  );
  expect(result).toMatchObject({
    ok: true,
    output: { request: { method: 'post', uri: `${url.href}v2/pets`, headers: { 'content-type': 'application/json' } } },
  });
});

test('a document is read again after a minute', async () => {
  const { asked, given } = await serve(() => pets([]));
  const own = testContext();
  const reads = () => asked.filter((one) => one === 'GET /openapi.json').length;
  const ask = () => call('openapi', given({ operationId: 'getPet', parameters: { id: 1 } }), own);
  await ask();
  own.clock.advance(59_999);
  await ask();
  expect(reads()).toBe(1);
  own.clock.advance(1);
  await ask();
  expect(reads()).toBe(2);
});

test.each<[string, JsonObject]>([
  ['configuration', { operationId: 'getPat' }],
  ['validation', { operationId: 'getPet' }],
  ['validation', { operationId: 'getPet', parameters: { id: '..' } }],
  ['validation', { operationId: 'getPet', parameters: { id: 1, owner: 2 } }],
  ['validation', { operationId: 'getPet', parameters: { id: 1, Host: 'other.example' } }],
])('%s refuses %j before anything is sent', async (type, own) => {
  const { asked, given } = await serve(() => pets([]));
  expect(await call('openapi', given(own))).toMatchObject({ ok: false, error: { type, status: 400 } });
  expect(asked).toEqual(['GET /openapi.json']);
});

test.each<[string, number, number, string]>([
  ['configuration', 400, 200, 'no document'],
  ['communication', 404, 404, '{}'],
  ['communication', 302, 302, '{}'],
])('a document that cannot be had is an error of %s %i', async (type, status, answered, body) => {
  const { given } = await serve(() => body, answered);
  expect(await call('openapi', given({ operationId: 'getPet' }))).toMatchObject({ ok: false, error: { type, status } });
});

test('the host of the document and those of its servers must be allowed', async () => {
  const { url, asked, given } = await serve(() => pets([{ url: 'http://127.0.0.2:9' }]));
  const operation = given({ operationId: 'getPet', parameters: { id: 1 } });
  const own = testContext({ isHostAllowed: (host) => host === url.host });
  expect(await call('openapi', operation, own)).toMatchObject({ error: { type: 'configuration' } });
  expect(asked).toEqual(['GET /openapi.json']);
  expect(await call('openapi', operation, testContext({ isHostAllowed: () => false }))).toMatchObject({
    error: { type: 'configuration' },
  });
  expect(asked).toHaveLength(1);
});

test('resolving reads the document and says the method, and sends nothing else', async () => {
  const { asked, given } = await serve(() => pets([]));
  const own = testContext();
  const prepared = prepareCall({ call: 'openapi', with: given({ operationId: 'getPet', parameters: { id: 1 } }) }, {});
  const resolved = prepared.ok ? await resolveCall(prepared.request, own) : prepared;
  expect(resolved).toMatchObject({ ok: true, call: { call: 'http', request: { method: 'GET' } } });
  expect(asked).toEqual(['GET /openapi.json']);
});

test('a document and its operation are asked for each with its own authentication', async () => {
  const seen: (string | undefined)[] = [];
  const url = await serveHttp((request, response) => {
    seen.push(request.headers.authorization);
    response.end(request.url === '/openapi.json' ? JSON.stringify(pets([])) : '');
  });
  const endpoint = { uri: `${url.href}openapi.json`, authentication: { bearer: { token: 'first' } } };
  await call('openapi', {
    document: { endpoint },
    operationId: 'getPet',
    parameters: { id: 1 },
    authentication: { bearer: { token: 'second' } },
  });
  expect(seen).toEqual(['Bearer first', 'Bearer second']);
});
