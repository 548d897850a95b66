// What a key opened ends soon after the key is removed from the configuration, and what it started continues.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ALL_PERMISSIONS } from '../../../shared/permissions.ts';
import { startServer, temporaryFolder, type TestServer } from '../../test/index.ts';
import { makeKey } from '../permissions.testing.ts';

const WAITING = `document:
  dsl: '1.0.3'
  namespace: shop
  name: wait
  version: '1.0.0'
  summary: Waits for an answer.
  metadata: { expose: true }
do:
  - hear: { listen: { to: { one: { with: { type: answered } } } } }
`;

const folder = temporaryFolder();
const staying = makeKey('staying', ALL_PERMISSIONS);
const leaving = makeKey('leaving', ALL_PERMISSIONS);
const changed = makeKey('changed', ALL_PERMISSIONS);
const AT = '/v1/orgs/acme/playbooks/desk';

const configure = (...entries: object[]): void =>
  writeFileSync(path.join(folder.path, 'cuebook.yaml'), JSON.stringify({ api_keys: entries }));

let server: TestServer;
beforeAll(async () => {
  configure(staying.entry, leaving.entry, changed.entry);
  server = await startServer({ dataDir: folder.path });
  await server.post('/v1/orgs/acme/playbooks', { playbook: 'desk', name: 'Desk' }, staying.header);
  await server.post(`${AT}/definitions/workflow`, { name: 'wait', source: WAITING }, staying.header);
});
afterAll(async () => {
  await server.close();
  folder.remove();
});

/** Opens a stream, and returns how it ends. */
async function follow(headers: Record<string, string>, leave?: AbortSignal): Promise<{ ended: Promise<string> }> {
  const response = await fetch(`${server.address}${AT}/events/follow`, { headers, signal: leave ?? null });
  expect(response.status).toBe(200);
  return { ended: response.text().catch(() => 'left') };
}

test('streams and waits of a key end with it', async () => {
  const leave = new AbortController();
  const kept = await follow(staying.header, leave.signal);
  const streams = [await follow(leaving.header), await follow(changed.header)];

  const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  const endpoint = new URL(`${server.address}/orgs/acme/playbooks/desk/mcp`);
  await client.connect(new StreamableHTTPClientTransport(endpoint, { requestInit: { headers: leaving.header } }));
  const subscription = await client.listen({ toolsListChanged: true });
  const waiting = client.callTool({ name: 'workflow_wait', arguments: {} });
  const started = async (): Promise<string[]> => {
    const { body } = await server.get(`${AT}/runs?status=started`, staying.header);
    return body.runs.map(({ started_by }: { started_by: string }) => started_by);
  };
  await expect.poll(started).toEqual(['key:leaving']);

  configure(staying.entry, { ...changed.entry, permissions: ['org:read'] });
  for (const { ended } of streams) expect(await ended).toMatch(/^: following\n/);
  await subscription.closed;
  expect(await waiting).toMatchObject({ structuredContent: { status: 'started' } });
  // The run continues, and so does the stream of the other key.
  expect(await started()).toEqual(['key:leaving']);
  expect(await server.get(`${AT}/runs`, leaving.header)).toMatchObject({ status: 401 });
  await server.post(`${AT}/events`, { event: { source: '/test', type: 'after' } }, staying.header);
  leave.abort();
  expect(await kept.ended).toBe('left');
  await client.close();
});
