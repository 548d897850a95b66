// Tests three third-party MCP clients with a real server: each lists the tools of a playbook and runs a definition. Two
// of them also sign in at a published server, with a program in place of the person's browser. They have 155 MB of packages, so they are installed in a temporary folder and are not dependencies. Needs the npm registry.
// Exits with 1 if a client gets a wrong result.
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { JsonObject } from '../shared/json.ts';
import { createTestClient, makeCertificates, startServerProcess, type TestClient } from '../server/test/index.ts';
import { startPublishedServer } from '../server/test/published-server.ts';

const VERSIONS = { mcporter: '0.12.3', 'mcp-remote': '0.15.1', '@modelcontextprotocol/inspector': '2.12.0' };
const MAIN = fileURLToPath(new URL('../server/main.ts', import.meta.url));
const INSTALL_MS = 10 * 60_000;
const CALL_MS = 2 * 60_000;
const PROGRAM = 'export default (input) => ({ total: input.price * 2 });';
const RUN = { type: 'computation', name: 'double', input: { price: 21 } };

const run = promisify(execFile);
const folder = mkdtempSync(path.join(os.tmpdir(), 'cuebook-mcp-clients-'));
const home = path.join(folder, 'home');
mkdirSync(home);
/** Clients store their own files in the folder. */
const environment: NodeJS.ProcessEnv = {
  ...process.env,
  HOME: home,
  USERPROFILE: home,
  XDG_CONFIG_HOME: home,
  LOG_LEVEL: 'warn',
};

/** Runs a program of the installed packages. @returns what it writes on standard output */
async function runClient(program: string, args: readonly string[], env = environment): Promise<string> {
  const file = path.join(folder, 'node_modules', '.bin', program);
  const options = { cwd: folder, env, timeout: CALL_MS, maxBuffer: 16 * 1024 * 1024 };
  const running = run(process.execPath, [file, ...args], options);
  running.child.stdin?.end();
  return (await running).stdout;
}

async function ask(...called: Parameters<typeof runClient>): Promise<JsonObject> {
  return JSON.parse(await runClient(...called)) as JsonObject;
}

interface Tried {
  /** Names of the tools. */
  tools: readonly string[];
  /** The output of the run. */
  ran: JsonObject;
}

const namesOf = ({ tools }: JsonObject): string[] => (tools as { name: string }[]).map(({ name }) => name);

async function tryInspector(address: string): Promise<Tried> {
  const inspect = (method: string, ...more: string[]): Promise<JsonObject> =>
    ask('mcp-inspector', ['--cli', address, '--transport', 'http', '--method', method, ...more]);
  const listed = await inspect('tools/list', '--strict');
  const args = [`type=${RUN.type}`, `name=${RUN.name}`, `input=${JSON.stringify(RUN.input)}`];
  const called = await inspect('tools/call', '--tool-name', 'run_definition', '--tool-arg', ...args);
  return { tools: namesOf(listed), ran: called['structuredContent'] as JsonObject };
}

async function tryMcporter(server: readonly string[], env = environment): Promise<Tried> {
  const listed = await ask('mcporter', ['list', ...server, '--name', 'shop', '--json'], env);
  const args = ['--args', JSON.stringify(RUN), '--output', 'json'];
  return {
    tools: namesOf(listed),
    ran: await ask('mcporter', ['call', ...server, '--name', 'shop', 'run_definition', ...args], env),
  };
}

async function signInWithMcporter(address: string, env: NodeJS.ProcessEnv): Promise<Tried> {
  const server = ['--http-url', address];
  await runClient('mcporter', ['auth', ...server, '--name', 'shop'], env);
  return tryMcporter(server, env);
}

/** A bridge between a client that only supports stdio and a server over HTTP. */
async function tryRemote(address: string, environ = environment): Promise<Tried> {
  const file = path.join(folder, 'node_modules', '.bin', 'mcp-remote');
  const client = new Client({ name: 'mcp-clients', version: '1.0.0' });
  const env = Object.fromEntries(
    Object.entries(environ).filter((pair): pair is [string, string] => pair[1] !== undefined),
  );
  await client.connect(
    new StdioClientTransport({
      command: process.execPath,
      args: [file, address, '--allow-http', '--transport', 'http-only'],
      env,
      stderr: 'ignore',
    }),
  );
  try {
    const { tools } = await client.listTools();
    const called = await client.callTool({ name: 'run_definition', arguments: RUN });
    return { tools: tools.map(({ name }) => name), ran: called.structuredContent as JsonObject };
  } finally {
    await client.close();
  }
}

/** What is wrong with a client's result; undefined if nothing is. */
function misfitOf({ tools, ran }: Tried): string | undefined {
  if (!tools.includes('run_definition')) return `it was shown the tools ${tools.join(', ') || 'none'}`;
  const total = (ran['output'] as { total?: number } | undefined)?.total;
  return total === 42 ? undefined : `the run answered ${JSON.stringify(ran)}`;
}

async function main(): Promise<boolean> {
  const packages = Object.entries(VERSIONS).map(([name, version]) => `${name}@${version}`);
  console.log(`Installing ${packages.join(', ')} into a temporary folder.`);
  const install = ['install', '--prefix', folder, '--no-save', '--ignore-scripts', '--no-audit', '--no-fund'];
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  await run(npm, [...install, ...packages], { timeout: INSTALL_MS, shell: process.platform === 'win32' });

  const isGood = await tryLocal();
  return (await trySigningIn()) && isGood;
}

/** A server in local mode. */
async function tryLocal(): Promise<boolean> {
  const dataDir = path.join(folder, 'data');
  const server = await startServerProcess(dataDir);
  try {
    const address = `${server.address}${await createShop(await createTestClient(server.address), 'local')}`;
    const stdio = [
      '--stdio',
      process.execPath,
      ...[MAIN, 'mcp', '--data-dir', dataDir, '--playbook', 'shop'].flatMap((arg) => ['--stdio-arg', arg]),
    ];
    return await tryAll({
      'Inspector over HTTP': () => tryInspector(address),
      'mcporter over HTTP': () => tryMcporter(['--http-url', address, '--allow-http']),
      'mcporter over stdio, through cuebook mcp': () => tryMcporter(stdio),
      'mcp-remote between stdio and HTTP': () => tryRemote(address),
    });
  } finally {
    await server.end('SIGTERM');
  }
}

/** A published server, where people sign in at an identity service: clients find out by themselves. */
async function trySigningIn(): Promise<boolean> {
  const certificates = process.platform === 'win32' ? undefined : makeCertificates();
  if (certificates === undefined) {
    console.log('Signing in: skipped, because it needs openssl and a system other than Windows.');
    return true;
  }
  const server = await startPublishedServer(path.join(folder, 'published'), certificates);
  try {
    const address = `${server.address}${await createShop(server.client, server.identity.org)}`;
    const env = { ...environment, ...server.environment };
    return await tryAll({
      'mcporter, signing in': () => signInWithMcporter(address, env),
      'mcp-remote, signing in': () => tryRemote(address, env),
    });
  } finally {
    await server.close();
  }
}

/** @returns the path of the playbook's MCP endpoint */
async function createShop(client: Pick<TestClient, 'post'>, org: string): Promise<string> {
  await client.post(`/v1/orgs/${org}/playbooks`, { playbook: 'shop', name: 'Shop' });
  const double = { name: RUN.name, source: PROGRAM };
  await client.post(`/v1/orgs/${org}/playbooks/shop/definitions/computation`, double);
  return `/orgs/${org}/playbooks/shop/mcp`;
}

/** One after the other. */
async function tryAll(trials: Record<string, () => Promise<Tried>>): Promise<boolean> {
  let isGood = true;
  for (const [name, attempt] of Object.entries(trials)) {
    // oxlint-disable-next-line no-await-in-loop -- clients share the folder of their settings
    const misfit = await attempt().then(misfitOf, (error: unknown) => String(error));
    console.log(misfit === undefined ? `${name}: lists the tools and runs a definition` : `${name}: FAILED, ${misfit}`);
    isGood &&= misfit === undefined;
  }
  return isGood;
}

try {
  const isGood = await main();
  console.log(isGood ? 'Every client works.' : 'Not every client works.');
  process.exitCode = isGood ? 0 : 1;
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}
