// Names that mean an address inside of a network, now or a moment later. Names are looked up in a table of the test's.
import type dns from 'node:dns';
import type dnsPromises from 'node:dns/promises';
import { isIPv6 } from 'node:net';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { systemClock } from '../../lib/clock.ts';
import { createFetch } from '../../lib/http-client/index.ts';
import { serveHttp } from '../../lib/http-client/testing.ts';
import type { Mode } from '../../settings/index.ts';
import { readSettings } from '../../settings/index.ts';
import { temporaryFolder } from '../../test/index.ts';
import { ServerFault } from '../tools/index.ts';
import { createEgressPolicy } from './egress-policy.ts';
import { writeFileSync } from 'node:fs';
import path from 'node:path';

/** What a name means at each look-up; the last one stays. */
const names = new Map<string, string[][]>();

vi.mock('node:dns', async (load) => {
  type Answer = (error: Error | null, addresses: dns.LookupAddress[]) => void;
  return {
    ...(await load<typeof dns>()),
    lookup: (host: string, _options: unknown, answer: Answer) => answer(null, addressesOf(host)),
  };
});
vi.mock('node:dns/promises', async (load) => ({
  ...(await load<typeof dnsPromises>()),
  lookup: async (host: string) => addressesOf(host),
}));

function addressesOf(host: string): dns.LookupAddress[] {
  const meant = names.get(host) ?? [[]];
  const now = (meant.length > 1 ? meant.shift() : meant[0]) ?? [];
  return now.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
}

beforeEach(() => names.clear());

function givenPolicy(mode: Mode, hosts: string[] = ['*']) {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder.path, 'cuebook.yaml'), JSON.stringify({ connections: { hosts } }));
  const rules = readSettings({ DATA_DIR: folder.path }).connectionRules();
  const egress = createEgressPolicy(() => ({ rules, mode }), systemClock);
  onTestFinished(() => {
    egress.close();
    folder.remove();
  });
  return {
    ...egress,
    async fetch(url: URL): Promise<Response> {
      const { fetch, close } = createFetch({ allowAddress: egress.allowAddress(url) });
      onTestFinished(close);
      return fetch(url);
    },
  };
}

async function isRefused(work: Promise<unknown>): Promise<boolean> {
  const failure = await work.then(
    () => undefined,
    (error: unknown) => error,
  );
  if (failure === undefined) return false;
  expect(failure).toBeInstanceOf(ServerFault);
  expect(failure).toMatchObject({ because: 'connection_not_allowed' });
  return true;
}

test.each([
  ['10.0.0.1'],
  ['192.168.1.1'],
  ['172.16.5.5'],
  ['169.254.169.254'],
  ['100.100.100.200'],
  ['0.0.0.0'],
  ['::'],
  ['::ffff:10.0.0.1'],
  ['::ffff:127.0.0.1'],
  ['64:ff9b::7f00:1'],
  ['::ffff:169.254.169.254'],
  ['64:ff9b::a9fe:a9fe'],
  ['fd00:ec2::254'],
  ['fe80::1'],
  ['fe80::1%eth0'],
  ['2002:c0a8:101::1'],
  ['10.0.0.1', '192.168.0.1', 'fc00::1'],
])('given a name that means %s, then nothing may be sent to it', async (...addresses) => {
  names.set('inside.example', [addresses]);
  const egress = givenPolicy('local');
  const url = new URL('https://inside.example/mcp');
  expect(await isRefused(egress.check(url))).toBe(true);
  expect(await egress.senderFor().send({ method: 'GET', url, headers: {} })).toMatchObject({ because: 'unreachable' });
  await expect(egress.fetch(url)).rejects.toThrow('are not allowed');
});

test.each(['127.0.0.1', '127.8.8.8', '::1'])(
  'given a name that means %s, then it is reached in local mode alone',
  async (address) => {
    names.set('loop.example', [[address]]);
    const url = new URL('https://loop.example/');
    expect(await isRefused(givenPolicy('local').check(url))).toBe(false);
    expect(await isRefused(givenPolicy('published').check(url))).toBe(true);
    expect(await isRefused(givenPolicy('published', ['*', '*.example']).check(url))).toBe(true);
    expect(await isRefused(givenPolicy('published', ['loop.example']).check(url))).toBe(false);
  },
);

test('given a name that means another address a moment later, then nothing connects', async () => {
  let requests = 0;
  const server = await serveHttp((_request, response) => {
    requests += 1;
    response.end();
  });
  const egress = givenPolicy('published');
  const url = new URL(`https://rebind.example:${server.port}/`);
  for (const send of [
    () => egress.senderFor().send({ method: 'GET', url, headers: {} }),
    () => egress.senderFor().send({ method: 'POST', url, headers: {}, body: 'x' }),
    () => egress.fetch(url).catch(() => ({ because: 'unreachable' })),
  ]) {
    names.set('rebind.example', [['8.8.8.8'], ['127.0.0.1']]);
    expect(await isRefused(egress.check(url))).toBe(false);
    expect(await send()).toMatchObject({ because: 'unreachable' });
  }
  expect(requests).toBe(0);
});

test('given a name of several addresses, then those that may not be reached are left out', async () => {
  const server = await serveHttp((_request, response) => response.end('here'));
  names.set('both.example', [['10.0.0.1', '127.0.0.1']]);
  const egress = givenPolicy('local');
  const url = new URL(`http://both.example:${server.port}/`);
  expect(await isRefused(egress.check(url))).toBe(false);
  expect(await egress.senderFor().send({ method: 'GET', url, headers: {} })).toMatchObject({ status: 200 });
  expect(await (await egress.fetch(url)).text()).toBe('here');
});

test.each<[string, string[], string, boolean]>([
  ['every host', ['*'], 'https://10.0.0.1/', true],
  ['the host', ['10.0.0.1'], 'https://10.0.0.1/', false],
  ['the host in this port', ['10.0.0.1:8443'], 'https://10.0.0.1:8443/', false],
  ['the host in another port', ['*', '10.0.0.1:8443'], 'https://10.0.0.1/', true],
  ['the host in brackets', ['[fd00::1]'], 'https://[fd00::1]/', false],
  ['another host', ['api.example.com'], 'https://other.example.com/', true],
  ['hosts below it', ['*.example.com'], 'https://a.b.example.com/', false],
  ['hosts below it, not itself', ['*.example.com'], 'https://example.com/', true],
  ['a host that ends alike', ['*.example.com'], 'https://evilexample.com/', true],
  ['the host in capitals', ['API.example.com'], 'https://api.example.com/', false],
])('given rules that name %s (%j), then a request to %s is refused: %s', async (_what, hosts, url, expected) => {
  names.set(new URL(url).hostname, [['8.8.8.8']]);
  expect(await isRefused(givenPolicy('local', hosts).check(new URL(url)))).toBe(expected);
});

test('given a host that the operator names, then a name may mean an address inside', async () => {
  const server = await serveHttp((_request, response) => response.end('here'));
  names.set('inside.example', [['127.0.0.1']]);
  const egress = givenPolicy('published', [`inside.example:${server.port}`]);
  const url = new URL(`http://inside.example:${server.port}/`);
  expect(await egress.senderFor().send({ method: 'GET', url, headers: {} })).toMatchObject({ status: 200 });
  expect(await (await egress.fetch(url)).text()).toBe('here');
  expect(await isRefused(egress.check(new URL('http://inside.example:1/')))).toBe(true);
});

test('no redirect is followed, wherever it leads', async () => {
  let inner = 0;
  const inside = await serveHttp((_request, response) => {
    inner += 1;
    response.end();
  });
  const outside = await serveHttp((_request, response) => response.writeHead(307, { location: inside.href }).end());
  const egress = givenPolicy('local');
  expect(await egress.senderFor().send({ method: 'GET', url: outside, headers: {} })).toMatchObject({ status: 307 });
  expect((await egress.fetch(outside)).status).toBe(307);
  expect(inner).toBe(0);
});

test.each(['http://127.0.0.1:4747/', 'http://localhost:4747/', 'https://inside.example/'])(
  'given a document from elsewhere that leads to %s, then nothing may go there',
  async (address) => {
    names.set('inside.example', [['127.0.0.1']]);
    const egress = givenPolicy('local');
    const url = new URL(address);
    expect(await isRefused(egress.check(url, ELSEWHERE))).toBe(true);
    expect(await isRefused(egress.check(url, new URL('http://127.0.0.1:8080/openapi.json')))).toBe(false);
    expect(await isRefused(egress.check(url))).toBe(false);
  },
);

const ELSEWHERE = new URL('https://docs.example/openapi.json');

test('given a document from elsewhere that leads to a name of this machine, or one that is so a moment later, then nothing is sent', async () => {
  let requests = 0;
  const server = await serveHttp((_request, response) => {
    requests += 1;
    response.end();
  });
  const egress = givenPolicy('local');
  const url = new URL(`http://rebind.example:${server.port}/`);
  for (const request of [
    { method: 'GET', url, headers: {} },
    { method: 'POST', url, headers: {}, body: 'x' },
  ]) {
    names.set('rebind.example', [['8.8.8.8'], ['127.0.0.1']]);
    expect(await isRefused(egress.check(url, ELSEWHERE))).toBe(false);
    expect(await egress.senderFor(ELSEWHERE).send(request)).toMatchObject({ because: 'unreachable' });
    // Nor over a connection that somebody else was allowed to make.
    expect(await egress.senderFor().send({ ...request, method: 'GET' })).toMatchObject({ status: 200 });
    expect(await egress.senderFor(ELSEWHERE).send(request)).toMatchObject({ because: 'unreachable' });
    expect(await egress.senderFor(ELSEWHERE).send({ ...request, url: server })).toMatchObject({
      because: 'unreachable',
    });
  }
  expect(requests).toBe(2);
  const named = givenPolicy('local', ['*', `rebind.example:${server.port}`]);
  expect(await named.senderFor(ELSEWHERE).send({ method: 'GET', url, headers: {} })).toMatchObject({ status: 200 });
});

test('given rules that changed after a request was checked, then it fails and nothing is sent', async () => {
  const egress = givenPolicy('local', ['api.example.com']);
  const url = new URL('http://127.0.0.1:9/');
  expect(await egress.senderFor().send({ method: 'GET', url, headers: {} })).toMatchObject({
    kind: 'failed',
    because: 'unreachable',
    detail: expect.stringContaining('connections.hosts'),
  });
});
