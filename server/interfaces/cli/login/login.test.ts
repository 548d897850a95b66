// Commands as separate processes that sign in at a real identity service, with a program in place of the browser.
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, assert, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { trust } from '../../../domain/connections/issuer.testing.ts';
import { confirmDevice, makeCertificates, SERVER_PROGRAM } from '../../../test/index.ts';
import { type PublishedServer, startPublishedServer } from '../../../test/published-server.ts';
import { type CommandLine, createCommandLine } from '../cuebook.testing.ts';

const certificates = process.platform === 'win32' ? undefined : makeCertificates();
const REGISTERED = {
  client_id: 'cuebook',
  redirect_uris: [],
  response_types: [],
  grant_types: ['urn:ietf:params:oauth:grant-type:device_code', 'refresh_token'],
  token_endpoint_auth_method: 'none' as const,
};

describe.skipIf(certificates === undefined)('cuebook login', { timeout: 60_000 }, () => {
  let line: CommandLine;
  let server: PublishedServer;
  let file: string;
  beforeAll(async () => {
    assert(certificates !== undefined);
    line = createCommandLine();
    const options = { offersDevices: true, clients: [REGISTERED] };
    server = await startPublishedServer(path.join(line.folder, 'published'), certificates, options);
    await server.client.post('/v1/orgs/acme/playbooks', { playbook: 'desk', name: 'Desk' });
    file = path.join(line.dataDir, 'logins.json');
  }, 60_000);
  afterAll(async () => {
    await server.close();
    line.remove();
  });
  beforeEach(() => {
    server.identity.lifetime = 600;
    server.identity.grants.length = 0;
  });

  type Options = Parameters<CommandLine['cuebook']>[1];
  const cuebook = (args: readonly string[], options: Options = {}) =>
    line.cuebook([...args, '--server', server.address], { env: server.environment, ...options });

  test('commands and MCP sessions use the login, and renew it when it expires', async () => {
    const { address, identity, environment } = server;
    const before = await cuebook(['inbox', 'desk']);
    expect([before.code, before.stderr]).toEqual([
      1,
      expect.stringContaining(`Run \`cuebook login --server ${address}\``),
    ]);

    identity.lifetime = 1;
    expect(await cuebook(['login', '--browser'])).toMatchObject({ code: 0, stdout: `Signed in to ${address}.\n` });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    identity.lifetime = 600;
    // Two processes at the same time: one renews the login, the other reads the result.
    const [own, elsewhere] = await Promise.all([
      cuebook(['inbox', 'desk']),
      cuebook(['inbox', 'desk', '--org', 'globex']),
    ]);
    expect(own).toMatchObject({ code: 0 });
    const words = `Your login for ${address} is for the org acme, and --org names globex.`;
    expect(elsewhere).toMatchObject({ code: 1, stderr: expect.stringContaining(words) });
    expect(identity.grants).toEqual([
      { type: 'authorization_code', resource: address },
      { type: 'refresh_token', resource: address },
    ]);

    const client = new Client({ name: 'agent', version: '1.0.0' });
    const env = { ...environment, DATA_DIR: line.dataDir };
    const args = [SERVER_PROGRAM, 'mcp', '--server', address, '--playbook', 'desk'];
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env }));
    const called = await client.callTool({ name: 'list_definitions', arguments: { type: 'computation' } });
    expect(called.structuredContent).toMatchObject({ definitions: [] });
    await client.close();
  });

  test('without --browser it prints a code for another device; logout revokes the login', async () => {
    assert(certificates !== undefined);
    trust(certificates);
    const { address, identity } = server;
    let confirmed: Promise<void> | undefined;
    const login = await cuebook(['login', '--client-id', 'cuebook'], {
      onStderr(words) {
        const [, page] = /Or open (\S+)/.exec(words) ?? [];
        if (page !== undefined) confirmed ??= confirmDevice(new URL(page));
      },
    });
    expect(login).toMatchObject({ code: 0, stdout: `Signed in to ${address}.\n` });
    await confirmed;
    expect(identity.grants).toEqual([{ type: REGISTERED.grant_types[0], resource: address }]);

    const stdout = `Signed out of ${address}. The refresh token was revoked at ${identity.issuer}.\n`;
    expect(await cuebook(['logout'])).toMatchObject({ code: 0, stdout });
    expect(existsSync(file)).toBe(false);
    expect(await cuebook(['logout'])).toMatchObject({ code: 0, stdout: `There was no login for ${address}.\n` });
  });

  test('Ctrl-C cancels it', async () => {
    const cancelled = await cuebook(['login', '--client-id', 'cuebook'], {
      onStderr(words, child) {
        if (words.endsWith('cancel.\n')) child.kill('SIGINT');
      },
    });
    expect(cancelled).toMatchObject({ code: 1, stderr: expect.stringMatching(/\nThe sign-in was cancelled\.\n$/) });
    expect(existsSync(file)).toBe(false);
  });
});
