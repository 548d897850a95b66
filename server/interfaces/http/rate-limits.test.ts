// How often a published server may be called, by whom it is called and from where.
import { expect, onTestFinished, test } from 'vitest';
import { ALL_PERMISSIONS } from '../../../shared/permissions.ts';
import { createKey } from '../../domain/access/index.ts';
import { createFakeClock, type FakeClock } from '../../lib/clock.ts';
import { type Answer, startServer, type TestServer } from '../../test/index.ts';
import { makeKey } from '../permissions.testing.ts';

const ada = makeKey('ada', ALL_PERMISSIONS);
const bob = makeKey('bob', ALL_PERMISSIONS);
const PLAYBOOKS = '/v1/orgs/acme/playbooks';

async function given(environment: Record<string, string>): Promise<{ server: TestServer; clock: FakeClock }> {
  const clock = createFakeClock();
  const server = await startServer({
    clock,
    environment: { API_KEYS: JSON.stringify([ada.entry, bob.entry]), ...environment },
  });
  onTestFinished(() => server.close());
  return { server, clock };
}

const META = 'io.modelcontextprotocol';
const LISTEN = {
  notifications: { toolsListChanged: true },
  _meta: {
    [`${META}/protocolVersion`]: '2026-07-28',
    [`${META}/clientInfo`]: { name: 'test', version: '1' },
    [`${META}/clientCapabilities`]: {},
  },
};
const LIMITED = { status: 503, body: { reason: 'unavailable', kind: 'rate_limited' } };

test('a caller sends so many commands a minute, over HTTP and MCP, and reads as often as it likes', async () => {
  const { server, clock } = await given({ RATE_LIMIT: '3' });
  const command = (header = ada.header): Promise<Answer> => server.post(PLAYBOOKS, { wrong: 1 }, header);
  const callTool = async (name: string): Promise<string> => {
    const response = await fetch(`${server.address}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...ada.header },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } }),
    });
    return response.text();
  };
  expect([(await command()).status, (await command()).status]).toEqual([422, 422]);
  clock.advance(20_000);
  expect(await callTool('create_playbook')).toContain('invalid_input');
  const refused = await command();
  expect(refused).toMatchObject(LIMITED);
  expect(refused.headers.get('retry-after')).toBe('40');
  expect(await callTool('create_playbook')).toContain('rate_limited');
  expect(await callTool('list_playbooks')).not.toContain('rate_limited');
  expect(await server.get(PLAYBOOKS, ada.header)).toMatchObject({ status: 200 });
  expect(await command(bob.header)).toMatchObject({ status: 422 });
  // A minute is a minute, whatever the wall clock is set to.
  clock.jump(3_600_000);
  expect(await command()).toMatchObject(LIMITED);
  clock.jump(-7_200_000);
  clock.advance(39_999);
  expect((await command()).headers.get('retry-after')).toBe('1');
  clock.advance(1);
  expect(await command()).toMatchObject({ status: 422 });
});

test('a caller holds so many event streams, over HTTP and MCP together, and none of those of others', async () => {
  const { server } = await given({ RATE_LIMIT: '1000' });
  await server.post(PLAYBOOKS, { playbook: 'desk', name: 'Desk' }, ada.header);
  const leave = new AbortController();
  const follow = (header: Record<string, string>): Promise<Response> =>
    fetch(`${server.address}${PLAYBOOKS}/desk/events/follow`, { headers: header, signal: leave.signal });
  const listen = (header: Record<string, string>): Promise<Response> =>
    fetch(`${server.address}/mcp`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'subscriptions/listen',
        ...header,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'subscriptions/listen', params: LISTEN }),
      signal: leave.signal,
    });
  const held = await Promise.all(Array.from({ length: 100 }, () => [follow(ada.header), listen(ada.header)]).flat());
  expect(held.filter(({ status }) => status !== 200)).toEqual([]);
  for (const refused of [await follow(ada.header), await listen(ada.header)]) {
    expect([refused.status, await refused.json()]).toEqual([503, expect.objectContaining(LIMITED.body)]);
  }
  expect([(await follow(bob.header)).status, (await listen(bob.header)).status]).toEqual([200, 200]);
  await held[0]?.body?.cancel();
  await expect.poll(async () => (await follow(ada.header)).status).toBe(200);
  leave.abort();
});

const guess = (server: TestServer, header: Record<string, string> = {}): Promise<Answer> =>
  server.get(PLAYBOOKS, { authorization: `Bearer ${createKey().key}`, ...header });

/** As many guesses as are answered. */
async function guessOften(server: TestServer, header: Record<string, string> = {}): Promise<void> {
  for (let count = 0; count < 60; count += 1) expect(await guess(server, header)).toMatchObject({ status: 401 });
}

test('an address guesses 60 credentials a minute; keys that were accepted before pass all the same', async () => {
  const { server, clock } = await given({});
  expect(await server.get(PLAYBOOKS, ada.header)).toMatchObject({ status: 200 });
  await guessOften(server);
  const refused = await guess(server);
  expect(refused).toMatchObject(LIMITED);
  expect([refused.headers.get('retry-after'), refused.headers.get('www-authenticate')]).toEqual(['60', null]);
  // No proxy is trusted: the client does not choose its address.
  expect(await guess(server, { 'x-forwarded-for': '192.0.2.1', forwarded: 'for=192.0.2.1' })).toMatchObject(LIMITED);
  expect(await server.get(PLAYBOOKS, bob.header)).toMatchObject(LIMITED);
  expect(await server.get(PLAYBOOKS, ada.header)).toMatchObject({ status: 200 });
  expect(await server.get(PLAYBOOKS)).toMatchObject({ status: 401 });
  clock.advance(60_000);
  expect(await server.get(PLAYBOOKS, bob.header)).toMatchObject({ status: 200 });
});

test('behind a trusted proxy, each client is counted by the address that the proxy adds to X-Forwarded-For', async () => {
  const { server } = await given({ TRUSTED_PROXIES: '10.0.0.0/8, 127.0.0.1' });
  const from = (address: string) => ({ 'x-forwarded-for': address });
  await guessOften(server, from('192.0.2.1'));
  expect(await guess(server, from('192.0.2.1'))).toMatchObject(LIMITED);
  // What the client itself wrote comes before what the proxy added.
  expect(await guess(server, from('192.0.2.7, 192.0.2.1'))).toMatchObject(LIMITED);
  expect(await guess(server, from('192.0.2.2'))).toMatchObject({ status: 401 });
  await guessOften(server, from('2001:db8::1'));
  expect(await guess(server, from('2001:db8:0:0:ffff::2'))).toMatchObject(LIMITED);
  expect(await guess(server, from('2001:db8:0:1::1'))).toMatchObject({ status: 401 });
});

test('0 turns both limits off', async () => {
  const { server } = await given({ RATE_LIMIT: '0' });
  await guessOften(server);
  expect(await guess(server)).toMatchObject({ status: 401 });
});
