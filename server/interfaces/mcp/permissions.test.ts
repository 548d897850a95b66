// The same as over HTTP: each tool with each permission, and what one caller leaves behind with the key of another.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { JsonObject } from '../../../shared/json.ts';
import { ALL_PERMISSIONS } from '../../../shared/permissions.ts';
import { startServer, type TestServer } from '../../test/index.ts';
import { isOpen, makeKey, pathOf, REFUSED_TO_KEYS } from '../permissions.testing.ts';

const admin = makeKey('admin', ALL_PERMISSIONS);
const second = makeKey('second', ALL_PERMISSIONS);
const single = ALL_PERMISSIONS.map((permission) => ({
  permission,
  ...makeKey(permission.replace(':', '-'), [permission]),
}));
const foreign = makeKey('foreign', ALL_PERMISSIONS, { org: 'globex' });
const limited = makeKey('limited', ALL_PERMISSIONS, { playbooks: ['own'] });

const LARGE = `export const expose = true;
export default (input) => 'x'.repeat(60000);
`;

let server: TestServer;
beforeAll(async () => {
  const keys = [admin, second, ...single, limited, foreign].map(({ entry }) => entry);
  server = await startServer({ environment: { API_KEYS: JSON.stringify(keys), RATE_LIMIT: '0' } });
  for (const playbook of ['own', 'other']) {
    await server.post('/v1/orgs/acme/playbooks', { playbook, name: playbook }, admin.header);
    const at = `/v1/orgs/acme/playbooks/${playbook}/definitions/computation`;
    await server.post(at, { name: 'large', source: LARGE }, admin.header);
  }
});
afterAll(() => server.close());

interface Told {
  status: number;
  error?: { message: string };
  // Tests assert on the meaning of an answer, member by member; a wrong member fails the assertion.
  // oxlint-disable-next-line typescript/no-explicit-any
  result?: any;
}

async function send(header: Record<string, string>, method: string, params: JsonObject, route = '/mcp'): Promise<Told> {
  const response = await fetch(`${server.address}${route}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream', ...header },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  });
  const text = await response.text();
  const data = /^data: (\{.*)$/m.exec(text)?.[1] ?? text;
  return { status: response.status, ...(data === '' ? {} : (JSON.parse(data) as object)) };
}

const call = (header: Record<string, string>, name: string, args: JsonObject, route?: string): Promise<Told> =>
  send(header, 'tools/call', { name, arguments: args }, route);

const reasonOf = ({ result }: Told): unknown => result?.structuredContent?.reason ?? JSON.stringify(result);

test.each(single)('a key with $permission alone calls the tools that it opens', async ({ permission, header }) => {
  for (const operation of server.operations.filter(({ mcp, answers }) => mcp && answers === 'json')) {
    const result = await call(header, operation.name, { ...pathOf(operation, 'own'), nonsense: 1 });
    const isRefused = String(reasonOf(result)).includes('forbidden');
    const isExpected = !isOpen(operation, permission) || REFUSED_TO_KEYS.includes(operation.name);
    expect([operation.name, isRefused, reasonOf(result)]).toEqual([operation.name, isExpected, reasonOf(result)]);
  }
});

test('a key that is limited to some playbooks calls no tool of another', async () => {
  for (const operation of server.operations.filter(({ mcp, answers }) => mcp && answers === 'json')) {
    if (!Object.hasOwn(operation.path.properties, 'playbook')) continue;
    const result = await call(limited.header, operation.name, pathOf(operation, 'other'));
    expect([operation.name, reasonOf(result)]).toEqual([operation.name, expect.stringContaining('forbidden')]);
  }
});

test('tools of definitions are listed to who may read them, and called by who may write', async () => {
  const route = '/orgs/acme/playbooks/own/mcp';
  for (const { permission, header } of single) {
    const { result } = await send(header, 'tools/list', {}, route);
    const names = (result?.tools ?? []).map(({ name }: { name: string }) => name);
    expect([permission, names.includes('computation_large')]).toEqual([permission, permission === 'playbook:read']);
    const response = await call(header, 'computation_large', {}, route);
    expect([permission, reasonOf(response)]).toEqual([permission, expect.stringContaining('forbidden')]);
  }
});

test('a value that is kept for one caller is not read by another, and a playbook is read by its own keys', async () => {
  const { result } = await call(admin.header, 'run_definition', {
    playbook: 'other',
    type: 'computation',
    name: 'large',
  });
  const kept: string = result.structuredContent.output_resource;
  const read = (header: Record<string, string>, uri: string, route?: string) =>
    send(header, 'resources/read', { uri }, route);
  const run = `cuebook://acme/playbooks/other/runs/${result.structuredContent.run_id}`;
  for (const uri of [kept, run]) {
    expect((await read(admin.header, uri)).result?.contents[0].text).toContain('xxx');
    expect((await read(limited.header, uri)).error?.message).toMatch(/permission|expired/);
    expect(reasonOf(await call(limited.header, 'read_resource', { uri }))).toMatch(/forbidden|not_found/);
    expect((await read(limited.header, uri, '/orgs/acme/playbooks/own/mcp')).error?.message).toMatch(/cannot|expired/);
  }
  expect((await read(second.header, run)).result?.contents[0].text).toContain('xxx');
  const elsewhere = run.replace('acme', 'globex');
  expect((await read(admin.header, elsewhere)).error?.message).toContain('cannot read');
});

test('a client is notified of changed tools only in playbooks that its caller may read', async () => {
  await server.post('/v1/orgs/globex/playbooks', { playbook: 'own', name: 'Own' }, foreign.header);
  const heard: string[] = [];
  const listen = async (name: string, headers: Record<string, string>, route: string): Promise<Client> => {
    const client = new Client({ name, version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
    client.setNotificationHandler('notifications/tools/list_changed', () => void heard.push(name));
    const address = new URL(`${server.address}${route}`);
    await client.connect(new StreamableHTTPClientTransport(address, { requestInit: { headers } }));
    await client.listen({ toolsListChanged: true });
    return client;
  };
  const change = async (header: Record<string, string>, at: string, name: string): Promise<void> => {
    const to = `/v1/orgs/${at}/definitions/computation`;
    expect(await server.post(to, { name, source: LARGE }, header)).toMatchObject({ status: 201 });
  };
  const clients = await Promise.all([
    listen('org', admin.header, '/mcp'),
    listen('own', admin.header, '/orgs/acme/playbooks/own/mcp'),
    listen('limited', limited.header, '/mcp'),
    listen('foreign', foreign.header, '/orgs/globex/playbooks/own/mcp'),
    listen('foreign org', foreign.header, '/mcp'),
    listen('org writer', single[1]?.header ?? {}, '/mcp'),
  ]);
  await change(admin.header, 'acme/playbooks/other', 'new');
  await change(admin.header, 'acme/playbooks/own', 'new');
  await change(foreign.header, 'globex/playbooks/own', 'new');
  // Each stream keeps the order of its notifications, so that nothing is still on its way after the last of each.
  await expect.poll(() => heard.toSorted()).toEqual(['foreign', 'foreign org', 'limited', 'org', 'org', 'own']);
  await Promise.all(clients.map((client) => client.close()));
});
