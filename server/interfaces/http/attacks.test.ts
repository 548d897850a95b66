// What attackers send instead of a key, or around one: each is refused, with the same words whatever exists.
import { createConnection } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ALL_PERMISSIONS } from '../../../shared/permissions.ts';
import { startServer, type TestServer } from '../../test/index.ts';
import { makeKey } from '../permissions.testing.ts';

const limited = makeKey('limited', ALL_PERMISSIONS, { playbooks: ['own'] });
const admin = makeKey('admin', ALL_PERMISSIONS);
const BEARER = `Authorization: Bearer ${limited.key}`;
const PAGE = 'https://page.example.com';

let server: TestServer;
beforeAll(async () => {
  server = await startServer({
    environment: {
      API_KEYS: JSON.stringify([limited.entry, admin.entry]),
      ALLOWED_ORIGINS: PAGE,
      PUBLIC_URL: 'https://cuebook.example.com',
      RATE_LIMIT: '0',
    },
  });
  for (const playbook of ['own', 'other']) {
    await server.post('/v1/orgs/acme/playbooks', { playbook, name: `Name of ${playbook}` }, admin.header);
  }
});
afterAll(() => server.close());

/** Sends lines that a client library would change or refuse to send, and returns everything that comes back. */
async function sendRaw(lines: readonly string[], body = ''): Promise<string> {
  const socket = createConnection(Number(new URL(server.address).port), '127.0.0.1');
  socket.on('error', () => {});
  socket.write(`${[...lines, 'Host: cuebook.example.com', 'Connection: close'].join('\r\n')}\r\n\r\n${body}`, 'latin1');
  let answer = '';
  socket.setEncoding('utf8').on('data', (piece: string) => (answer += piece));
  // The server may reset the connection when it refuses what is still being sent.
  await new Promise((resolve) => socket.once('close', resolve));
  return answer;
}

const statusesOf = (answer: string): number[] =>
  [...answer.matchAll(/^HTTP\/1\.1 (\d+)/gm)].map(([, status]) => Number(status));

const OWN = 'GET /v1/orgs/acme/playbooks/own HTTP/1.1';

describe('a credential', () => {
  test('in lower case, which the scheme may be, is accepted', async () => {
    expect(statusesOf(await sendRaw([OWN, BEARER.replace('Bearer', 'bearer')]))).toEqual([200]);
  });

  test.each([
    ['twice', [BEARER, BEARER]],
    ['twice, the second invalid', [BEARER, 'Authorization: Bearer x']],
    ['and an empty header', ['Authorization:', BEARER]],
    ['in two headers of other letter cases', [BEARER, BEARER.toUpperCase()]],
    ['folded over two lines', [`Authorization: Bearer`, ` ${limited.key}`]],
    ['after two spaces', [BEARER.replace('Bearer ', 'Bearer  ')]],
    ['with a comma and another', [`${BEARER}, Bearer x`]],
    ['with bytes of an unpaired surrogate', [`${BEARER}\u00ed\u00a0\u0080`]],
    ['with invalid UTF-8', [`${BEARER}\u00ff\u00fe`]],
    ['with a null byte', [`${BEARER}\u0000`]],
    ['as Basic', [BEARER.replace('Bearer', 'Basic')]],
    ['in a proxy header', [BEARER.replace('Authorization', 'Proxy-Authorization')]],
    ['in X-API-Key and a cookie', [`X-API-Key: ${limited.key}`, `Cookie: key=${limited.key}`]],
  ])('%s is refused', async (_how, headers) => {
    const answer = await sendRaw([OWN, ...headers]);
    expect(statusesOf(answer).filter((status) => status !== 400 && status !== 401)).toEqual([]);
    expect(answer).not.toContain('Name of');
  });

  test.each([16 * 1024, 1024 * 1024])('of %i bytes is refused', async (bytes) => {
    const answer = await sendRaw([OWN, `Authorization: Bearer abk_${'x'.repeat(bytes)}`]);
    expect(statusesOf(answer).filter((status) => status !== 401 && status !== 431)).toEqual([]);
  });

  test('in the query string is refused, with and without another in the header', async () => {
    for (const name of ['access_token', 'api_key', 'key', 'authorization']) {
      const target = `/v1/orgs/acme/playbooks?${name}=${limited.key}`;
      expect((await server.get(target)).status).toBe(401);
      const { status, text } = await server.get(target, limited.header);
      expect(status).toBe(422);
      expect(text).not.toContain(limited.key);
    }
  });
});

describe('a path', () => {
  test.each([
    '/v1/orgs/acme/playbooks/other',
    '/v1/orgs/acme/playbooks/%6fther',
    '/v1/orgs/acme/playbooks/own/../other',
    '/v1/orgs/acme/playbooks/own%2F..%2Fother',
    '/v1/orgs/acme/playbooks/own/%2e%2e/other',
    '/v1/orgs/acme/playbooks//other',
    '/v1//orgs/acme/playbooks/other',
    '//v1/orgs/acme/playbooks/other',
    '/v1/orgs/acme/playbooks/other/',
    '/v1/orgs/acme/playbooks/other.',
    '/v1/orgs/acme/playbooks/other;own',
    '/v1/orgs/acme/playbooks/other%00own',
    '/v1/orgs/acme/playbooks/own%0d%0aother',
    '/v1/orgs/acme/playbooks/OTHER',
    '/v1/orgs/globex/../acme/playbooks/other',
    '/v1/orgs/acme%2Fplaybooks/own/playbooks/other',
    '/v1/orgs/acme./playbooks/own',
    '/v1/orgs/ACME/playbooks/own',
    '/V1/orgs/acme/playbooks/other',
    '\\v1\\orgs\\acme\\playbooks\\other',
    'http://cuebook.example.com/v1/orgs/acme/playbooks/other',
    'http://127.0.0.1/v1/orgs/globex/playbooks/own',
    '/v1/orgs/acme/playbooks/%zz',
    '/v1/orgs/acme/playbooks/\u00ed\u00a0\u0080',
  ])('%s leads to no other playbook or org, by any method', async (target) => {
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'TRACE', 'PUT']) {
      const answer = await sendRaw([`${method} ${target} HTTP/1.1`, BEARER]);
      expect([method, statusesOf(answer).filter((status) => status < 400)]).toEqual([method, []]);
      expect(answer).not.toContain('Name of other');
    }
  });

  test('is refused without a key by every method, and other headers do not change it', async () => {
    for (const method of ['GET', 'HEAD', 'OPTIONS', 'DELETE', 'PATCH', 'PROPFIND']) {
      expect([method, statusesOf(await sendRaw([OWN.replace('GET', method)]))]).toEqual([method, [401]]);
    }
    const overrides = ['X-HTTP-Method-Override: DELETE', 'X-Original-URL: /health', 'X-Rewrite-URL: /health'];
    const forwarded = ['X-Forwarded-For: 127.0.0.1', 'X-Forwarded-Host: localhost', 'X-Forwarded-Proto: https'];
    expect(statusesOf(await sendRaw([OWN, ...overrides, ...forwarded, 'Forwarded: for=127.0.0.1']))).toEqual([401]);
  });
});

test('addresses in responses are those of PUBLIC_URL, whatever the Host and the forwarding headers say', async () => {
  const forwarded = [
    'Host: evil.example.com',
    'X-Forwarded-Host: evil.example.com',
    'X-Forwarded-Proto: gopher',
    'Forwarded: host=evil.example.com',
  ];
  for (const target of ['/.well-known/api-catalog', '/health', '/']) {
    expect(await sendRaw([`GET ${target} HTTP/1.1`, ...forwarded])).not.toMatch(/evil|gopher/);
  }
  const catalog = await sendRaw(['GET /.well-known/api-catalog HTTP/1.1', ...forwarded]);
  expect(catalog).toContain('link: <https://cuebook.example.com/.well-known/api-catalog>');
  expect(catalog).toContain('"anchor":"https://cuebook.example.com/v1"');
});

describe('a body', () => {
  const POST = 'POST /v1/orgs/acme/playbooks HTTP/1.1';
  const hidden = `${OWN.replace('own', 'other')}\r\nHost: x\r\nAuthorization: Bearer ${admin.key}\r\n\r\n`;

  test.each([
    ['two lengths', ['Content-Length: 2', `Content-Length: ${hidden.length}`]],
    ['a length and chunks', [`Content-Length: ${hidden.length}`, 'Transfer-Encoding: chunked']],
    ['chunks, in other words', ['Transfer-Encoding: xchunked']],
    ['chunks, twice', ['Transfer-Encoding: chunked', 'Transfer-Encoding: identity']],
    ['chunks after a tab', ['Transfer-Encoding:\tchunked, identity']],
    ['chunks before a space', ['Transfer-Encoding : chunked']],
    ['a length with a sign', ['Content-Length: +2']],
  ])('with %s smuggles no request', async (_how, headers) => {
    const answer = await sendRaw([POST, BEARER, 'Content-Type: application/json', ...headers], `0\r\n\r\n${hidden}`);
    expect(statusesOf(answer).filter((status) => status < 400)).toEqual([]);
    expect(answer).not.toContain('Name of');
  });
});

describe('a page', () => {
  const preflight = (origin: string, method = 'PUT'): Promise<Response> =>
    fetch(`${server.address}/v1/orgs/acme/playbooks/own`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': method, 'access-control-request-headers': 'authorization' },
    });
  const CORS = /^access-control-/;
  const corsOf = ({ headers }: Response): Record<string, string> =>
    Object.fromEntries([...headers].filter(([name]) => CORS.test(name) || name === 'vary'));

  test('of an allowed origin gets a preflight without a key, for ten minutes, without credentials or a wildcard', async () => {
    const answer = await preflight(PAGE);
    expect([answer.status, corsOf(answer)]).toEqual([
      204,
      {
        'access-control-allow-origin': PAGE,
        'access-control-allow-methods': 'GET, HEAD, POST, PUT',
        'access-control-allow-headers': 'authorization, content-type, traceparent, tracestate, baggage',
        'access-control-expose-headers': 'x-request-id, x-trace-id, www-authenticate',
        'access-control-max-age': '600',
        vary: 'Origin',
      },
    ]);
  });

  test.each([
    'https://page.example.com.evil.example',
    'https://sub.page.example.com',
    'http://page.example.com',
    'https://page.example.com:8443',
    'https://PAGE.example.com',
    'null',
    '*',
    'http://127.0.0.1',
  ])('of the origin %s is refused, its preflight too, and reads nothing', async (origin) => {
    const answers = [await preflight(origin), await fetch(`${server.address}/health`, { headers: { origin } })];
    expect(answers.map(({ status }) => status)).toEqual([403, 200]);
    const asked = await server.get('/v1/orgs/acme/playbooks', { origin, ...limited.header });
    expect([asked.status, asked.body.type]).toEqual([403, expect.stringContaining('origin_not_allowed')]);
    for (const { headers } of [...answers, asked]) {
      expect([...headers.keys()].filter((name) => CORS.test(name))).toEqual([]);
    }
  });

  test('of an allowed origin reads every response, refusals as well, and nothing is for all pages', async () => {
    for (const [target, header, status] of [
      ['/v1/orgs/acme/playbooks', limited.header, 200],
      ['/v1/orgs/acme/playbooks', {}, 401],
      ['/v1/orgs/acme/playbooks/other', limited.header, 403],
      ['/v1/nothing', limited.header, 404],
      ['/health', {}, 200],
    ] as const) {
      const answer = await fetch(`${server.address}${target}`, { headers: { origin: PAGE, ...header } });
      expect([target, answer.status, corsOf(answer)]).toEqual([
        target,
        status,
        {
          'access-control-allow-origin': PAGE,
          'access-control-expose-headers': 'x-request-id, x-trace-id, www-authenticate',
          vary: 'Origin',
        },
      ]);
    }
  });

  test('cannot be served a cached response of a request without an origin', async () => {
    for (const target of ['/health', '/v1/openapi.json', '/v1/guides/start']) {
      const { headers } = await fetch(`${server.address}${target}`);
      expect([target, headers.get('vary'), headers.get('access-control-allow-origin')]).toEqual([
        target,
        'Origin',
        null,
      ]);
    }
  });
});
