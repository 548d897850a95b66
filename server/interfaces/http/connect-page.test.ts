// The connect page as a browser without scripts uses it.
import { type IncomingMessage, request } from 'node:http';
import { text as textOf } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../../shared/json.ts';
import { startServer, type TestServer } from '../../test/index.ts';

const NO_STUDIO = { page: '', assets: new Map() };
const STUDIO = { ...NO_STUDIO, connectScript: 'lead-abc.js' };

const ORG = '/v1/orgs/local';
const FORM = 'application/x-www-form-urlencoded';
const SECRET = { kind: 'secret', name: 'x-api-key', in: 'header' };

let server: TestServer;
beforeAll(async () => {
  server = await startServer({ studio: NO_STUDIO });
});
afterAll(() => server.close());

let made = 0;
async function givenLink(connection: JsonObject = {}): Promise<URL> {
  made += 1;
  const base = { name: `docs-${made}`, kind: 'mcp', entry: { url: 'https://api.example.com/mcp' }, credential: SECRET };
  return new URL((await server.post(`${ORG}/connections`, { ...base, ...connection })).body.connect.url);
}

/** As a browser gets it: a page, whatever the status. */
async function open(location: string, init: RequestInit = {}) {
  const answer = await fetch(`${server.address}${location}`, { redirect: 'manual', ...init });
  return { status: answer.status, headers: answer.headers, text: await answer.text() };
}

const pathOf = (url: URL): string => `${url.pathname}${url.search}`;

/** Sends the form of a page with what a person fills in. */
async function submit(html: string, given: Record<string, string> = {}, headers: Record<string, string> = {}) {
  const hidden = [...html.matchAll(/<input type="hidden" name="(\w+)" value="([^"]*)">/g)].map(
    ([, name = '', value = '']) => [name, value],
  );
  const body = String(new URLSearchParams({ ...Object.fromEntries(hidden), ...given }));
  return open('/connect', { method: 'POST', body, headers: { 'content-type': FORM, ...headers } });
}

async function statusOf(url: URL): Promise<string> {
  return (await server.get(`${ORG}/connections/${url.searchParams.get('connection')}`)).body.status;
}

test('a person sees what they approve, gives the credential, and is redirected to a page without the token', async () => {
  const url = await givenLink({ entry: { url: 'https://api.example.com/mcp', playbooks: ['desk'] } });
  const page = await open(pathOf(url));
  expect(page.status).toBe(200);
  for (const text of ['https://api.example.com/mcp', 'desk', 'x-api-key', 'developer'])
    expect(page.text).toContain(text);
  const sent = await submit(page.text, { value: 'canary-0123456789' });
  expect(sent).toMatchObject({ status: 303, text: '' });
  expect(sent.headers.get('location')).toBe('/connect/done');
  const done = await open('/connect/done');
  expect(done.text).toContain('ready');
  expect(await statusOf(url)).toBe('connected');
  expect((await open(pathOf(url))).status).toBe(404);
  expect((await submit(page.text, { value: 'canary-0123456789' })).status).toBe(404);
});

test('what needs no value is approved by the same page', async () => {
  const url = await givenLink({ credential: { kind: 'none' } });
  const page = await open(pathOf(url));
  expect(page.text).not.toContain('type="password"');
  expect((await submit(page.text)).status).toBe(303);
  expect(await statusOf(url)).toBe('connected');
});

test.each<[Record<string, string>, number]>([
  [{ client_secret: 'canary-of-client' }, 303],
  [{ client_secret: 'canary-of-client', private_key: '', algorithm: 'RS256' }, 303],
  [{ private_key: 'canary', algorithm: 'RS256' }, 422],
  [{}, 422],
])('a client is given by %j: %s', async (given, status) => {
  const url = await givenLink({
    credential: { kind: 'client_credentials', issuer: 'https://login.example.com', client_id: 'a' },
  });
  const page = await open(pathOf(url));
  expect((await submit(page.text, given)).status).toBe(status);
});

test('what is invalid is reported on the page, which can be sent again and does not repeat it', async () => {
  const url = await givenLink();
  const page = await open(pathOf(url));
  const wrong = await submit(page.text, { value: 'canäry€' });
  expect(wrong.status).toBe(422);
  expect(wrong.text).toContain('role="alert"');
  expect(wrong.text).not.toContain('canä');
  expect(await statusOf(url)).toBe('pending');
  expect((await submit(wrong.text, { value: 'canary-0123456789' })).status).toBe(303);
});

test('no page may be framed, run a script, load anything, or send its address to another', async () => {
  const url = await givenLink();
  for (const location of [pathOf(url), '/connect', '/connect/done', '/connect?org=local']) {
    const { headers, text } = await open(location);
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy.split('; ')).toEqual([
      "default-src 'none'",
      expect.stringMatching(/^style-src 'sha256-[A-Za-z0-9+/=]+'$/),
      "form-action 'self'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ]);
    expect(headers.get('referrer-policy')).toBe('no-referrer');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-frame-options')).toBe('DENY');
    expect(text).not.toMatch(/<script|<img|<link|<iframe|\son\w+=|src=|href=/i);
  }
});

test('where there is a studio its page takes over, by one script of the own origin and in opened links alone', async () => {
  const plain = server;
  server = await startServer({ studio: STUDIO });
  try {
    const url = await givenLink();
    for (const location of [pathOf(url), '/connect?org=local&connection=a&token=b']) {
      const { headers, text } = await open(location);
      expect(headers.get('content-security-policy')).toContain(
        "default-src 'none'; script-src 'self'; style-src 'sha256-",
      );
      expect(text.match(/<script[^]*?<\/script>/g)).toEqual([
        '<script type="module" blocking="render" src="/assets/lead-abc.js"></script>',
      ]);
    }
    const page = await open(pathOf(url));
    const wrong = await submit(page.text, { value: 'canäry€' });
    const sent = await submit(page.text, { value: 'canary-0123456789' });
    expect([wrong.status, sent.status]).toEqual([422, 303]);
    for (const { headers, text } of [wrong, sent, await open('/connect/done')]) {
      expect(headers.get('content-security-policy')).not.toContain('script-src');
      expect(text).not.toContain('<script');
    }
  } finally {
    await server.close();
    server = plain;
  }
});

test('what callers wrote stays text', async () => {
  const url = await givenLink({
    entry: { url: 'https://api.example.com/?q=<script>&x="\'', headers: { 'x-team': '<b>"\'&' } },
  });
  const { text } = await open(pathOf(url));
  expect(text).not.toContain('<script');
  expect(text).toContain('x-team: &lt;b&gt;&quot;&#39;&amp;');
});

test.each(['cross-site', 'same-site', 'none'])('a form that another page sends (%s) is refused', async (site) => {
  const url = await givenLink({ credential: { kind: 'none' } });
  const page = await open(pathOf(url));
  expect((await submit(page.text, {}, { 'sec-fetch-site': site })).status).toBe(403);
  expect(await statusOf(url)).toBe('pending');
  expect((await submit(page.text, {}, { 'sec-fetch-site': 'same-origin', origin: 'null' })).status).toBe(303);
});

test.each<[string, Record<string, string>]>([
  ['another origin', { origin: 'https://evil.example' }],
  ['another port', { origin: 'http://127.0.0.1:1' }],
  ['no origin that is told', { origin: 'null' }],
  ['another origin as its own', { origin: 'https://evil.example', 'sec-fetch-site': 'same-origin' }],
])('a form from %s is refused where the browser says no more of it', async (_what, headers) => {
  const url = await givenLink({ credential: { kind: 'none' } });
  const page = await open(pathOf(url));
  expect((await submit(page.text, {}, headers)).status).toBe(403);
  expect(await statusOf(url)).toBe('pending');
  expect((await submit(page.text, {}, { origin: server.address })).status).toBe(303);
});

test.each(['GET', 'POST'])('under a name of its own a page reaches nothing by %s (DNS rebinding)', async (method) => {
  const url = await givenLink({ credential: { kind: 'none' } });
  const body = method === 'POST' ? url.search.slice(1) : '';
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const headers = { host: 'evil.example', 'content-type': FORM, 'sec-fetch-site': 'same-origin' };
  const asking = request(`${server.address}${method === 'GET' ? pathOf(url) : '/connect'}`, { method, headers });
  asking.on('response', resolve).on('error', reject).end(body);
  const answer = await promise;
  expect(answer.statusCode).toBe(403);
  expect(await textOf(answer)).not.toContain(url.searchParams.get('token'));
  expect(await statusOf(url)).toBe('pending');
});

test.each<[string, string, RequestInit, number]>([
  ['a wrong token', '/connect?org=local&connection=a&token=b', {}, 404],
  ['no query', '/connect', {}, 404],
  ['another method', '/connect', { method: 'PUT' }, 405],
  [
    'a body that is no form',
    '/connect',
    { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } },
    400,
  ],
  [
    'a body that is too large',
    '/connect',
    { method: 'POST', body: 'a'.repeat(70_000), headers: { 'content-type': FORM } },
    413,
  ],
])('%s is answered with a page', async (_what, location, init, status) => {
  const answer = await open(location, init);
  expect(answer.status).toBe(status);
  expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(answer.text).toContain('<h1>');
});

test('HEAD answers without a page, and uses nothing up', async () => {
  const url = await givenLink({ credential: { kind: 'none' } });
  expect(await open(pathOf(url), { method: 'HEAD' })).toMatchObject({ status: 200, text: '' });
  expect(await statusOf(url)).toBe('pending');
});
