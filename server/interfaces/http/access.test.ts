// A published server that API keys open: who gets in, what a key permits, and how refusals are challenged.
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { get, type IncomingMessage } from 'node:http';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { createKey } from '../../domain/access/index.ts';
import { ALL_PERMISSIONS, type Permission } from '../../../shared/permissions.ts';
import { startServer, temporaryFolder, type TestServer } from '../../test/index.ts';

const folder = temporaryFolder();
const ACME = '/v1/orgs/acme';

/** A key and its entry. */
function made(name: string, permissions: readonly Permission[] = ALL_PERMISSIONS, more: object = {}) {
  const { key, sha256 } = createKey();
  return { header: { authorization: `Bearer ${key}` }, entry: { name, sha256, org: 'acme', permissions, ...more } };
}

const admin = made('admin');
const reader = made('reader', ['playbook:read']);
const limited = made('limited', ALL_PERMISSIONS, { playbooks: ['one'] });
const other = made('other', ALL_PERMISSIONS, { org: 'globex' });
const leaving = made('leaving');

const configure = (...entries: object[]): void =>
  writeFileSync(path.join(folder.path, 'cuebook.yaml'), JSON.stringify({ api_keys: entries }));

let server: TestServer;
beforeAll(async () => {
  configure(limited.entry, leaving.entry);
  server = await startServer({
    dataDir: folder.path,
    environment: {
      API_KEYS: JSON.stringify([admin.entry, reader.entry, other.entry]),
      PUBLIC_URL: 'https://cuebook.example.com',
      ALLOWED_ORIGINS: 'https://page.example.com',
    },
  });
  for (const playbook of ['one', 'two']) {
    // oxlint-disable-next-line no-await-in-loop -- in this order
    await server.post(`${ACME}/playbooks`, { playbook, name: playbook }, admin.header);
  }
});
afterAll(async () => {
  await server.close();
  folder.remove();
});

describe('a request', () => {
  test('without a key is challenged, whatever its path', async () => {
    for (const route of [`${ACME}/playbooks`, '/v1/nothing', `${ACME}/playbooks/one/nothing`]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const { status, headers, body } = await server.get(route);
      expect([status, headers.get('www-authenticate'), body.reason]).toEqual([401, 'Bearer', 'unauthenticated']);
    }
    const mcp = await fetch(`${server.address}/mcp`, { method: 'POST', body: '{}' });
    expect([mcp.status, mcp.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  });

  test.each([
    ['an unknown key', createKey().key],
    ['the digest of a key', admin.entry.sha256],
    ['a key of another letter case', admin.header.authorization.slice(7).toUpperCase()],
    ['the beginning of a key', admin.header.authorization.slice(7, -1)],
  ])('with %s is refused', async (_name, credential) => {
    const { status, headers, text } = await server.get(`${ACME}/playbooks`, { authorization: `Bearer ${credential}` });
    expect([status, headers.get('www-authenticate')]).toEqual([401, 'Bearer error="invalid_token"']);
    expect(text).not.toContain(credential);
  });

  test('whose header is not one Bearer value is malformed, before anything else', async () => {
    const { status, headers } = await server.get('/v1/nothing', { authorization: 'Basic abc' });
    expect([status, headers.get('www-authenticate')]).toEqual([400, 'Bearer error="invalid_request"']);
  });

  test('is recorded under the name of its key', async () => {
    const source = 'export default () => 1;';
    const definition = { name: 'give', source };
    const { status, body } = await server.post(
      `${ACME}/playbooks/two/definitions/computation`,
      definition,
      admin.header,
    );
    expect([status, body.created_by]).toEqual([201, 'key:admin']);
  });

  test('may name any host: a proxy passes on the one that it serves', async () => {
    const headers = { ...admin.header, host: 'cuebook.example.com' };
    const [response] = (await once(get(`${server.address}${ACME}/playbooks`, { headers }), 'response')) as [
      IncomingMessage,
    ];
    response.resume();
    expect(response.statusCode).toBe(200);
  });

  test.each(['/health', '/v1/openapi.json', '/'])('of %s needs no key', async (route) => {
    expect((await fetch(`${server.address}${route}`)).status).toBe(200);
  });

  test('says that the server is published, and not how much it does', async () => {
    const health = await (await fetch(`${server.address}/health`)).json();
    expect(health).toMatchObject({ mode: 'published' });
    expect(health).not.toHaveProperty('work');
  });
});

describe('a page', () => {
  test('of an allowed origin may ask before it has a key, and read the challenge', async () => {
    const origin = 'https://page.example.com';
    const preflight = await fetch(`${server.address}${ACME}/playbooks`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'GET' },
    });
    expect(preflight.status).toBe(204);
    const { status, headers } = await server.get(`${ACME}/playbooks`, { origin });
    expect(status).toBe(401);
    expect(headers.get('access-control-allow-origin')).toBe(origin);
    expect(headers.get('access-control-expose-headers')).toContain('www-authenticate');
  });

  test.each(['https://elsewhere.example.com', 'http://localhost:4747', 'null'])(
    'of the origin %s is refused with a key too',
    async (origin) => {
      const { status, body } = await server.get(`${ACME}/playbooks`, { origin, ...admin.header });
      expect([status, body.type]).toEqual([403, expect.stringContaining('origin_not_allowed')]);
    },
  );

  test('of the server itself is allowed', async () => {
    const origin = 'https://cuebook.example.com';
    expect((await server.get(`${ACME}/playbooks`, { origin, ...admin.header })).status).toBe(200);
  });
});

describe('a key', () => {
  const idsFor = async (header: Record<string, string>, org = 'acme'): Promise<string[]> =>
    (await server.get(`/v1/orgs/${org}/playbooks`, header)).body.playbooks.map(({ id }: { id: string }) => id);

  test('lists the playbooks that it reaches', async () => {
    expect(await idsFor(admin.header)).toEqual(['one', 'two']);
    expect(await idsFor(reader.header)).toEqual(['one', 'two']);
    expect(await idsFor(limited.header)).toEqual(['one']);
    expect(await idsFor(other.header, 'globex')).toEqual([]);
  });

  test('without the permission is refused, and the challenge names what the operation needs', async () => {
    const source = 'export default () => 1;';
    const route = `${ACME}/playbooks/one/definitions/computation/give`;
    const { status, headers } = await server.put(route, { source }, reader.header);
    expect([status, headers.get('www-authenticate')]).toEqual([403, 'Bearer error="insufficient_scope"']);
  });

  test('refused for another reason than a permission gets no challenge: no other key would help', async () => {
    const entry = { url: 'https://tools.example.com/mcp' };
    const connection = { name: 'tools', kind: 'mcp', entry, credential: { kind: 'none' } };
    const { status, headers } = await server.post(`${ACME}/connections`, connection, admin.header);
    expect([status, headers.get('www-authenticate')]).toEqual([403, null]);
  });

  test('of another org, or for another playbook, is refused before anything is said to exist', async () => {
    for (const [header, route] of [
      [other.header, `${ACME}/playbooks`],
      [other.header, `${ACME}/playbooks/none/runs`],
      [limited.header, `${ACME}/playbooks/two/runs`],
      [limited.header, `${ACME}/playbooks/none/runs`],
    ] as const) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const { status, body } = await server.get(route, header);
      expect([route, status, body.reason]).toEqual([route, 403, 'forbidden']);
    }
  });

  test('that is limited to some playbooks creates no other', async () => {
    const { status } = await server.post(`${ACME}/playbooks`, { playbook: 'three', name: 'Three' }, limited.header);
    expect(status).toBe(403);
    expect(await idsFor(admin.header)).toEqual(['one', 'two']);
  });

  test('that is removed from the configuration file is refused without a restart, and one that is added works', async () => {
    const added = made('added');
    expect((await server.get(`${ACME}/playbooks`, leaving.header)).status).toBe(200);
    configure(limited.entry, added.entry);
    const statusOf = async (header: Record<string, string>) => (await server.get(`${ACME}/playbooks`, header)).status;
    await vi.waitFor(async () => expect(await statusOf(leaving.header)).toBe(401), { timeout: 15_000 });
    expect(await statusOf(added.header)).toBe(200);
    expect(await statusOf(limited.header)).toBe(200);
  });
});

describe('get_caller', () => {
  const callerOf = async (header: Record<string, string>) => (await server.get('/v1/caller', header)).body;

  test('returns what the key permits, and whether it reaches all playbooks', async () => {
    expect(await callerOf(reader.header)).toEqual({
      id: 'key:reader',
      form: 'key',
      org: 'acme',
      permissions: ['playbook:read'],
      all_playbooks: true,
    });
    expect(await callerOf(limited.header)).toMatchObject({ permissions: ALL_PERMISSIONS, all_playbooks: false });
    expect(await callerOf(other.header)).toMatchObject({ id: 'key:other', org: 'globex' });
  });

  test('is challenged without a key', async () => {
    expect((await server.get('/v1/caller')).status).toBe(401);
  });
});

test('the page of the studio says how to sign in', async () => {
  const page = await (await fetch(`${server.address}/`)).text();
  expect(page).toContain('<meta name="cuebook-sign-in" content="key">');
});

describe('an MCP endpoint', () => {
  const initialize = {
    jsonrpc: '2.0',
    id: 1,
    method: 'initialize',
    params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
  };
  const open = (route: string, header: Record<string, string>): Promise<Response> =>
    fetch(`${server.address}${route}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...header },
      body: JSON.stringify(initialize),
    });

  test('opens for a key of its org, and without an org in the path is that of the key', async () => {
    for (const route of ['/mcp', '/orgs/acme/mcp', '/orgs/acme/playbooks/one/mcp']) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      const response = await open(route, limited.header);
      expect([route, response.status]).toEqual([route, 200]);
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      await response.text();
    }
  });

  test.each(['/orgs/globex/mcp', '/orgs/acme/playbooks/two/mcp', '/orgs/globex/playbooks/one/mcp'])(
    'at %s is closed to a key for another place',
    async (route) => {
      const response = await open(route, limited.header);
      expect([response.status, response.headers.get('www-authenticate')]).toEqual([
        403,
        'Bearer error="insufficient_scope"',
      ]);
      await response.text();
    },
  );
});
