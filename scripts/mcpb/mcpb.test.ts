import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { unpackExtension, validateManifest } from '@anthropic-ai/mcpb';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterAll, assert, beforeAll, expect, test, vi } from 'vitest';
import { useInstalled } from '../../e2e/installed-journey.ts';
import { temporaryFolder } from '../../server/test/index.ts';
import { buildServer } from '../builds.ts';
import { buildBundle } from './build.ts';

interface Manifest {
  server: { mcp_config: { args: string[] } };
}

const STUDIO_PAGE = '<html><title>The studio</title></html>';
const folder = temporaryFolder();
const unpacked = path.join(folder.path, 'unpacked');
const dataDir = path.join(folder.path, 'data');

beforeAll(async () => {
  // The packer prints although it is asked to be silent.
  vi.spyOn(console, 'log').mockReturnValue();
  await buildServer();
  const studio = path.join(folder.path, 'studio');
  mkdirSync(path.join(studio, 'assets'), { recursive: true });
  writeFileSync(path.join(studio, 'index.html'), STUDIO_PAGE);
  writeFileSync(path.join(studio, 'assets', 'studio.js'), '');
  const bundle = await buildBundle(folder.path, studio, ['node_modules/onnxruntime-node']);
  assert(await unpackExtension({ mcpbPath: bundle, outputDir: unpacked, silent: true }));
}, 300_000);

const runtime = (): { pid: number; address: string } =>
  JSON.parse(readFileSync(path.join(dataDir, 'runtime.json'), 'utf8'));

afterAll(async () => {
  vi.restoreAllMocks();
  const { pid } = runtime();
  process.kill(pid, 'SIGTERM');
  await vi.waitFor(() => assert(!isAlive(pid)), { timeout: 30_000 });
  folder.remove();
}, 60_000);

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('the bundle has a manifest that fits, and serves its tools without anything around it', async () => {
  const file = path.join(unpacked, 'manifest.json');
  expect(validateManifest(file)).toBe(true);
  const { server } = JSON.parse(readFileSync(file, 'utf8')) as Manifest;
  const client = new Client({ name: 'bundle-test', version: '1.0.0' });
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: server.mcp_config.args.map((argument) => argument.replace('${__dirname}', unpacked)),
      env: { PATH: '', DATA_DIR: dataDir },
      cwd: folder.path,
      stderr: 'ignore',
    }),
  );
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('run_definition');
  const source = 'export default () => { const count: number = "many"; return count; };';
  await client.callTool({ name: 'create_playbook', arguments: { playbook: 'one', name: 'One' } });
  const args = { playbook: 'one', type: 'computation', name: 'give', source };
  // The sandbox is in the bundle.
  expect(await client.callTool({ name: 'create_definition', arguments: args })).not.toHaveProperty('isError');
  // So is TypeScript, with its libraries. A check that takes too long on a busy machine can be repeated.
  const check = { name: 'check_definition', arguments: { playbook: 'one', type: 'computation', source } };
  await expect
    .poll(() => client.callTool(check), { timeout: 90_000 })
    .toMatchObject({
      structuredContent: { warnings: [{ detail: expect.stringContaining("Type 'string' is not assignable") }] },
    });
  expect(await (await fetch(runtime().address)).text()).toBe(STUDIO_PAGE);
  await client.close();
}, 120_000);

test('its program serves the sample, connects Claude Code and runs a definition for it', async () => {
  const home = path.join(folder.path, 'home');
  mkdirSync(home);
  const program = path.join(unpacked, 'bin/cuebook.js');
  const environment = { HOME: home, PATH: '/usr/bin:/bin', LOG_LEVEL: 'warn' };
  expect(await useInstalled({ command: [process.execPath, program], folder: home, environment })).toContain('priority');
}, 60_000);
