import { expect, onTestFinished, test, vi } from 'vitest';
import type { JsonObject } from '../../../shared/json.ts';
import { nowhere, serveHttp } from '../../lib/http-client/testing.ts';
import { yieldToEventLoop } from '../../lib/event-loop.ts';
import { type Guard, serveNewest, serveOlder } from './mcp-servers.testing.ts';
import { CANARY_KEY } from '../../test/index.ts';
import { givenTools } from './tools.testing.ts';

const ADD = { server: 'calc', tool: 'add' };
const TOKEN = CANARY_KEY;
const entry = (url: URL, more = {}) => ({
  calc: { type: 'mcp', url: url.href, headers: { Authorization: 'Bearer ${TOKEN}' }, ...more },
});
const environment = { TOKEN };

test.each(['auto', 'sse'] as const)(
  'given a server of the newest revision that answers as %s',
  async (responseMode) => {
    const server = await serveNewest({ responseMode });
    const { ask, events } = await givenTools(
      entry(server.url, { query_params: { team: '${TOKEN}' }, request_id: 'x-request-id' }),
      { environment },
    );
    expect(await ask('introspect', ADD)).toMatchObject({
      description: 'Adds two numbers.',
      annotations: { readOnlyHint: true },
    });
    expect(await ask('execute', ADD, { arguments: { a: 1, b: 2 } })).toMatchObject({
      outcome: 'result',
      text: '3',
      answer: { sum: 3 },
      server_request_id: 'req-7',
    });
    expect(server.calls()).toBe(1);
    expect(
      server.seen.every(({ headers, url }) => headers.authorization === `Bearer ${TOKEN}` && url.includes(TOKEN)),
    ).toBe(true);
    expect((await events())[0]?.data).toMatchObject({ read_only: true });
  },
);

test('given a server of an older revision with sessions, pages are joined, and each session is ended', async () => {
  const server = await serveOlder();
  const { ask, events, tools } = await givenTools(entry(server.url, { request_id: 'x-request-id' }), { environment });
  expect(await ask('search', {})).toMatchObject({ servers: [{ tool_count: 2 }] });
  expect(await ask('execute', ADD, { arguments: { a: 1, b: 2 } })).toMatchObject({
    outcome: 'result',
    text: '3',
    answer: 3,
    server_request_id: 'meta-7',
  });
  expect(await ask('execute', { server: 'calc', tool: 'refuse' })).toMatchObject({
    outcome: 'tool_error',
    text: expect.stringContaining('The arguments are no good.'),
    result_bytes: null,
  });
  expect((await events()).at(-1)).toMatchObject({ type: 'tool_call_failed', data: { because: 'arguments_refused' } });
  expect(server.calls()).toBe(2);
  expect(server.seen.filter(({ method }) => method === 'GET')).toEqual([]);
  // The newest revision is asked for once.
  expect(server.seen.filter(({ body }) => body?.['method'] === 'server/discover')).toHaveLength(1);
  const first = server.seen.find(({ body }) => body?.['method'] === 'initialize');
  expect(first?.body).toMatchObject({ params: { clientInfo: { name: 'cuebook', version: 'test' } } });
  await tools.close();
  expect(server.sessions()).toBe(0);
});

const status =
  (code: number): Guard =>
  (_request, response) => {
    response.writeHead(code, { location: 'https://elsewhere.example/' }).end(`no ${TOKEN}`);
    return true;
  };

test.each([
  [401, 'key_refused'],
  [403, 'key_refused'],
  [429, 'rate_limited'],
  [302, 'failing'],
  [500, 'failing'],
  [404, 'failing'],
])('a server that answers %d is %s', async (code, because) => {
  const server = await serveNewest({ guard: status(code) });
  const { refusal, ask } = await givenTools(entry(server.url), { environment });
  const refused = await refusal('execute', ADD);
  expect(refused).toMatchObject({ kind: 'tool_server_failed', because });
  const found = await ask('search', {});
  expect(found).toMatchObject({ servers: [{ because, unavailable: expect.any(String) }] });
  expect(JSON.stringify([refused, found])).not.toMatch(/tok-|127\.0\.0\.1|elsewhere/);
});

const METADATA = 'https://login.example/.well-known/oauth-protected-resource';

test.each<[string, number, string | undefined, JsonObject, RegExp]>([
  ['wants a sign-in', 401, `Bearer resource_metadata="${METADATA}"`, {}, /wants a sign-in \(OAuth\).*no credential/],
  ['wants a sign-in', 401, 'Bearer error="invalid_token"', { headers: { 'X-Team': 'blue' } }, /wants a sign-in/],
  ['wants a credential', 401, 'Basic realm="x"', {}, /wants a credential, and its entry has none \(HTTP 401\)/],
  ['wants a credential', 403, undefined, {}, /wants a credential, and its entry has none \(HTTP 403\)/],
  [
    'rejects a credential',
    401,
    `Bearer resource_metadata="${METADATA}"`,
    { headers: { 'X-Api-Key': 'abc' } },
    /rejected the credential of its entry/,
  ],
  [
    'finds a token expired',
    401,
    'Bearer error="invalid_token", error_description="The access token expired"',
    { headers: { Authorization: 'Bearer abc' } },
    /rejected the credential of its entry \(HTTP 401\): the token is invalid, or has expired/,
  ],
  [
    'demands more scopes',
    403,
    `Bearer error="insufficient_scope", scope="notes:write https://login.example/all", resource_metadata="${METADATA}"`,
    { headers: { Authorization: 'Bearer abc' } },
    /^(?!.*rejected).*credential of its entry lacks a permission \(HTTP 403\): it demands `notes:write`; give/,
  ],
  [
    'demands a scope without a name',
    403,
    'Bearer error=insufficient_scope',
    { headers: { Authorization: 'Bearer abc' } },
    /lacks a permission \(HTTP 403\); give/,
  ],
  ['rejects a credential', 401, 'Bearer', { query_params: { token: '${TOKEN}' } }, /rejected the credential/],
])(
  'given a server that %s (%d, %j), with the entry %j, the reason says so',
  async (_what, code, challenge, more, words) => {
    const guard: Guard = (_request, response) => {
      response.writeHead(code, challenge === undefined ? {} : { 'www-authenticate': challenge }).end();
      return true;
    };
    const server = await serveNewest({ guard });
    const { refusal, ask } = await givenTools(
      { calc: { type: 'mcp', url: server.url.href, ...more } },
      { environment },
    );
    const refused = await refusal('introspect', ADD);
    expect(refused).toMatchObject({ kind: 'tool_server_failed', because: 'key_refused' });
    expect(refused.detail).toMatch(words);
    const found = await ask('search', {});
    expect(found['servers']).toMatchObject([{ because: 'key_refused', unavailable: expect.stringMatching(words) }]);
    expect(JSON.stringify([refused, found])).not.toContain('login.example');
  },
);

test('an address without a server is unreachable', async () => {
  const { refusal } = await givenTools(entry(await nowhere()), { environment });
  expect(await refusal('introspect', ADD)).toMatchObject({ because: 'unreachable' });
});

test('a server that takes a request and never answers is unreachable, however many time-outs end it at once', async () => {
  let asked = 0;
  const server = await serveNewest({
    guard() {
      asked += 1;
      return true;
    },
  });
  const { refusal } = await givenTools(entry(server.url), { environment });
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date', 'performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const refused = refusal('introspect', ADD);
  while (asked === 0) await yieldToEventLoop();
  await vi.advanceTimersByTimeAsync(10_001);
  expect(await refused).toMatchObject({
    because: 'unreachable',
    detail: expect.stringContaining('could not be connected to in time'),
  });
});

test('a server that answers with a list of messages is failing: the list is not read', async () => {
  const message = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' };
  const server = await serveNewest({
    guard(_request, response) {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(` ${JSON.stringify(Array.from({ length: 10 }, () => message))}`);
      return true;
    },
  });
  const { refusal } = await givenTools(entry(server.url), { environment });
  expect(await refusal('introspect', ADD)).toMatchObject({
    because: 'failing',
    detail: expect.stringContaining('a list of messages'),
  });
});

test('a credential goes to no other origin: a redirect in the middle of a call is a failure', async () => {
  const visited: string[] = [];
  const elsewhere = await serveHttp((request, response) => {
    visited.push(String(request.headers.authorization));
    response.end('{}');
  });
  let isMoved = false;
  const server = await serveNewest({
    guard(_request, response) {
      if (isMoved) response.writeHead(307, { location: elsewhere.href }).end();
      return isMoved;
    },
  });
  const { ask, tools, events } = await givenTools(entry(server.url), { environment });
  await ask('introspect', ADD);
  const called = await tools.call(
    { org: 'local', playbook: 'desk' },
    'calc',
    'add',
    {},
    {
      beforeSending: async () => {
        isMoved = true;
      },
    },
  );
  expect(called).toMatchObject({ outcome: 'server_failure', because: 'server_failure' });
  expect(called?.text).toContain('redirect');
  expect(visited).toEqual([]);
  expect(await events()).toEqual([]);
});

test('a changed entry takes effect immediately, and a removed entry is gone', async () => {
  const server = await serveNewest();
  const world = await givenTools(entry(server.url), { environment });
  await world.ask('introspect', ADD);
  world.writeConfig({ tool_servers: entry(server.url, { allowed: ['other'] }) });
  world.settings.files.readAgain();
  expect(await world.refusal('introspect', ADD)).toMatchObject({ because: 'tool_not_allowed' });
  world.writeConfig({});
  world.settings.files.readAgain();
  expect(await world.refusal('introspect', ADD)).toMatchObject({ because: 'tool_server_not_configured' });
});

test('a caller that goes away leaves a start without an answer', async () => {
  const gone = new AbortController();
  const server = await serveNewest({
    guard(request) {
      if (request.headers['mcp-method'] !== 'tools/call') return false;
      gone.abort();
      return true;
    },
  });
  const { refusal, events } = await givenTools(entry(server.url), { environment });
  expect(await refusal('execute', ADD, {}, { signal: gone.signal })).toMatchObject({ reason: 'client_closed_request' });
  await vi.waitFor(async () => expect((await events()).map(({ type }) => type)).toEqual(['tool_call_started']), {
    timeout: 15_000,
  });
});
