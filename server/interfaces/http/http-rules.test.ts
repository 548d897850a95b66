// The rules of HTTP that hold for every route: malformed requests, errors, the headers of every response.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { PROBLEMS } from '../../../shared/problems.ts';
import { type Answer, type TestServer } from '../../test/index.ts';
import { DESK, ECHO, EVENTS, PLAYBOOKS, sendRawTo, startDesk } from './http-rules.testing.ts';

const UUID = '[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}';
const EVENT = { source: '/shop', type: 'order.paid' };

let server: TestServer;
let port: number;
let runId: string;
let eventId: string;

beforeAll(async () => {
  ({ server, port, runId, eventId } = await startDesk());
});

afterAll(() => server.close());

const sendRaw = (lines: readonly string[], body = ''): ReturnType<typeof sendRawTo> => sendRawTo(port, lines, body);

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

  test('given a path field in the body of a forbidden request, then the refusal comes first', async () => {
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

  test('given a GET that succeeds, then it is JSON that is not cached, and HEAD returns only its headers', async () => {
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

  test('given a description route, then HEAD returns only its headers', async () => {
    // The seconds since the start, which are part of the health, have any number of digits.
    const stays = ([name]: [string, string], path: string): boolean => path !== '/health' || name !== 'content-length';
    for (const path of described) {
      const got = await server.get(path);
      const head = await fetch(`${server.address}${path}`, { method: 'HEAD' });
      expect([head.status, await head.text()]).toEqual([200, '']);
      const [gotHeaders, headHeaders] = [got, head].map(({ headers }) =>
        kept(headers).filter((header) => stays(header, path)),
      );
      expect(headHeaders).toEqual(gotHeaders);
    }
  });

  test('given HEAD of follow_events, then its head comes and the answer ends', async () => {
    const head = await fetch(`${server.address}${EVENTS}/follow`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    expect(head.headers.get('content-type')).toMatch(/^text\/event-stream/);
  });

  test('given HEAD of a missing object, then the status comes without a body', async () => {
    const head = await fetch(`${server.address}${PLAYBOOKS}/none`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([404, '']);
  });

  test('given a command, then creating returns 201 and anything else 200, not cached', async () => {
    const made = await server.post(PLAYBOOKS, { playbook: 'made', name: 'Made' });
    const changed = await server.put(`${PLAYBOOKS}/made`, { name: 'Changed', description: '' });
    expect([made.status, changed.status]).toEqual([201, 200]);
    for (const { headers } of [made, changed]) expect(headers.get('cache-control')).toBe('no-store');
  });

  test('given an error, then it is a problem document that is not cached', async () => {
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
