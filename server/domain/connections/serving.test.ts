// Connections as tool servers: real MCP servers and HTTP APIs on the loopback.
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../../../shared/json.ts';
import { serveHttp } from '../../lib/http-client/testing.ts';
import { startServer, temporaryFolder } from '../../test/index.ts';
import { serveNewest, serveOlder } from '../tools/mcp-servers.testing.ts';
import { systemClock } from '../../lib/clock.ts';
import { readSettings } from '../../settings/index.ts';
import { DESK, givenServer, NONE, ORG, SECRET } from './connections.testing.ts';
import type { PresentConnection } from './connections.ts';
import { createConnected } from './serving.ts';
import type { StoredConnection } from './sql.ts';

const CANARY = 'canary-4f1c9b7e2d';

/** An HTTP API that says back what it was sent. */
async function serveApi(securitySchemes: JsonObject = {}, servers?: JsonObject[]) {
  const seen: { url: string; headers: Record<string, unknown> }[] = [];
  const url = await serveHttp((request, response) => {
    seen.push({ url: request.url ?? '', headers: request.headers });
    response.setHeader('content-type', 'application/json');
    if (request.url?.startsWith('/openapi.json') !== true) {
      return response.end(JSON.stringify({ url: request.url, headers: request.headers }));
    }
    response.end(
      JSON.stringify({
        openapi: '3.1.0',
        info: { title: 'Echo', version: '1' },
        ...(servers === undefined ? {} : { servers }),
        paths: {
          '/echo': {
            get: { operationId: 'echo', summary: `Says ${CANARY} back.`, responses: { 200: { description: 'ok' } } },
          },
        },
        components: { securitySchemes },
      }),
    );
  });
  return { url, document: new URL('openapi.json', url).href, seen };
}

const api = (document: string, credential: JsonObject = NONE, more: JsonObject = {}): JsonObject => ({
  name: 'echo',
  kind: 'openapi',
  entry: { document, ...more },
  credential,
});

describe('an MCP server', () => {
  test.each(['newest', 'older'])(
    'of a %s revision is searched and called with the secret of its connection',
    async (revision) => {
      const mcp = revision === 'newest' ? await serveNewest() : await serveOlder();
      const server = await givenServer();
      const entry = { url: mcp.url.href, headers: { 'x-team': 'desk' }, allowed: ['add'] };
      const id = await server.connect({ name: 'sums', kind: 'mcp', entry, credential: SECRET }, { value: CANARY });
      expect(await server.search()).toMatchObject({
        servers: [{ name: 'sums', connection: id, type: 'mcp', record_content: true, tool_count: 1 }],
        tools: [{ server: 'sums', tool: 'add' }],
      });
      expect((await server.get(`${ORG}/tool-servers/search`)).body.servers).toMatchObject([
        { connection: id, playbooks: ['*'] },
      ]);
      expect((await server.tool('sums', 'add', 'execute', { a: 2, b: 3 })).body).toMatchObject({
        outcome: 'result',
        text: '5',
      });
      for (const { headers } of mcp.seen) expect(headers).toMatchObject({ 'x-api-key': CANARY, 'x-team': 'desk' });
      const asked = async (action: 'validate' | 'dry-run') => {
        const before = mcp.seen.length;
        await server.tool('sums', 'add', action, { a: 2, b: 3 });
        return mcp.seen.slice(before).flatMap(({ method, body }) => (method === 'POST' ? [body?.['method']] : []));
      };
      expect(await asked('dry-run')).toEqual(await asked('validate'));
      const { events } = (await server.get(`${DESK}/events?order=asc`)).body;
      expect(
        events.map(({ type, data }: JsonObject) => [
          type,
          (data as JsonObject)['server'],
          (data as JsonObject)['connection_id'],
        ]),
      ).toEqual([
        ['tool_call_started', 'sums', id],
        ['tool_call_answered', 'sums', id],
      ]);
    },
  );

  test('serves the playbooks that its entry names', async () => {
    const mcp = await serveNewest();
    const server = await givenServer();
    await server.post(`${ORG}/playbooks`, { playbook: 'other', name: 'Other' });
    await server.connect({
      name: 'sums',
      kind: 'mcp',
      entry: { url: mcp.url.href, playbooks: ['other'] },
      credential: NONE,
    });
    expect((await server.search()).servers).toEqual([]);
    expect((await server.tool('sums', 'add', 'execute', {})).body).toMatchObject({
      because: 'tool_server_not_configured',
    });
    expect((await server.get(`${ORG}/playbooks/other/tool-servers/search`)).body.servers).toHaveLength(1);
    expect((await server.get('/v1/orgs/elsewhere/tool-servers/search')).body.servers).toEqual([]);
  });
});

describe('a credential', () => {
  test.each<
    [string, JsonObject, JsonObject, (seen: { url: string; headers: Record<string, unknown> }) => unknown, unknown]
  >([
    [
      'in a header',
      { kind: 'secret', name: 'X-Api-Key', in: 'header' },
      {},
      ({ headers }) => headers['x-api-key'],
      CANARY,
    ],
    ['in the query', { kind: 'secret', name: 'key', in: 'query' }, {}, ({ url }) => url, `/echo?key=${CANARY}`],
    [
      'as a key in a header',
      { kind: 'secret', name: 'own', in: 'security' },
      { own: { type: 'apiKey', in: 'header', name: 'x-own' } },
      ({ headers }) => headers['x-own'],
      CANARY,
    ],
    [
      'as a key in the query',
      { kind: 'secret', name: 'own', in: 'security' },
      { own: { type: 'apiKey', in: 'query', name: 'k' } },
      ({ url }) => url,
      `/echo?k=${CANARY}`,
    ],
    [
      'as a key in a cookie',
      { kind: 'secret', name: 'own', in: 'security' },
      { own: { type: 'apiKey', in: 'cookie', name: 'sid' } },
      ({ headers }) => headers['cookie'],
      `sid=${CANARY}`,
    ],
    [
      'as a bearer',
      { kind: 'secret', name: 'own', in: 'security' },
      { own: { type: 'http', scheme: 'bearer' } },
      ({ headers }) => headers['authorization'],
      `bearer ${CANARY}`,
    ],
    [
      'as a user and password',
      { kind: 'secret', name: 'own', in: 'security' },
      { own: { type: 'http', scheme: 'basic' } },
      ({ headers }) => headers['authorization'],
      `Basic ${Buffer.from(CANARY).toString('base64')}`,
    ],
    [
      'as a token of OAuth',
      { kind: 'secret', name: 'own', in: 'security' },
      { own: { type: 'oauth2', flows: {} } },
      ({ headers }) => headers['authorization'],
      `Bearer ${CANARY}`,
    ],
  ])('%s is sent so, and scrubbed from what comes back', async (_what, credential, schemes, sentAs, expected) => {
    const { document, seen } = await serveApi(schemes);
    const server = await givenServer();
    await server.connect(api(document, credential), { value: CANARY });
    const found = await server.search();
    expect(found.servers).toMatchObject([{ tool_count: 1 }]);
    const called = await server.tool('echo', 'echo', 'execute');
    expect(called.body.outcome).toBe('result');
    expect(sentAs(seen.at(-1) ?? { url: '', headers: {} })).toBe(expected);
    for (const text of [JSON.stringify(found), called.text, (await server.get(`${DESK}/events`)).text]) {
      expect(text).not.toContain(CANARY);
      expect(text).not.toContain(Buffer.from(CANARY).toString('base64'));
    }
  });

  test('that names a scheme which the document lacks sends nothing to the API', async () => {
    const { document, seen } = await serveApi();
    const server = await givenServer();
    await server.connect(api(document, { kind: 'secret', name: 'own', in: 'security' }), { value: CANARY });
    expect((await server.tool('echo', 'echo', 'execute')).body).toMatchObject({
      kind: 'tool_server_failed',
      because: 'failing',
    });
    expect(JSON.stringify(seen)).not.toContain(CANARY);
  });

  test('goes to no other origin than that of the API', async () => {
    const other = await serveApi();
    const { document, seen } = await serveApi({}, [{ url: other.url.href }]);
    const server = await givenServer();
    await server.connect(api(document, SECRET), { value: CANARY });
    expect((await server.tool('echo', 'echo', 'execute')).body).toMatchObject({ outcome: 'server_failure' });
    expect(other.seen).toEqual([]);
    expect(seen.every(({ headers }) => headers['x-api-key'] === CANARY)).toBe(true);
  });

  test('that refers to a variable is its value, as it is when it is used', async () => {
    const { document, seen } = await serveApi();
    const connections = { variables: ['DOCS_KEY', 'UNSET_KEY'] };
    const server = await givenServer({ config: { connections }, environment: { DOCS_KEY: CANARY } });
    const credential = { kind: 'reference', name: 'x-key', in: 'header' };
    await server.connect(api(document, { ...credential, variable: 'DOCS_KEY' }));
    const called = await server.tool('echo', 'echo', 'execute');
    expect(seen.at(-1)?.headers['x-key']).toBe(CANARY);
    expect(called.text).not.toContain(CANARY);
    await server.connect({ ...api(document, { ...credential, variable: 'UNSET_KEY' }), name: 'unset' });
    expect((await server.tool('unset', 'echo', 'execute')).body).toMatchObject({ because: 'connection_not_allowed' });
  });
});

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
  const told: (() => void)[] = [];
  let opened = 0;
  let meanwhile = (): void => undefined;
  const connected = createConnected({
    connections: { present: () => present, onRemoved: (tell) => void told.push(tell), break: async () => undefined },
    secrets: {
      async open() {
        opened += 1;
        meanwhile();
        return { ok: true, text: JSON.stringify({ value: CANARY }) };
      },
    },
    clock: systemClock,
    way: {
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
    told.forEach((tell) => tell());
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

test.each(['MCP', 'OpenAPI'])('a redirect of a server (%s) is not followed, wherever it leads', async (kind) => {
  const inside = await serveApi();
  const url = await serveHttp((_request, response) => response.writeHead(307, { location: inside.document }).end());
  const server = await givenServer();
  const entry = kind === 'MCP' ? { url: url.href } : { document: url.href };
  await server.connect({ name: 'echo', kind: kind.toLowerCase(), entry, credential: SECRET }, { value: CANARY });
  expect((await server.search()).servers).toMatchObject([{ because: 'failing' }]);
  expect(inside.seen).toEqual([]);
});

describe('after a start', () => {
  /** The same data directory, served again and again. */
  async function givenFolder() {
    const folder = temporaryFolder();
    const { createRuntime } = await import('../../app.ts');
    const { readSettings } = await import('../../settings/index.ts');
    const { default: pino } = await import('pino');
    const { createTestClient } = await import('../../test/client.ts');
    return {
      path: folder.path,
      remove: folder.remove,
      async start(environment: Record<string, string> = {}) {
        const runtime = createRuntime({
          settings: readSettings({ ...environment, DATA_DIR: folder.path, PORT: '0' }),
          logger: pino({ level: 'silent' }),
          onUnknownCommit(sentence) {
            throw new Error(sentence);
          },
        });
        return { ...(await createTestClient(await runtime.listen())), stop: () => runtime.close() };
      },
    };
  }

  async function givenConnected(
    folder: Awaited<ReturnType<typeof givenFolder>>,
    document: string,
  ): Promise<{ broken: string; other: string }> {
    const server = await folder.start();
    await server.post(`${ORG}/playbooks`, { playbook: 'desk', name: 'Desk' });
    const ids: string[] = [];
    for (const name of ['broken', 'other']) {
      const { id, connect } = (await server.post(`${ORG}/connections`, { ...api(document, SECRET), name })).body;
      const token = new URL(connect.url).searchParams.get('token');
      await server.post(`${ORG}/connections/${id}/credential`, { token, value: CANARY });
      ids.push(id);
    }
    await server.stop();
    return { broken: ids[0] ?? '', other: ids[1] ?? '' };
  }

  const because = (body: JsonObject): unknown => [body['outcome'], body['because']];

  test('a credential is read again, and one that cannot be read breaks its connection and nothing else', async () => {
    const { document, seen } = await serveApi();
    const folder = await givenFolder();
    const ids = await givenConnected(folder, document);
    const database = new Database(path.join(folder.path, 'cuebook.db'));
    database
      .prepare(`UPDATE sealed_values SET sealed = 'AAAA' || substr(sealed, 5) WHERE owner = ?`)
      .run(`connection/${ids.broken}`);
    database.close();

    const server = await folder.start();
    try {
      const call = async (name: string) =>
        because((await server.post(`${DESK}/tool-servers/${name}/tools/echo/execute`, {})).body);
      expect(await call('other')).toEqual(['result', undefined]);
      expect(seen.at(-1)?.headers['x-api-key']).toBe(CANARY);
      expect((await server.get(`${ORG}/connections/${ids.broken}`)).body.status).toBe('connected');
      expect(await call('broken')).toEqual([undefined, 'connection_broken']);
      expect(await call('broken')).toEqual([undefined, 'connection_broken']);
      expect((await server.get(`${ORG}/connections/${ids.broken}`)).body).toMatchObject({
        status: 'broken',
        broken: expect.stringContaining('secret store'),
      });
      expect((await server.get(`${ORG}/connections/${ids.other}`)).body).toMatchObject({
        status: 'connected',
        broken: null,
      });
      expect((await server.get(`${DESK}/tool-servers/search`)).body.servers).toMatchObject([
        { because: 'connection_broken' },
        { tool_count: 1 },
      ]);
      const again = await server.post(`${ORG}/connections`, { ...api(document, SECRET), name: 'broken' });
      expect(again.status).toBe(409);
      expect((await server.send('DELETE', `${ORG}/connections/${ids.broken}`)).body.status).toBe('removed');
    } finally {
      await server.stop();
      folder.remove();
    }
  });

  test('without the data key connections are refused for now, and nothing is recorded', async () => {
    const { document } = await serveApi();
    const folder = await givenFolder();
    const ids = await givenConnected(folder, document);
    const file = path.join(folder.path, 'secrets.key');
    const key = readFileSync(file, 'utf8');
    rmSync(file);
    const without = await folder.start();
    const refused = await without.post(`${DESK}/tool-servers/other/tools/echo/execute`, {});
    expect(refused.body).toMatchObject({ kind: 'tool_not_offered', because: 'connection_not_allowed' });
    expect(refused.body.detail).toContain('secrets.key');
    const { id, connect } = (await without.post(`${ORG}/connections`, { ...api(document, SECRET), name: 'third' }))
      .body;
    const token = new URL(connect.url).searchParams.get('token');
    expect((await without.post(`${ORG}/connections/${id}/credential`, { token, value: CANARY })).status).toBe(503);
    expect((await without.get(`${ORG}/connections/${ids.other}`)).body.status).toBe('connected');
    expect(existsSync(file)).toBe(false);
    await without.stop();
    // The same key, now given by the environment.
    const withKey = await folder.start({ SECRETS_KEY: key.trim() });
    expect((await withKey.post(`${DESK}/tool-servers/other/tools/echo/execute`, {})).body.outcome).toBe('result');
    await withKey.stop();
    folder.remove();
  });
});

test('a rebuild of the read tables gives the same connections', async () => {
  const { document } = await serveApi();
  const server = await startServer();
  const folder = temporaryFolder();
  try {
    const add = async (name: string) => (await server.post(`${ORG}/connections`, { ...api(document), name })).body;
    const [one] = [await add('one'), await add('two')];
    await server.post(`${ORG}/connections/${one.id}/approve`, {
      token: new URL(one.connect.url).searchParams.get('token'),
    });
    await server.send('DELETE', `${ORG}/connections/${(await add('three')).id}`);
    const read = () => {
      const database = new Database(path.join(server.dataDir, 'cuebook.db'), { readonly: true });
      const rows = ['connections', 'connection_counts'].map((table) =>
        database.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).all(),
      );
      database.close();
      return rows;
    };
    const before = read();
    expect(before[1]).toEqual([{ org: 'local', present: 2 }]);
    const { connectionProjection } = await import('./projection.ts');
    const { createEventLog, openSqliteStore } = await import('../../kernel/log/index.ts');
    const copy = path.join(folder.path, 'copy.db');
    const source = new Database(path.join(server.dataDir, 'cuebook.db'), { readonly: true });
    await source.backup(copy);
    source.close();
    const { createFakeClock } = await import('../../lib/clock.ts');
    const { createIds } = await import('../../kernel/ids.ts');
    const { MIGRATIONS } = await import('../../open-stores.ts');
    const clock = createFakeClock();
    const store = openSqliteStore({
      file: copy,
      migrations: MIGRATIONS,
      clock,
      onUnknownCommit: (sentence) => expect.fail(sentence),
    });
    await createEventLog({ store, projections: [connectionProjection], clock, ids: createIds(clock) }).rebuild();
    await store.close();
    const rebuilt = new Database(copy, { readonly: true });
    const after = ['connections', 'connection_counts'].map((table) =>
      rebuilt.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).all(),
    );
    rebuilt.close();
    expect(after).toEqual(before);
  } finally {
    await server.close();
    folder.remove();
  }
});

test('a canary is found nowhere but sealed: not in files, logs, events, answers or errors', async () => {
  const folder = temporaryFolder();
  const { startServerProcess } = await import('../../test/index.ts');
  const echo = await serveApi();
  const server = await startServerProcess(folder.path, { environment: { LOG_LEVEL: 'trace' } });
  const said: string[] = [];
  const send = async (
    method: string,
    place: string,
    body?: unknown,
    type = 'application/json',
  ): Promise<JsonObject> => {
    const response = await fetch(`${server.address}${place}`, {
      method,
      redirect: 'manual',
      ...(body === undefined
        ? {}
        : { body: typeof body === 'string' ? body : JSON.stringify(body), headers: { 'content-type': type } }),
    });
    const text = await response.text();
    said.push(JSON.stringify([...response.headers]), text);
    return text.startsWith('{') ? JSON.parse(text) : {};
  };
  await send('POST', `${ORG}/playbooks`, { playbook: 'desk', name: 'Desk' });
  const added = await send('POST', `${ORG}/connections`, api(echo.document, SECRET));
  const url = new URL(String((added['connect'] as JsonObject)['url']));
  said.length = 0;
  await send('GET', `${url.pathname}${url.search}`);
  const page = said.splice(0).join('');
  expect(page).toContain(url.searchParams.get('token'));
  const form = (value: string): string =>
    String(
      new URLSearchParams({
        org: 'local',
        connection: String(added['id']),
        token: url.searchParams.get('token') ?? '',
        value,
      }),
    );
  const FORM = 'application/x-www-form-urlencoded';
  const at = `${ORG}/connections/${String(added['id'])}`;
  // What is refused holds the canary too.
  await send('POST', `${at}/credential`, { token: url.searchParams.get('token'), value: `${CANARY}\n`, other: CANARY });
  await send('POST', `${at}/credential`, { token: url.searchParams.get('token'), value: `${CANARY}\n` });
  await send('POST', `${at}/credential`, `{"token":"x","value":"${CANARY}"`);
  await send('POST', `${at}/credential`, { token: CANARY, value: CANARY });
  said.splice(0).forEach((text) => expect(text).not.toContain(CANARY));
  await send('POST', '/connect', form(`${CANARY}ä`), FORM);
  said.splice(0).forEach((text) => expect(text).not.toContain(CANARY));
  await send('POST', '/connect', form(CANARY), FORM);
  await send('GET', '/connect/done');
  await send('POST', '/connect', form(CANARY), FORM);
  await send('GET', at);
  expect(said.join('')).not.toContain(url.searchParams.get('token'));
  await send('GET', `${ORG}/connections?include_removed=true`);
  await send('GET', `${DESK}/tool-servers/search`);
  await send('GET', `${DESK}/tool-servers/echo/tools/echo`);
  await send('POST', `${DESK}/tool-servers/echo/tools/echo/execute`, { arguments: {} });
  await send('POST', `${DESK}/tool-servers/echo/tools/echo/execute`, { arguments: { wrong: CANARY } });
  await send('GET', `${DESK}/events?limit=100`);
  expect(echo.seen.at(-1)?.headers['x-api-key']).toBe(CANARY);
  const files = (): string[] => readdirSync(folder.path).map((file) => path.join(folder.path, file));
  const searched = (): number => files().filter((file) => readFileSync(file).length > 0).length;
  const writings = [
    CANARY,
    encodeURIComponent(CANARY),
    Buffer.from(CANARY).toString('base64').slice(0, 16),
    Buffer.from(CANARY).toString('hex'),
  ];
  expect(searched()).toBeGreaterThan(2);
  for (const writing of writings) {
    for (const text of said) expect(text).not.toContain(writing);
    expect(server.stderr()).not.toContain(writing);
    for (const file of files()) expect(readFileSync(file).includes(writing), file).toBe(false);
  }
  expect(server.stderr()).toContain('/connect');
  expect(server.stderr()).not.toContain(url.searchParams.get('token'));
  expect(await server.end('SIGTERM')).toBe(0);
  for (const file of files()) expect(readFileSync(file).includes(CANARY), file).toBe(false);
  folder.remove();
});
