// The rules of HTTP that hold for every route: guards, order of checks, errors, browsers.
import net from 'node:net';
import pino from 'pino';
import Type from 'typebox';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PROBLEMS } from '../../../shared/problems.ts';
import { systemClock } from '../../lib/clock.ts';
import { createIds } from '../../kernel/ids.ts';
import { unavailable } from '../../lib/rejection.ts';
import { type Call, defineOperation, makeCallable } from '../../operations/index.ts';
import { type Answer, startServer, type TestServer } from '../../test/index.ts';
import { createHttpServer } from './index.ts';

const PLAYBOOKS = '/v1/orgs/local/playbooks';
const DESK = `${PLAYBOOKS}/desk`;
const ECHO = `${DESK}/definitions/computation/echo`;
const EVENTS = `${DESK}/events`;
const ALLOWED = 'https://desk.example.com';
const STUDIO = 'https://studio.example.com';
const UUID = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const EVENT = { source: '/shop', type: 'order.paid' };

let server: TestServer;
let port: number;
let runId: string;
let eventId: string;

beforeAll(async () => {
  server = await startServer({
    environment: { ALLOWED_ORIGINS: `${ALLOWED}, https://b.example`, STUDIO_ORIGIN: STUDIO },
  });
  port = Number(new URL(server.address).port);
  await server.post(PLAYBOOKS, { playbook: 'desk', name: 'Desk' });
  await server.post(`${DESK}/definitions/computation`, { name: 'echo', source: 'export default (input) => input;\n' });
  runId = (await server.post(`${ECHO}/run`, { input: 1 })).body.run_id;
  eventId = (await server.get(`${EVENTS}?limit=1`)).body.events[0].id;
  await server.post(PLAYBOOKS, { playbook: 'retired', name: 'Retired' });
  await server.post(`${PLAYBOOKS}/retired/retire`);
});

afterAll(() => server.close());

/** Sends a request as it is written, and gives the answer as it came; the connection is closed after it. */
function sendRaw(lines: readonly string[], body = ''): Promise<{ status: number; head: string; body: string }> {
  return new Promise((resolve, reject) => {
    let text = '';
    const socket = net.connect(port, '127.0.0.1', () =>
      socket.write(`${[...lines, 'Connection: close'].join('\r\n')}\r\n\r\n${body}`),
    );
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
    socket.on('error', reject);
    socket.on('end', () => {
      const [head = '', ...rest] = text.split('\r\n\r\n');
      resolve({ status: Number(head.split(' ')[1]), head: head.toLowerCase(), body: rest.join('\r\n\r\n') });
    });
  });
}

const command = (path: string, contentType: string, body: string | Uint8Array<ArrayBuffer>): Promise<Answer> =>
  server.send('POST', path, { headers: { 'content-type': contentType }, body });

describe('bad_request', () => {
  test.each([
    ['a member named twice', '{"playbook":"a-b","playbook":"c-d","name":"x"}'],
    ['a member named twice below', '{"playbook":"a-b","name":"x","description":{"a":1,"\\u0061":2}}'],
    ['a list', '[]'],
    ['a text', '"x"'],
    ['null', 'null'],
    ['a number', '1'],
    ['no JSON', '{"playbook":'],
    ['JSON with more behind it', '{} {}'],
    ['JSON with a comment', '{/* x */}'],
    ['white space', ' \n'],
    ['a byte order mark', '\uFEFF{}'],
  ])('given a body that is %s, then it is refused', async (_what, body) => {
    expect((await command(PLAYBOOKS, 'application/json', body)).body).toMatchObject({
      status: 400,
      reason: 'bad_request',
    });
  });

  test('given a body that is not UTF-8, then it is refused', async () => {
    const body = Buffer.concat([
      Buffer.from('{"playbook":"a-b","name":"'),
      Buffer.from([0xff, 0xfe]),
      Buffer.from('"}'),
    ]);
    expect((await command(PLAYBOOKS, 'application/json', body)).status).toBe(400);
  });

  test.each(['?name=x', '?', '?x'])('given the query %s beside a command, then it is refused', async (query) => {
    const answer = await server.post(`${PLAYBOOKS}${query}`, { playbook: 'a-b-c', name: 'x' });
    expect(answer.body).toMatchObject({ status: 400, reason: 'bad_request' });
  });

  test.each(['limit=1&limit=1', 'limit=1&limit=2', 'colour=1&colour=1', 'limit=1&%6Cimit=1', 'since=%FF', 'since=%zz'])(
    'given the query %s, then it is refused',
    async (query) => {
      expect((await server.get(`${EVENTS}?${query}`)).body).toMatchObject({ status: 400, reason: 'bad_request' });
    },
  );

  test('given a GET with a body, by length or chunked, then it is refused', async () => {
    const head = [`GET ${DESK} HTTP/1.1`, 'Host: localhost', 'Content-Type: application/json'];
    expect((await sendRaw([...head, 'Content-Length: 2'], '{}')).status).toBe(400);
    expect((await sendRaw([...head, 'Transfer-Encoding: chunked'], '2\r\n{}\r\n0\r\n\r\n')).status).toBe(400);
  });

  test.each([
    '',
    'Bearer',
    'Bearer ',
    'Basic YTpi',
    'Bearer a b',
    'Bearer a, Bearer b',
    'Bearer ä',
    'token',
    'Bearer a=b',
  ])('given the Authorization %j, then it is refused with a challenge', async (authorization) => {
    const answer = await server.get(PLAYBOOKS, { authorization: Buffer.from(authorization).toString('latin1') });
    expect(answer.body).toMatchObject({ status: 400, reason: 'bad_request' });
    expect(answer.headers.get('www-authenticate')).toBe('Bearer error="invalid_request"');
  });

  test.each([
    ['GET', `${DESK}?playbook=desk`, undefined, 'playbook'],
    ['GET', `${PLAYBOOKS}?org=local`, undefined, 'org'],
    ['GET', `${DESK}/definitions/computation?type=computation`, undefined, 'type'],
    ['GET', `${EVENTS}?playbook=other&limit=0`, undefined, 'playbook'],
    ['GET', `${PLAYBOOKS}/none/runs?playbook=none`, undefined, 'playbook'],
    ['POST', `${DESK}/definitions/computation/echo/run`, { name: 'echo', input: 1 }, 'name'],
    ['POST', `${PLAYBOOKS}/retired/definitions/computation`, { playbook: 'retired', name: 1 }, 'playbook'],
    ['PUT', ECHO, { type: 'computation', source: '' }, 'type'],
    ['PUT', DESK, { playbook: 'other', name: 'x', description: '' }, 'playbook'],
  ])('given %s %s and the body %j, then %s has been given twice', async (method, path, body, field) => {
    const init =
      body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': 'application/json' } };
    expect((await server.send(method, path, init)).body).toMatchObject({
      status: 400,
      reason: 'bad_request',
      detail: expect.stringContaining(`\`${field}\` from the path`),
    });
  });

  test('given a field of the path in the body of one who may not, then that is said first', async () => {
    const given = {
      headers: { 'content-type': 'application/json', origin: 'https://evil.example' },
      body: '{"name":"echo"}',
    };
    expect((await server.send('POST', `${ECHO}/run`, given)).status).toBe(403);
    expect((await server.send('POST', `${DESK}/definitions/other/echo/run`, { ...given, headers: {} })).status).toBe(
      404,
    );
  });

  test('given Authorization twice, even the same, then it is refused with a challenge', async () => {
    const authorization = 'Authorization: Bearer abk_key';
    const answer = await sendRaw([`GET ${PLAYBOOKS} HTTP/1.1`, 'Host: localhost', authorization, authorization]);
    expect(answer.status).toBe(400);
    expect(answer.head).toContain('www-authenticate: bearer error="invalid_request"');
  });

  test.each(['Bearer abk_key', 'bearer eyJ.a-b_c~d+/=='])(
    'given the Authorization %j, then local mode ignores whom it names',
    async (authorization) => {
      expect((await server.get(PLAYBOOKS, { authorization })).status).toBe(200);
    },
  );

  test('given a path with a broken escape, then it is a problem with ids', async () => {
    const answer = await sendRaw(['GET /v1/orgs/%zz/playbooks HTTP/1.1', 'Host: localhost']);
    expect([answer.status, JSON.parse(answer.body).reason]).toEqual([400, 'bad_request']);
    expect(answer.head).toMatch(new RegExp(`x-request-id: ${UUID}`));
  });
});

describe('Host and Origin', () => {
  const statusOf = async (host: string): Promise<number> =>
    (await sendRaw([`GET ${PLAYBOOKS} HTTP/1.1`, `Host: ${host}`])).status;

  test.each(['localhost', 'LOCALHOST:1', '127.0.0.1', '127.0.0.1:80', '[::1]', '[::1]:9999'])(
    'given the Host %s, then it is served',
    async (host) => expect(await statusOf(host)).toBe(200),
  );

  test.each([
    'evil.example',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'localhost:x',
    '0.0.0.0',
    '[::2]',
    '',
  ])('given the Host %j, then it is forbidden', async (host) => expect(await statusOf(host)).toBe(403));

  test.each([
    ['http://localhost', 200],
    ['HTTP://127.0.0.1:80', 200],
    ['http://evil.example', 403],
    ['http://localhost@evil.example', 403],
    ['http://evil.example:80', 403],
  ])('given a target at %s, then that is asked for and not the Host: %i', async (authority, status) => {
    const answer = await sendRaw([`GET ${authority}${PLAYBOOKS} HTTP/1.1`, 'Host: localhost']);
    expect(answer.status).toBe(status);
  });

  test.each(['https://evil.example', 'null', '', `${ALLOWED}/`, `${ALLOWED}:444`, 'http://desk.example.com', '*'])(
    'given the Origin %j, then it is origin_not_allowed and no page may read the answer',
    async (origin) => {
      const answer = await server.get(PLAYBOOKS, { origin });
      expect(answer.body).toMatchObject({
        type: 'https://cuebook.dev/problems/origin_not_allowed',
        status: 403,
        reason: 'origin_not_allowed',
      });
      expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    },
  );

  test.each(['cross-site', 'same-site'])('given a script of a page that is %s, then it loads nothing', async (site) => {
    const answer = await server.get(PLAYBOOKS, { 'sec-fetch-site': site });
    expect(answer).toMatchObject({ status: 403, body: { reason: 'origin_not_allowed' } });
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('same-origin');
    expect((await server.get(PLAYBOOKS, { 'sec-fetch-site': site, origin: ALLOWED })).status).toBe(200);
    expect((await server.get(PLAYBOOKS, { 'sec-fetch-site': 'none' })).status).toBe(200);
  });

  const own = (): string[] => ['localhost', '127.0.0.1', '[::1]'].map((host) => `http://${host}:${port}`);

  test('given an allowed origin, then its page may read the answer, an error too', async () => {
    for (const origin of [ALLOWED, 'https://b.example', STUDIO, ...own()]) {
      for (const path of [PLAYBOOKS, `${PLAYBOOKS}/none`, '/health', '/v1/guides/start']) {
        const { headers } = await server.get(path, { origin });
        expect(headers.get('access-control-allow-origin')).toBe(origin);
        expect(headers.get('vary')).toBe('Origin');
        expect(headers.get('access-control-expose-headers')).toBe('x-request-id, x-trace-id, www-authenticate');
        expect(headers.get('access-control-allow-credentials')).toBeNull();
      }
    }
  });

  test('given no Origin, then the answer names none', async () => {
    expect((await server.get(PLAYBOOKS)).headers.get('access-control-allow-origin')).toBeNull();
  });

  test.each(['/health', '/v1/openapi.json', '/v1/guides/start', '/.well-known/api-catalog', '/', '/problems/conflict'])(
    'given %s, then Host, Origin and Authorization are not looked at',
    async (path) => {
      const answer = await sendRaw([
        `GET ${path} HTTP/1.1`,
        'Host: evil.example',
        'Origin: https://evil.example',
        'Authorization: Basic YTpi',
      ]);
      expect(answer.status).toBe(200);
      expect(answer.head).not.toContain('access-control-allow-origin');
    },
  );

  test.each([PLAYBOOKS, `${DESK}/nothing`, '/nothing', '/v1/openapi.json', '/health'])(
    'given a preflight for %s from an allowed origin, then it is 204 before anything else',
    async (path) => {
      const answer = await server.send('OPTIONS', path, {
        headers: { origin: ALLOWED, 'access-control-request-method': 'DELETE', authorization: 'malformed' },
      });
      expect([answer.status, answer.text]).toEqual([204, '']);
      expect(Object.fromEntries([...answer.headers].filter(([name]) => /^access|^vary/.test(name)))).toMatchObject({
        'access-control-allow-origin': ALLOWED,
        'access-control-allow-methods': 'GET, HEAD, POST, PUT',
        'access-control-allow-headers': 'authorization, content-type, traceparent, tracestate, baggage',
        'access-control-max-age': '600',
        vary: 'Origin',
      });
    },
  );

  test.each(['/health', '/v1/openapi.json', '/v1/guides/start', '/.well-known/api-catalog', '/'])(
    'given a preflight for %s, which needs no caller, then Origin and Host are not looked at, and no page may read it',
    async (path) => {
      const answer = await sendRaw([
        `OPTIONS ${path} HTTP/1.1`,
        'Host: evil.example',
        'Origin: https://evil.example',
        'Sec-Fetch-Site: cross-site',
        'Access-Control-Request-Method: GET',
      ]);
      expect(answer.status).toBe(204);
      expect(answer.head).not.toContain('access-control-allow-origin');
    },
  );

  test('given a preflight from another origin, then it is origin_not_allowed', async () => {
    const headers = { origin: 'https://evil.example', 'access-control-request-method': 'POST' };
    expect((await server.send('OPTIONS', PLAYBOOKS, { headers })).body.reason).toBe('origin_not_allowed');
  });

  test('given OPTIONS that is no preflight, then the method is refused', async () => {
    for (const headers of [{ origin: ALLOWED }, { 'access-control-request-method': 'POST' }]) {
      expect((await server.send('OPTIONS', PLAYBOOKS, { headers: headers as Record<string, string> })).status).toBe(
        405,
      );
    }
  });
});

describe('not_found and method_not_allowed', () => {
  test.each([
    '/v1',
    '/v1/nothing',
    '/v2/orgs/local/playbooks',
    '/v1/guides/nothing',
    '/v1/guides/',
    '/problems/nothing',
    '/problems/__proto__',
    '/v1/orgs/local/nothing',
    '/v1/orgs/no.org/playbooks',
    `/v1/orgs/${'o'.repeat(65)}/playbooks`,
    '/v1/orgs//playbooks',
    `${PLAYBOOKS}/none`,
    `${PLAYBOOKS}/__proto__`,
    `${PLAYBOOKS}/constructor`,
    `${PLAYBOOKS}/${'x'.repeat(12_000)}`,
    `${DESK}/definitions/other`,
    `${DESK}/definitions/__proto__`,
    `${DESK}/definitions/computation/none`,
    `${DESK}/definitions/computation/${'x'.repeat(12_000)}`,
    `${DESK}/runs/none`,
    `${DESK}/runs/${'x'.repeat(12_000)}`,
    `${DESK}/runs/none/history`,
    `${EVENTS}/none`,
    `${EVENTS}/${'%F0%9F%8E%89'.repeat(1000)}`,
    `${ECHO}/versions/2`,
    `${ECHO}/versions/0`,
    `${ECHO}/versions/x`,
  ])('given %s, then it is not_found', async (path) => {
    const answer = await server.get(path);
    expect(answer.body).toMatchObject({ status: 404, reason: 'not_found' });
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
  });

  test.each([
    ['DELETE', PLAYBOOKS, 'GET, HEAD, POST'],
    ['PATCH', DESK, 'GET, HEAD, PUT'],
    ['GET', `${DESK}/retire`, 'POST'],
    ['HEAD', `${DESK}/retire`, 'POST'],
    ['PROPFIND', EVENTS, 'GET, HEAD, POST'],
    ['QUERY', EVENTS, 'GET, HEAD, POST'],
    ['POST', `${EVENTS}/follow`, 'GET, HEAD'],
    ['PUT', '/health', 'GET, HEAD'],
    ['POST', '/v1/openapi.json', 'GET, HEAD'],
    ['POST', '/v1/guides/start', 'GET, HEAD'],
    ['DELETE', '/.well-known/api-catalog', 'GET, HEAD'],
    ['POST', '/', 'GET, HEAD'],
    ['POST', '/problems/conflict', 'GET, HEAD'],
  ])('given %s %s, then it is method_not_allowed and Allow says %s', async (method, path, allow) => {
    const answer = await sendRaw([`${method} ${path} HTTP/1.1`, 'Host: localhost']);
    expect(answer.status).toBe(405);
    expect(answer.head).toContain(`allow: ${allow.toLowerCase()}\r\n`);
    const hasBody = method !== 'HEAD';
    expect(answer.body.includes('"reason":"method_not_allowed"')).toBe(hasBody);
  });
});

describe('unsupported_media_type', () => {
  const body = JSON.stringify({ event: EVENT });

  test.each([
    'text/plain',
    'application/json; charset=latin1',
    'application/json; charset=utf-16',
    'application/json; version=1',
    'application/ld+json',
    'application/jsonx',
    'application/x-www-form-urlencoded',
    'application/json, text/plain',
    ';;;',
    '',
  ])('given the Content-Type %j, then it is refused', async (contentType) => {
    expect((await command(EVENTS, contentType, body)).body).toMatchObject({
      status: 415,
      reason: 'unsupported_media_type',
    });
  });

  test.each([
    'application/json',
    'Application/JSON',
    'application/json;charset=UTF-8',
    'application/json; charset="utf-8"',
  ])('given the Content-Type %j, then it is taken', async (contentType) =>
    expect((await command(EVENTS, contentType, body)).status).toBe(200),
  );

  test.each(['gzip', 'br', 'deflate', 'gzip, identity', 'x-other'])(
    'given the Content-Encoding %s, then it is refused',
    async (encoding) => {
      const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
      expect((await server.send('POST', EVENTS, { headers, body })).status).toBe(415);
    },
  );

  test.each([
    ['gzip, chunked', 415],
    ['chunked', 200],
    ['Chunked', 200],
  ])('given the Transfer-Encoding %s, then it is %i', async (encoding, status) => {
    const chunked = `${Buffer.byteLength(body).toString(16)}\r\n${body}\r\n0\r\n\r\n`;
    const head = [`POST ${EVENTS} HTTP/1.1`, 'Host: localhost', 'Content-Type: application/json'];
    expect((await sendRaw([...head, `Transfer-Encoding: ${encoding}`], chunked)).status).toBe(status);
  });

  test('given two Content-Types, then the request is malformed', async () => {
    const types = ['Content-Type: application/json', 'Content-Type: text/plain'];
    const head = [`POST ${EVENTS} HTTP/1.1`, 'Host: localhost', `Content-Length: ${body.length}`];
    expect((await sendRaw([...head, ...types], body)).status).toBe(400);
  });

  test('given no body, then no Content-Type is asked for', async () => {
    expect((await server.send('POST', `${ECHO}/run`, { headers: { 'content-type': 'text/plain' } })).status).toBe(200);
  });
});

describe('the order of checks', () => {
  const badAuthorization = 'Authorization: Basic x';
  const badHost = 'Host: evil.example';
  const badOrigin = 'Origin: https://evil.example';
  const post = (path: string): string => `POST ${path} HTTP/1.1`;
  const plain = 'Content-Type: text/plain';
  const json = 'Content-Type: application/json';
  const tooLong = 'Content-Length: 1048577';
  const length = (body: string): string => `Content-Length: ${Buffer.byteLength(body)}`;
  const unknownField = '{"x":1}';

  test.each([
    ['form of Authorization before Host', [post(PLAYBOOKS), badHost, badAuthorization], '', 400],
    ['Host before Origin', [post(PLAYBOOKS), badHost, badOrigin], '', 'forbidden'],
    ['Origin before route', [post('/nothing'), 'Host: localhost', badOrigin], '', 'origin_not_allowed'],
    ['Host before route', [post('/nothing'), badHost], '', 'forbidden'],
    ['route before method', ['DELETE /v1/orgs/no.org/playbooks HTTP/1.1', 'Host: localhost'], '', 404],
    [
      'route before media type',
      [post('/v1/orgs/no.org/playbooks'), 'Host: localhost', 'Content-Type: ;;;', length('{}')],
      '{}',
      404,
    ],
    ['method before query', [`PUT ${PLAYBOOKS}?x=1 HTTP/1.1`, 'Host: localhost'], '', 405],
    [
      'method before media type',
      [`PUT ${PLAYBOOKS} HTTP/1.1`, 'Host: localhost', 'Content-Type: ;;;', length('{}')],
      '{}',
      405,
    ],
    ['query before media type', [post(`${PLAYBOOKS}?x=1`), 'Host: localhost', plain, length('{}')], '{}', 400],
    ['media type before length', [post(PLAYBOOKS), 'Host: localhost', plain, tooLong], '', 415],
    ['length before JSON', [post(PLAYBOOKS), 'Host: localhost', json, tooLong], '{', 413],
    ['JSON before existence', [post(`${PLAYBOOKS}/none/events`), 'Host: localhost', json, length('[]')], '[]', 400],
    ['JSON before retired', [post(`${PLAYBOOKS}/retired/events`), 'Host: localhost', json, length('[]')], '[]', 400],
    [
      'existence before fields',
      [post(`${PLAYBOOKS}/none/events`), 'Host: localhost', json, length(unknownField)],
      unknownField,
      404,
    ],
    [
      'retired before fields',
      [post(`${PLAYBOOKS}/retired/events`), 'Host: localhost', json, length(unknownField)],
      unknownField,
      409,
    ],
  ] as [string, string[], string, number | string][])(
    'given both wrong, then %s',
    async (_what, lines, body, expected) => {
      const answer = await sendRaw(lines, body);
      expect(answer.body).toContain(typeof expected === 'number' ? `"status":${expected}` : `"reason":"${expected}"`);
    },
  );

  test.each([
    ['PUT', PLAYBOOKS, ''],
    ['POST', PLAYBOOKS, '/retire'],
    ['POST', PLAYBOOKS, '/definitions/computation'],
    ['POST', PLAYBOOKS, '/definitions/computation/check'],
    ['PUT', PLAYBOOKS, '/definitions/computation/echo'],
    ['POST', PLAYBOOKS, '/definitions/computation/echo/retire'],
    ['POST', PLAYBOOKS, '/definitions/computation/echo/run'],
    ['POST', PLAYBOOKS, '/runs/none/cancel'],
    ['POST', PLAYBOOKS, '/events'],
  ])(
    'given %s %s/{playbook}%s with an unknown field, then existence comes before it, then retired',
    async (method, path, rest) => {
      const init = { headers: { 'content-type': 'application/json' }, body: unknownField };
      expect((await server.send(method, `${path}/none${rest}`, init)).status).toBe(404);
      const isRetiring = rest === '/retire';
      expect((await server.send(method, `${path}/retired${rest}`, init)).status).toBe(isRetiring ? 422 : 409);
      expect((await server.send(method, `${path}/desk${rest}`, init)).status).toBe(rest.includes('/none/') ? 404 : 422);
    },
  );
});

describe('every answer', () => {
  const gets = (): string[] => [
    PLAYBOOKS,
    DESK,
    `${DESK}/definitions/computation`,
    ECHO,
    `${ECHO}/versions`,
    `${ECHO}/versions/1`,
    `${DESK}/runs`,
    `${DESK}/runs/${runId}`,
    `${DESK}/runs/${runId}/history`,
    EVENTS,
    `${EVENTS}/${eventId}`,
    `${DESK}/analytics`,
    `${DESK}/export`,
  ];
  const described = [
    '/v1/openapi.json',
    '/v1/guides/start',
    '/.well-known/api-catalog',
    '/health',
    '/',
    '/problems/conflict',
  ];
  const kept = (headers: Headers): [string, string][] =>
    [...headers].filter(([name]) => !['date', 'x-request-id', 'x-trace-id', 'connection', 'keep-alive'].includes(name));

  test('given a GET that succeeds, then it is JSON that nobody keeps, and HEAD gives its head alone', async () => {
    for (const path of gets()) {
      const got = await server.get(path);
      expect(got.status).toBe(200);
      expect(got.headers.get('cache-control')).toBe('no-store');
      expect(got.headers.get('content-type')).toMatch(/^application\/json/);
      const head = await fetch(`${server.address}${path}`, { method: 'HEAD' });
      expect([head.status, await head.text()]).toEqual([200, '']);
      expect(kept(head.headers)).toEqual(kept(got.headers));
    }
  });

  test('given a description route, then HEAD gives its head alone', async () => {
    for (const path of described) {
      const got = await server.get(path);
      const head = await fetch(`${server.address}${path}`, { method: 'HEAD' });
      expect([head.status, await head.text()]).toEqual([200, '']);
      expect(kept(head.headers)).toEqual(kept(got.headers));
    }
  });

  test('given HEAD of follow_events, then its head comes and the answer ends', async () => {
    const head = await fetch(`${server.address}${EVENTS}/follow`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(head.headers.get('content-type')).toMatch(/^text\/event-stream/);
  });

  test('given HEAD of what is missing, then the status comes without a body', async () => {
    const head = await fetch(`${server.address}${PLAYBOOKS}/none`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([404, '']);
  });

  test('given a command, then making answers 201 and anything else 200, kept by nobody', async () => {
    const made = await server.post(PLAYBOOKS, { playbook: 'made', name: 'Made' });
    const changed = await server.put(`${PLAYBOOKS}/made`, { name: 'Changed', description: '' });
    expect([made.status, changed.status]).toEqual([201, 200]);
    for (const { headers } of [made, changed]) expect(headers.get('cache-control')).toBe('no-store');
  });

  test('given an error, then it is a problem document that nobody keeps', async () => {
    const answer = await server.get(`${PLAYBOOKS}/none`);
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('retry-after')).toBeNull();
    expect(Object.keys(answer.body)).toEqual(['type', 'title', 'status', 'detail', 'reason']);
    expect(answer.body).toMatchObject({
      type: 'https://cuebook.dev/problems/not_found',
      title: PROBLEMS.not_found.title,
    });
  });

  test('given a traceparent, then x-trace-id is its trace and so is that of the events; else a new one', async () => {
    const trace = '4bf92f3577b34da6a3ce929d0e0e4736';
    const traceparent = `00-${trace}-00f067aa0ba902b7-01`;
    const answer = await server.post(EVENTS, { event: { ...EVENT, id: 'traced' } }, { traceparent });
    expect(answer.headers.get('x-trace-id')).toBe(trace);
    expect((await server.get(`${EVENTS}?limit=1`)).body.events[0].metadata.trace_id).toBe(trace);
    for (const malformed of [
      'x',
      `00-${'0'.repeat(32)}-00f067aa0ba902b7-01`,
      `ff${traceparent.slice(2)}`,
      traceparent.toUpperCase(),
    ]) {
      const other = (await server.get(PLAYBOOKS, { traceparent: malformed })).headers.get('x-trace-id');
      expect(other).toMatch(/^[0-9a-f]{32}$/);
      expect(other).not.toBe(trace);
    }
  });

  test('given two requests, then each has an x-request-id of its own', async () => {
    const ids = await Promise.all([1, 2].map(async () => (await server.get(PLAYBOOKS)).headers.get('x-request-id')));
    for (const id of ids) expect(id).toMatch(new RegExp(`^${UUID}$`));
    expect(ids[0]).not.toBe(ids[1]);
  });
});

describe('names of prototypes', () => {
  test('given them as fields, then they are unknown fields', async () => {
    for (const name of ['__proto__', 'constructor', 'toString']) {
      const answer = await server.post(PLAYBOOKS, `{"playbook":"polluted","name":"x","${name}":{"status":"retired"}}`);
      expect(answer.body.errors).toMatchObject([{ pointer: `/${name}` }]);
    }
    const hidden = await server.post(PLAYBOOKS, '{"__proto__":{"playbook":"polluted","name":"x"}}');
    expect(hidden.status).toBe(422);
  });

  test('given them in an input or in data, then they are plain data', async () => {
    const text = '{"__proto__":{"a":1},"constructor":{"prototype":{"b":2}},"toString":null}';
    const run = await server.post(`${ECHO}/run`, `{"input":${text}}`);
    expect(JSON.stringify(run.body.output)).toBe(text);

    await server.post(EVENTS, `{"event":{"source":"/shop","type":"x","id":"tricks","data":${text}}}`);
    const [listed] = (await server.get(`${EVENTS}?limit=1`)).body.events;
    const event = await server.get(`${EVENTS}/${listed.id}`);
    expect(event.text).toContain(text);
    expect(({} as Record<string, unknown>)['a']).toBeUndefined();
  });
});

describe('the description routes', () => {
  const cached = ['/v1/openapi.json', '/v1/guides/start', '/.well-known/api-catalog'];

  test.each(cached)('given %s, then it has a strong ETag and is kept for 300 seconds', async (path) => {
    const { headers } = await server.get(path);
    expect(headers.get('etag')).toMatch(/^"[\w-]+"$/);
    expect(headers.get('cache-control')).toBe('public, max-age=300');
    expect((await server.get(path)).headers.get('etag')).toBe(headers.get('etag'));
  });

  test.each(cached)('given the tag of %s in If-None-Match, then it is 304 without a body', async (path) => {
    const tag = (await server.get(path)).headers.get('etag') ?? '';
    for (const asked of [tag, `W/${tag}`, `"other", ${tag}`, `"other",W/${tag}`, '*']) {
      for (const method of ['GET', 'HEAD']) {
        const answer = await server.send(method, path, { headers: { 'if-none-match': asked } });
        expect([answer.status, answer.text]).toEqual([304, '']);
        expect(answer.headers.get('etag')).toBe(tag);
        expect(answer.headers.get('cache-control')).toBe('public, max-age=300');
      }
    }
    for (const asked of ['"other"', tag.slice(1, -1), '']) {
      expect((await server.get(path, { 'if-none-match': asked })).status).toBe(200);
    }
  });

  test('given the catalog, then it lists everything at absolute addresses of the origin it was asked at', async () => {
    const head = ['GET /.well-known/api-catalog HTTP/1.1', `Host: localhost:${port}`];
    const answer = await sendRaw([...head, 'X-Forwarded-Host: evil.example', 'X-Forwarded-Proto: https']);
    const origin = `http://localhost:${port}`;
    expect(answer.head).toContain('content-type: application/linkset+json\r\n');
    expect(answer.head).toContain(`link: <${origin}/.well-known/api-catalog>; rel="api-catalog"`);
    const { linkset } = JSON.parse(answer.body) as { linkset: Record<string, unknown>[] };
    expect(linkset).toEqual([
      {
        anchor: `${origin}/v1`,
        'service-desc': [{ href: `${origin}/v1/openapi.json`, type: 'application/json' }],
        'service-doc': expect.arrayContaining([
          { href: `${origin}/v1/guides/start`, type: 'text/markdown', title: expect.stringMatching(/\w/) },
        ]),
        status: [{ href: `${origin}/health`, type: 'application/json' }],
      },
    ]);
  });

  test.each(['evil"><x>', 'a b', 'a/b', 'user@localhost', 'localhost:x', '[::1'])(
    'given the Host %j, then no answer repeats it',
    async (host) => {
      for (const path of ['/.well-known/api-catalog', '/health']) {
        const answer = await sendRaw([`GET ${path} HTTP/1.1`, `Host: ${host}`]);
        expect(answer.status).toBe(400);
        expect(answer.head + answer.body).not.toContain(host);
      }
    },
  );

  test('given each guide of the catalog, then it is Markdown that begins with its title', async () => {
    const { linkset } = (await server.get('/.well-known/api-catalog')).body;
    const guides = linkset[0]['service-doc'] as { href: string; title: string }[];
    expect(guides.length).toBeGreaterThan(0);
    for (const { href, title } of guides) {
      const answer = await server.get(new URL(href).pathname);
      expect(answer.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
      expect(answer.text).toMatch(new RegExp(`^# ${title}`));
    }
  });

  test('given /health, then it says how the server is and links to the catalog, kept by nobody', async () => {
    const answer = await server.get('/health');
    expect(answer.body).toEqual({ status: 'ok', version: expect.any(String), mode: 'local', store: 'sqlite' });
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(answer.headers.get('link')).toBe(`<${server.address}/.well-known/api-catalog>; rel="api-catalog"`);
  });

  test.each(Object.entries(PROBLEMS))('given /problems/%s, then it is explained', async (name, { status, title }) => {
    const answer = await server.get(`/problems/${name}`);
    expect(answer.headers.get('content-type')).toBe('text/markdown; charset=utf-8');
    for (const part of [`# ${title}`, `\`${name}\``, String(status)]) expect(answer.text).toContain(part);
  });
});

describe('a server whose operations fail or wait', () => {
  const logged: string[] = [];
  let waiting: PromiseWithResolvers<Call>;
  const operation = (name: string, handle: (call: Call) => Promise<object>) =>
    makeCallable(
      defineOperation({
        name,
        tag: 'Tests',
        title: name,
        description: name,
        permissions: ['org:write'],
        method: 'POST',
        route: `/${name}`,
        path: Type.Object({}),
        output: Type.Object({}),
        problems: [],
        hints: { readOnly: false, destructive: false, idempotent: false },
        mcp: false,
        handle,
      }),
    );
  const unavailableIn = (name: string, options: Parameters<typeof unavailable>[1]) =>
    operation(name, () => Promise.reject(unavailable('Try again.', options)));

  const app = createHttpServer({
    callables: [
      operation('failing', () => Promise.reject(new Error('SECRET of the store'))),
      operation('working', () => Promise.resolve({ done: true })),
      operation('waiting', (call) => {
        const gone = new Promise<object>((resolve) => call.signal.addEventListener('abort', () => resolve({})));
        waiting.resolve(call);
        return gone;
      }),
      unavailableIn('soon', { retryAfter: 1.2 }),
      unavailableIn('at-once', { retryAfter: 0 }),
      unavailableIn('never', {}),
      unavailableIn('not-offered', { kind: 'tool_not_offered', retryAfter: 5 }),
      unavailableIn('stalled', { because: 'stalled', retryAfter: 5 }),
    ],
    descriptions: {
      openapi: '{}',
      guides: [],
      studio: { page: '', assets: new Map() },
      health: () => ({ status: 'stopping', version: '0', mode: 'local', store: 'sqlite' }),
    },
    browsers: { isAllowedOrigin: () => false },
    ids: createIds(systemClock),
    logger: pino({ level: 'debug' }, { write: (line: string) => logged.push(line) }),
    stopping: new AbortController().signal,
  });
  let address: string;
  const post = (name: string, init: RequestInit = {}): Promise<Response> =>
    fetch(`${address}/v1/orgs/local/${name}`, { ...init, method: 'POST' });

  beforeAll(async () => {
    address = await app.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(() => app.close());

  test('given an internal failure, then it is 500 without its words, and its ids find the log entry', async () => {
    const answer = await post('failing');
    const requestId = answer.headers.get('x-request-id') ?? '';
    const text = await answer.text();
    expect(JSON.parse(text)).toMatchObject({
      type: 'https://cuebook.dev/problems/internal',
      status: 500,
      reason: 'internal',
      instance: `urn:uuid:${requestId}`,
    });
    expect(text).not.toContain('SECRET');
    const entries = logged.filter((line) => line.includes(requestId) && line.includes('"level":50'));
    expect(entries).toHaveLength(1);
    expect(entries[0]).toContain('SECRET of the store');
    expect((await post('working')).status).toBe(200);
  });

  test('given a client that goes away, then the work hears of it, 499 is logged, and the server goes on', async () => {
    waiting = Promise.withResolvers<Call>();
    const leaving = new AbortController();
    const left = post('waiting', { signal: leaving.signal }).catch((error: unknown) => error);
    const { signal } = await waiting.promise;
    const heard = new Promise((resolve) => signal.addEventListener('abort', resolve));
    leaving.abort();
    await heard;
    expect(await left).toBeInstanceOf(DOMException);
    expect(logged.some((line) => line.includes('"status":499'))).toBe(true);
    expect((await post('working')).status).toBe(200);
  });

  test('given a client that goes away within its body, then the server goes on', async () => {
    const { port: own } = new URL(address);
    await new Promise<void>((resolve, reject) => {
      const socket = net.connect(Number(own), '127.0.0.1', () => {
        const head = ['POST /v1/orgs/local/working HTTP/1.1', 'Host: localhost', 'Content-Type: application/json'];
        socket.write(`${[...head, 'Content-Length: 100'].join('\r\n')}\r\n\r\n{`, () => socket.destroy());
      });
      socket.on('close', () => resolve());
      socket.on('error', reject);
    });
    expect((await post('working')).status).toBe(200);
    expect(logged.some((line) => line.includes('"level":50') && line.includes('body was read'))).toBe(false);
  });

  test('given a connection that is reset within a body, then it is 499 and no failure', async () => {
    const { port: own } = new URL(address);
    const failures = (): number => logged.filter((line) => line.includes('"level":50')).length;
    const [before, begun] = [failures(), logged.length];
    const socket = net.connect(Number(own), '127.0.0.1', () => {
      const head = ['POST /v1/orgs/local/working HTTP/1.1', 'Host: localhost', 'Content-Type: application/json'];
      const lines = [...head, 'Content-Length: 100', 'Expect: 100-continue'];
      socket.write(`${lines.join('\r\n')}\r\n\r\n{`);
    });
    // The server has begun with the body.
    await new Promise((resolve) => socket.once('data', resolve));
    socket.resetAndDestroy();
    const hasLogged = (): boolean => logged.slice(begun).some((line) => line.includes('"status":499'));
    await expect.poll(hasLogged, { timeout: 5000 }).toBe(true);
    expect(failures()).toBe(before);
  });

  test.each([
    ['soon', '2'],
    ['at-once', '1'],
    ['never', null],
    ['not-offered', null],
    ['stalled', null],
  ])('given unavailable for %s, then Retry-After is %s', async (name, expected) => {
    const answer = await post(name);
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, expected]);
    await answer.text();
  });

  test.each([
    [16, 16],
    [500, 0],
  ])(
    'given %d requests at once on one connection, then at least %d and at most 16 are answered',
    async (count, least) => {
      let text = '';
      const socket = net.connect(port, '127.0.0.1', () => {
        socket.write('GET /health HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(count));
      });
      const answered = (): number => text.split('HTTP/1.1 200').length - 1;
      socket.on('error', () => socket.destroy());
      socket.on('data', (chunk: Buffer) => {
        text += chunk.toString();
        if (answered() === count) socket.end();
      });
      await new Promise((resolve) => socket.once('close', resolve));
      expect(answered()).toBeGreaterThanOrEqual(least);
      expect(answered()).toBeLessThanOrEqual(16);
    },
  );

  test('given an open connection without a request, then closing does not wait for it', async () => {
    const closing = await startServer();
    const { port: own } = new URL(closing.address);
    const unused = net.connect(Number(own), '127.0.0.1');
    const halfWritten = net.connect(Number(own), '127.0.0.1');
    const ends = [unused, halfWritten].map((socket) => {
      socket.on('error', () => socket.destroy());
      return new Promise((resolve) => socket.once('close', resolve));
    });
    await new Promise((resolve) => halfWritten.write('GET /health HTTP/1.1\r\nHost: loc', resolve));
    expect((await closing.get('/health')).status).toBe(200);
    await closing.close();
    await Promise.all(ends);
  });

  test('given a request goes on while the server closes, then it is answered whole', async () => {
    const closing = await startServer();
    const desk = '/v1/orgs/local/playbooks/desk';
    await closing.post(PLAYBOOKS, { playbook: 'desk', name: 'Desk' });
    const source = 'export default () => { let n = 0; for (let i = 0; i < 1e6; i += 1) n += 1; return n; };\n';
    await closing.post(`${desk}/definitions/computation`, { name: 'counting', source });
    const following = await fetch(`${closing.address}${desk}/events/follow`);
    const events = following.body?.getReader();
    await events?.read();
    const running = closing.post(`${desk}/definitions/computation/counting/run`);
    // The run is under way when its start is streamed.
    await events?.read();
    const closed = closing.close();
    expect((await running).body).toMatchObject({ status: 'succeeded', output: 1_000_000 });
    await closed;
  });

  test('given a server that stops, then /health is 503 and says so', async () => {
    const answer = await fetch(`${address}/health`);
    expect([answer.status, await answer.json()]).toMatchObject([503, { status: 'stopping' }]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });
});
