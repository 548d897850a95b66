// Commands as separate processes that sign in at a real identity service, with a program in place of the browser.
import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { assert, describe, expect, onTestFinished, test } from 'vitest';
import { makeCertificates, SERVER_PROGRAM } from '../../../test/index.ts';
import { startPublishedServer } from '../../../test/published-server.ts';
import { createCommandLine } from '../cuebook.testing.ts';

const certificates = process.platform === 'win32' ? undefined : makeCertificates();

describe.skipIf(certificates === undefined)('cuebook login', { timeout: 60_000 }, () => {
  async function start(options: Parameters<typeof startPublishedServer>[2] = {}) {
    assert(certificates !== undefined);
    const line = createCommandLine();
    onTestFinished(() => line.remove());
    const server = await startPublishedServer(path.join(line.folder, 'published'), certificates, options);
    onTestFinished(server.close);
    await server.client.post('/v1/orgs/acme/playbooks', { playbook: 'desk', name: 'Desk' });
    const cuebook = (...args: string[]) =>
      line.cuebook([...args, '--server', server.address], { env: server.environment });
    return { ...server, cuebook, dataDir: line.dataDir, file: path.join(line.dataDir, 'logins.json') };
  }

  test('commands and MCP sessions use the login, and renew it when it expires', async () => {
    const { address, cuebook, identity, file, dataDir, environment } = await start();
    const before = await cuebook('inbox', 'desk');
    expect([before.code, before.stderr]).toEqual([
      1,
      expect.stringContaining(`Run \`cuebook login --server ${address}\``),
    ]);

    identity.lifetime = 1;
    expect(await cuebook('login')).toMatchObject({ code: 0, stdout: `Signed in to ${address}.\n` });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    identity.lifetime = 600;
    expect(await cuebook('inbox', 'desk')).toMatchObject({ code: 0 });
    expect(identity.grants).toEqual([
      { type: 'authorization_code', resource: address },
      { type: 'refresh_token', resource: address },
    ]);

    const client = new Client({ name: 'agent', version: '1.0.0' });
    const env = { ...environment, DATA_DIR: dataDir };
    const args = [SERVER_PROGRAM, 'mcp', '--server', address, '--playbook', 'desk'];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
    const called = await client.callTool({ name: 'list_definitions', arguments: { type: 'computation' } });
    expect(called.structuredContent).toMatchObject({ definitions: [] });
    await client.close();

    expect(await cuebook('logout')).toMatchObject({ code: 0, stdout: `Signed out of ${address}.\n` });
    expect(existsSync(file)).toBe(false);
  });

  test('a registered client is named where clients cannot register', async () => {
    const registered = {
      client_id: 'cuebook',
      application_type: 'native' as const,
      redirect_uris: ['http://127.0.0.1/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none' as const,
    };
    const { cuebook, file } = await start({ registers: false, clients: [registered] });
    expect(await cuebook('login')).toMatchObject({ code: 2, stderr: expect.stringContaining('--client-id') });
    expect(await cuebook('login', '--client-id', 'cuebook')).toMatchObject({ code: 0 });
    expect(readFileSync(file, 'utf8')).toContain('"clientId": "cuebook"');
  });
});
