// Connections as tool servers: real MCP servers and HTTP APIs on the loopback.
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../shared/json.ts';
import { serveHttp } from '../../lib/http-client/testing.ts';
import { serveNewest, serveOlder } from '../tools/mcp-servers.testing.ts';
import { DESK, givenServer, NONE, ORG, SECRET } from './connections.testing.ts';
import { CANARY, serveApi, api } from './serving.testing.ts';

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

test.each(['MCP', 'OpenAPI'])('a redirect of a server (%s) is not followed, wherever it leads', async (kind) => {
  const inside = await serveApi();
  const url = await serveHttp((_request, response) => response.writeHead(307, { location: inside.document }).end());
  const server = await givenServer();
  const entry = kind === 'MCP' ? { url: url.href } : { document: url.href };
  await server.connect({ name: 'echo', kind: kind.toLowerCase(), entry, credential: SECRET }, { value: CANARY });
  expect((await server.search()).servers).toMatchObject([{ because: 'failing' }]);
  expect(inside.seen).toEqual([]);
});
