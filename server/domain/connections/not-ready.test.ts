// Connections that cannot be used: pending, forbidden by the rules, removed.
import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../../test/index.ts';
import { systemClock } from '../../lib/clock.ts';
import { readSettings } from '../../settings/index.ts';
import { DESK, givenServer, ORG } from './connections.testing.ts';
import type { PresentConnection } from './connections.ts';
import { createConnected } from './serving.ts';
import type { StoredConnection } from './sql.ts';
import { CANARY, serveApi, api } from './serving.testing.ts';

describe('a connection that is not ready', () => {
  const refusedEverywhere = async (
    server: Awaited<ReturnType<typeof givenServer>>,
    name: string,
    because: string,
    id: string,
  ) => {
    for (const action of ['validate', 'dry-run', 'execute'] as const) {
      const refused = await server.tool(name, 'echo', action, {});
      expect(refused).toMatchObject({
        status: 503,
        body: { reason: 'unavailable', kind: 'tool_not_offered', because },
      });
      expect(refused.text).not.toContain('127.0.0.1');
    }
    expect(await server.get(`${DESK}/tool-servers/${name}/tools/echo`)).toMatchObject({
      status: 503,
      body: { kind: 'tool_not_offered', because },
    });
    const { servers } = await server.search();
    expect(servers).toContainEqual(
      expect.objectContaining({ connection: id, because, unavailable: expect.any(String) }),
    );
    expect(JSON.stringify(servers)).not.toContain('127.0.0.1');
    expect((await server.get(`${DESK}/events`)).body.events).toEqual([]);
  };

  test('is refused as pending until it is approved', async () => {
    const { document, seen } = await serveApi();
    const server = await givenServer();
    const link = await server.add(api(document));
    await refusedEverywhere(server, 'echo', 'connection_pending', link.id);
    expect(seen).toEqual([]);
    await server.approve(link);
    expect((await server.tool('echo', 'echo', 'execute')).body.outcome).toBe('result');
    await server.send('DELETE', `${ORG}/connections/${link.id}`);
    expect((await server.tool('echo', 'echo', 'execute')).body).toMatchObject({
      because: 'tool_server_not_configured',
    });
    expect((await server.search()).servers).toEqual([]);
  });

  test('is not allowed once the rules no longer take it, and is again when they do', async () => {
    // Side by side: a changed file is noticed within a second.
    await Promise.all(
      [
        { people_may_add: false, variables: ['DOCS_KEY'] },
        { hosts: ['api.example.com'], variables: ['DOCS_KEY'] },
        { credential_kinds: ['secret'], variables: ['DOCS_KEY'] },
        { variables: [] },
      ].map(async (changed) => {
        const { document, seen } = await serveApi();
        const before = { connections: { variables: ['DOCS_KEY'] } };
        const server = await givenServer({ config: before, environment: { DOCS_KEY: CANARY } });
        const credential = { kind: 'reference', variable: 'DOCS_KEY', name: 'x', in: 'header' };
        const id = await server.connect(api(document, credential));
        server.configure({ connections: changed });
        const because = async () => (await server.search()).servers[0]?.['because'];
        await expect.poll(because, { timeout: 5000 }).toBe('connection_not_allowed');
        const asked = seen.length;
        await refusedEverywhere(server, 'echo', 'connection_not_allowed', id);
        expect(seen).toHaveLength(asked);
        expect((await server.get(`${ORG}/connections/${id}`)).body.status).toBe('connected');
        server.configure(before);
        await expect.poll(because, { timeout: 5000 }).toBeUndefined();
        expect((await server.tool('echo', 'echo', 'execute')).body.outcome).toBe('result');
      }),
    );
  });

  test('is listed beside the server that the configuration now sets up under its name', async () => {
    const { document } = await serveApi();
    const own = await serveApi();
    const server = await givenServer();
    const id = await server.connect(api(document));
    server.configure({ tool_servers: { echo: { type: 'openapi', document: own.document } } });
    await expect.poll(async () => (await server.search()).servers.length, { timeout: 5000 }).toBe(2);
    expect((await server.search()).servers).toMatchObject([
      { name: 'echo', tool_count: 1 },
      { name: 'echo', connection: id, because: 'connection_not_allowed' },
    ]);
    expect((await server.tool('echo', 'echo', 'execute')).body.outcome).toBe('result');
    expect(own.seen.some(({ url }) => url === '/echo')).toBe(true);
  });

  test('is not allowed where its document names a host that it may not reach', async () => {
    const { document, seen } = await serveApi({}, [{ url: 'https://169.254.169.254/latest' }]);
    const server = await givenServer();
    await server.connect(api(document));
    expect((await server.tool('echo', 'echo', 'dry-run')).body).toMatchObject({
      would_run: false,
      server: { reachable: 'no', because: 'connection_not_allowed' },
    });
    const called = await server.tool('echo', 'echo', 'execute');
    expect(called.body).toMatchObject({ kind: 'tool_not_offered', because: 'connection_not_allowed' });
    expect(called.text).not.toContain('169.254');
    expect((await server.get(`${DESK}/tool-servers/echo/tools/echo`)).status).toBe(200);
    expect((await server.get(`${DESK}/events`)).body.events).toEqual([]);
    expect(seen.every(({ url }) => url === '/openapi.json')).toBe(true);
  });
});

test('a removed connection leaves nothing of its credential in memory, also where nobody uses tools afterwards', async () => {
  const connection: StoredConnection = {
    id: 'c-1',
    name: 'echo',
    kind: 'openapi',
    entry: { document: 'http://127.0.0.1:9/openapi.json' },
    credential: { kind: 'secret', name: 'x-api-key', in: 'header' },
    status: 'connected',
    added_by: 'developer',
    added_at: '',
    connected_at: null,
    connected_by: null,
    broken: null,
  };
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  const settings = readSettings({ DATA_DIR: folder.path });
  const there = [{ org: 'local', connection }];
  let present: readonly PresentConnection[] = there;
  const listeners: (() => void)[] = [];
  let opened = 0;
  let meanwhile = (): void => undefined;
  const connected = createConnected({
    connections: {
      present: () => present,
      onRemoved: (notify) => void listeners.push(notify),
      break: async () => undefined,
    },
    secrets: {
      async open() {
        opened += 1;
        meanwhile();
        return { ok: true, text: JSON.stringify({ value: CANARY }) };
      },
    },
    clock: systemClock,
    egress: {
      check: async () => undefined,
      senderFor: () => ({ send: () => expect.fail() }),
      allowAddress: () => () => false,
    },
    rules: () => ({ rules: settings.connectionRules(), mode: 'local' }),
    configuredNames: () => [],
    mayBeAdded: () => true,
  });
  const [server] = connected.servers();
  const use = () => server?.ready(() => undefined);
  const remove = (): void => {
    present = [];
    listeners.forEach((notify) => notify());
  };
  await use();
  expect(await use()).toEqual({ sent: { headers: { 'x-api-key': CANARY } } });
  expect(opened).toBe(1);
  remove();
  await expect(use()).rejects.toThrow('removed');
  // One of the same id, which there never is, shows what was kept.
  present = [...there];
  meanwhile = remove;
  await expect(use()).rejects.toThrow('removed');
  present = [...there];
  meanwhile = () => undefined;
  await use();
  expect(opened).toBe(3);
});
