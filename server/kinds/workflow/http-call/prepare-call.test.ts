import { expect, test } from 'vitest';
import type { Json, JsonObject } from '../../../../shared/json.ts';
import { hostOf } from './hosts.ts';
import { prepareHttpCall, prepareOpenApiCall } from './index.ts';

const BASE = { method: 'get', endpoint: 'https://api.example.com/pets?a=1#part' };

function prepared(given: JsonObject): JsonObject {
  const result = prepareHttpCall({ ...BASE, ...given }, { secrets: {} });
  if (!result.ok) return { type: result.error.type, detail: result.error.detail };
  const { method, url, headers, body } = result.request.request;
  return { method, url: url.href, headers: { ...headers }, body: body === undefined ? null : String(body) };
}

test('a call without more asks for JSON, and says whose it is', () => {
  expect(prepared({})).toEqual({
    method: 'GET',
    url: 'https://api.example.com/pets?a=1',
    headers: { accept: 'application/json, */*;q=0.8', 'user-agent': 'cuebook' },
    body: null,
  });
});

test.each<[Json, string]>([
  [{ b: 'x y&z', c: 2, d: false }, '?a=1&b=x%20y%26z&c=2&d=false'],
  [{ b: ['x', 1], c: [], d: null }, '?a=1&b=x&b=1'],
  [{}, '?a=1'],
  [null, '?a=1'],
])('the query %j is written as %s', (query, expected) => {
  expect(prepared({ query })['url']).toBe(`https://api.example.com/pets${expected}`);
});

test('headers take scalars under names of either case, and the later one counts', () => {
  expect(
    prepared({ headers: { ACCEPT: 'text/csv', 'X-N': 1, 'x-n': 2, 'X-Flag': true, 'X-None': null } })['headers'],
  ).toEqual({
    accept: 'text/csv',
    'user-agent': 'cuebook',
    'x-n': '2',
    'x-flag': 'true',
  });
});

test.each<[JsonObject, string | null, string | undefined]>([
  [{ body: { a: 1 } }, '{"a":1}', 'application/json'],
  [{ body: [] }, '[]', 'application/json'],
  [{ body: 0 }, '0', 'application/json'],
  [{ body: 'text' }, 'text', 'text/plain; charset=utf-8'],
  [{ body: null }, null, undefined],
  [{ body: '{"a":1}', headers: { 'Content-Type': 'application/json' } }, '{"a":1}', 'application/json'],
  [{ body: { a: 1 }, headers: { 'Content-Type': 'application/hal+json' } }, '{"a":1}', 'application/hal+json'],
  [
    { body: { a: 'x y', b: [1, 2] }, headers: { 'content-type': 'application/x-www-form-urlencoded' } },
    'a=x+y&b=1&b=2',
    'application/x-www-form-urlencoded',
  ],
])('%j sends the body %j as %s', (given, body, type) => {
  const request = prepared({ method: 'POST', ...given });
  expect(request['body']).toBe(body);
  expect((request['headers'] as JsonObject)['content-type']).toBe(type);
});

test.each<[string, JsonObject]>([
  ['configuration', { method: 'fetch' }],
  ['configuration', { method: 'connect' }],
  ['configuration', { method: null }],
  ['configuration', { endpoint: '/relative' }],
  ['configuration', { endpoint: 'file:///etc/passwd' }],
  ['configuration', { endpoint: 'https://name:word@api.example.com' }],
  ['configuration', { endpoint: { uri: 1 } }],
  ['configuration', { output: 'everything' }],
  ['validation', { query: 'a=1' }],
  ['validation', { query: { a: { b: 1 } } }],
  ['validation', { headers: ['x'] }],
  ['validation', { headers: { 'x y': 1 } }],
  ['validation', { headers: { 'x-y': {} } }],
  ['validation', { headers: { 'x-y': 'a\r\nb' } }],
  ['validation', { headers: { Host: 'other.example' } }],
  ['validation', { headers: { 'Transfer-Encoding': 'chunked' } }],
  ['validation', { body: {}, headers: { 'content-type': 'text/csv' } }],
  ['validation', { body: [], headers: { 'content-type': 'application/x-www-form-urlencoded' } }],
])('%s refuses %j', (type, given) => {
  expect(prepared(given)).toMatchObject({ type });
});

const authenticated = (authentication: Json, secrets: Record<string, string> = {}, authentications: JsonObject = {}) =>
  prepareHttpCall({ ...BASE, endpoint: { uri: BASE.endpoint, authentication } }, { secrets, authentications });

const granted = (own: JsonObject) => ({
  oauth2: {
    authority: 'https://id.example',
    grant: 'client_credentials',
    client: { id: 'me', secret: 'mine' },
    ...own,
  },
});

test.each<[string, Json]>([
  ['configuration', { digest: { username: 'a', password: 'b' } }],
  ['configuration', { use: 'nobody' }],
  ['configuration', 'bearer'],
  ['configuration', { basic: { username: 'a' } }],
  ['configuration', { basic: { username: 'a:b', password: 'c' } }],
  ['configuration', { bearer: { token: 'a\r\nb' } }],
  ['authorization', { bearer: { use: 'MISSING' } }],
  ['configuration', { basic: { use: 'PLAIN' } }],
  ['configuration', granted({ grant: 'password' })],
  ['configuration', granted({ authority: '/realms' })],
  ['configuration', granted({ client: { id: 'me' } })],
  ['configuration', granted({ client: { id: 'me', secret: 'x', authentication: 'private_key_jwt' } })],
])('%s refuses the authentication %j', (type, authentication) => {
  const result = authenticated(authentication, { PLAIN: 'no object' });
  expect(result).toMatchObject({ ok: false, error: { type, status: type === 'authorization' ? 403 : 400 } });
});

test('an authentication is found by its name, and its settings in a secret', () => {
  const named = authenticated(
    { use: 'desk' },
    { DESK: '{"username":"me","password":"mine"}' },
    { desk: { basic: { use: 'DESK' } } },
  );
  expect(named).toMatchObject({ request: { authentication: { scheme: 'basic', username: 'me', password: 'mine' } } });
  expect(authenticated({ bearer: { use: 'DESK' } }, { DESK: 'plain' })).toMatchObject({
    request: { authentication: { scheme: 'bearer', token: 'plain' } },
  });
});

test('an OpenAPI call needs a document and an operation', () => {
  const given = { document: { endpoint: 'https://api.example.com/openapi.json' }, operationId: 'findPets' };
  expect(prepareOpenApiCall(given, { secrets: {} })).toMatchObject({ ok: true, request: { parameters: {} } });
  for (const wrong of [
    { document: null },
    { operationId: 1 },
    { parameters: [] },
    { output: 1 },
    { authentication: 1 },
  ]) {
    expect(prepareOpenApiCall({ ...given, ...wrong }, { secrets: {} })).toMatchObject({ ok: false });
  }
});

test('an error holds no secret, where an expression made a name of one', () => {
  const result = prepareHttpCall({ ...BASE, headers: { 'secret value': 1 } }, { secrets: { A: 'secret value' } });
  expect(result).toMatchObject({ ok: false, error: { detail: '`***` cannot be the name of a header.' } });
});

test.each([
  ['https://API.example.com/x', 'api.example.com:443'],
  ['http://api.example.com./x', 'api.example.com:80'],
  ['https://api.example.com:8443', 'api.example.com:8443'],
  ['http://[::1]:9/', '[::1]:9'],
  ['http://bücher.example/', 'xn--bcher-kva.example:80'],
])('%s is at %s', (address, host) => {
  expect(hostOf(new URL(address))).toBe(host);
});
