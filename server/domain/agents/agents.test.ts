// What the studio shows of agents' clients is what the command line prints.
import { spawnSync } from 'node:child_process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AgentSetup } from '../../../shared/schemas/index.ts';
import { BUNDLE } from '../../runtime/studio.ts';
import { SERVER_PROGRAM, startServer, type TestServer } from '../../test/index.ts';
import { existsSync } from 'node:fs';
import { CLIENTS } from './clients.ts';
import { ownCommand } from './launch.ts';

let server: TestServer;
beforeAll(async () => {
  const bundle = { file: SERVER_PROGRAM, mediaType: 'application/octet-stream', bytes: 1 };
  server = await startServer({ studio: { page: '', assets: new Map([[BUNDLE, bundle]]) } });
  await server.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
});
afterAll(() => server.close());

async function setupOf(query = ''): Promise<AgentSetup> {
  const { status, body } = await server.get(`/v1/orgs/local/agent-setup${query}`);
  expect(status).toBe(200);
  return body;
}

const serversOf = (member: unknown) => member as Record<string, object>;

test.each([
  ['cursor', '', []],
  ['vscode', '?playbook=desk&read=true', ['--playbook', 'desk', '--read']],
])('the configuration of %s, asked for with %j, is what cuebook connect prints', async (client, query, more) => {
  const { clients } = await setupOf(query);
  expect(clients.map((one) => one.client)).toEqual(['claude-desktop', 'claude-code', 'cursor', 'vscode']);
  const args = [SERVER_PROGRAM, 'connect', client, '--data-dir', server.dataDir, '--json', ...more];
  const { stdout } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(clients.find((one) => one.client === client)?.config).toEqual(JSON.parse(stdout));
});

test.each(['--server=https://example.com', 'desk; curl example.com | sh #', "desk'"])(
  'a playbook that none can be called, %s, stands in no configuration',
  async (playbook) => {
    const query = new URLSearchParams({ playbook }).toString();
    const { status, body } = await server.get(`/v1/orgs/local/agent-setup?${query}`);
    expect([status, body.errors[0].pointer]).toEqual([422, '/playbook']);
  },
);

test('the links hold the same entry as the configuration', async () => {
  const { name, clients } = await setupOf('?playbook=desk');
  const [, , cursor, vscode] = clients;
  const added = new URL(cursor?.link ?? '');
  expect(`${added.protocol}//${added.host}${added.pathname}`).toBe('cursor://anysphere.cursor-deeplink/mcp/install');
  expect(added.searchParams.get('name')).toBe(name);
  expect(JSON.parse(Buffer.from(added.searchParams.get('config') ?? '', 'base64').toString())).toEqual(
    serversOf(cursor?.config['mcpServers'])[name],
  );
  const [before, query = ''] = (vscode?.link ?? '').split('?');
  expect(before).toBe('vscode:mcp/install');
  const entry = serversOf(vscode?.config['servers'])[name];
  expect(JSON.parse(decodeURIComponent(query))).toEqual({ name, ...entry });
});

test('a built bundle is named, and browsers do not cache it forever', async () => {
  const { bundle } = await setupOf();
  expect(bundle).toBe(BUNDLE);
  const { headers } = await fetch(`${server.address}/assets/${bundle}`, { method: 'HEAD' });
  expect(headers.get('cache-control')).toBe('no-cache');
});

test('clients start this Node, or the desktop app as a Node, with the environment that it needs', () => {
  const own = ownCommand({ execPath: '/node', versions: process.versions });
  expect(own).toMatchObject({ command: '/node', environment: {} });
  expect(existsSync(String(own.args[0]))).toBe(true);
  expect(CLIENTS['cursor']?.entry(own)).toEqual({ command: '/node', args: own.args });
  const inApp = ownCommand({ execPath: '/opt/Cuebook/cuebook', versions: { ...process.versions, electron: '45.4.1' } });
  expect(CLIENTS['claude-code']?.entry(inApp)).toEqual({
    type: 'stdio',
    command: '/opt/Cuebook/cuebook',
    args: [expect.stringMatching(/app\.asar\.unpacked.electron.cuebook\.mjs$/)],
    env: { ELECTRON_RUN_AS_NODE: '1' },
  });
});
