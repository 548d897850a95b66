// Which hosts and origins are served, what browsers are allowed, and in which order a request is checked.
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type TestServer } from '../../test/index.ts';
import { ALLOWED, DESK, PLAYBOOKS, STUDIO, sendRawTo, startDesk } from './http-rules.testing.ts';

let server: TestServer;
let port: number;

beforeAll(async () => {
  ({ server, port } = await startDesk());
});

afterAll(() => server.close());

const sendRaw = (lines: readonly string[], body = ''): ReturnType<typeof sendRawTo> => sendRawTo(port, lines, body);

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
