import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client as NewClient } from '@modelcontextprotocol/client';
import { StdioClientTransport as NewTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as OldTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { afterEach, assert, beforeEach, describe, expect, test, vi } from 'vitest';
import type { JsonObject } from '../../../../shared/json.ts';
import { createKey } from '../../../domain/access/index.ts';
import { SERVER_PROGRAM, startServerProcess, temporaryFolder } from '../../../test/index.ts';

/** Every session starts processes; what they compile is kept, as bin/cuebook.js keeps it. */
const COMPILED = fileURLToPath(new URL('../../../../node_modules/.cache/compiled', import.meta.url));
const ENVIRONMENT = { PATH: process.env['PATH'] ?? '', LOG_LEVEL: 'debug', NODE_COMPILE_CACHE: COMPILED };
const NAME = { name: 'stdio-test', version: '1.0.0' };
const WAITING = `document: { dsl: '1.0.3', namespace: shop, name: wait, version: '1.0.0', metadata: { expose: true } }
do:
  - hear: { listen: { to: { one: { with: { type: answered } } } } }
`;

let folder: ReturnType<typeof temporaryFolder>;
const open: { close: () => Promise<void> }[] = [];
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(async () => {
  await Promise.all(open.splice(0).map((client) => client.close()));
  await vi.waitFor(
    () => {
      for (const pid of runtimes()) process.kill(pid, 'SIGTERM');
      assert.deepEqual(runtimes(), []);
    },
    { timeout: 15_000 },
  );
  folder.remove();
});

function runtimePid(): number | undefined {
  try {
    const { pid } = JSON.parse(readFileSync(path.join(folder.path, 'runtime.json'), 'utf8')) as { pid: number };
    process.kill(pid, 0);
    return pid;
  } catch {
    return undefined;
  }
}

/** Those of the folder, also one that starts and has not said so yet. */
function runtimes(): number[] {
  const lines = execFileSync('ps', ['-e', '-o', 'pid=,args=']).toString().split('\n');
  return lines
    .filter((line) => line.includes(' --until-idle ') && line.endsWith(` --data-dir ${folder.path}`))
    .map((line) => parseInt(line, 10));
}

function end(signal: NodeJS.Signals): void {
  const pid = runtimePid();
  if (pid !== undefined) process.kill(pid, signal);
}

interface Session {
  tools(): Promise<string[]>;
  call(name: string, args: JsonObject, onprogress?: () => void): Promise<{ isError?: boolean; text: string }>;
  /** Lines on standard output that are no messages of the protocol, as the client saw them. */
  errors: string[];
}

interface Called {
  isError?: boolean;
  content: { text?: string }[];
}

async function session(
  revision: 'old' | 'new',
  args: readonly string[] = [],
  environment: Record<string, string> = {},
): Promise<Session> {
  const errors: string[] = [];
  const parameters = {
    command: process.execPath,
    args: [SERVER_PROGRAM, 'mcp', '--data-dir', folder.path, ...args],
    env: { ...ENVIRONMENT, ...environment },
    stderr: 'ignore' as const,
  };
  const client =
    revision === 'old'
      ? new OldClient(NAME)
      : new NewClient(NAME, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  // The library takes one listener, as a member.
  // oxlint-disable-next-line unicorn/prefer-add-event-listener
  client.onerror = (error) => errors.push(error.message);
  if (client instanceof OldClient) await client.connect(new OldTransport(parameters));
  else await client.connect(new NewTransport(parameters));
  open.push(client);
  const withText = ({ isError = false, content }: Called): { isError?: boolean; text: string } => ({
    isError,
    text: content.map(({ text = '' }) => text).join('\n'),
  });
  return {
    errors,
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    async call(name, given, onprogress) {
      const options = onprogress === undefined ? {} : { onprogress };
      const called = { name, arguments: given };
      return withText(
        (client instanceof OldClient
          ? await client.callTool(called, undefined, options)
          : await client.callTool(called, options)) as Called,
      );
    },
  };
}

describe('a session with a published server', () => {
  const { key, sha256 } = createKey();
  const entry = { name: 'agent', sha256, org: 'acme', permissions: ['org:write', 'playbook:read'] };
  const published = async () => {
    const server = await startServerProcess(folder.path, { environment: { API_KEYS: JSON.stringify([entry]) } });
    open.push({ close: async () => void (await server.end('SIGTERM')) });
    return server.address;
  };

  test.each([
    ['no key', {}, 'CUEBOOK_KEY is not set'],
    ['an unknown key', { CUEBOOK_KEY: createKey().key }, 'Set CUEBOOK_KEY to a valid key'],
  ])('and %s is answered with what to do', async (_name, environment, words) => {
    const agent = await session('new', ['--server', await published()], environment);
    await expect(agent.tools()).rejects.toThrow(words);
    expect(await agent.call('list_playbooks', {})).toEqual({ isError: true, text: expect.stringContaining(words) });
  });

  test('acts in the org of its key, and in no other', async () => {
    const address = await published();
    await fetch(`${address}/v1/orgs/acme/playbooks`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ playbook: 'desk', name: 'Desk' }),
    });
    const agent = await session('new', ['--server', address, '--playbook', 'desk'], { CUEBOOK_KEY: key });
    expect(await agent.tools()).toContain('list_runs');
    const elsewhere = await session('new', ['--server', address, '--org', 'globex'], { CUEBOOK_KEY: key });
    await expect(elsewhere.tools()).rejects.toThrow('is for the org acme');
  });
});

/** What becomes of a call when its runtime is killed in the middle of it. */
async function killedWhile<T>(call: (isGoing: () => void) => Promise<T>): Promise<T> {
  const going = Promise.withResolvers<void>();
  const answer = call(going.resolve);
  await going.promise;
  end('SIGKILL');
  return answer;
}

describe.each(['new', 'old'] as const)('a session of the %s revision', { timeout: 60_000 }, (revision) => {
  test('starts a runtime, continues after it was killed, and writes only protocol messages', async () => {
    const agent = await session(revision);
    expect(await agent.tools()).toContain('create_playbook');
    const first = runtimePid();
    expect((await agent.call('create_playbook', { playbook: 'shop', name: 'Shop' })).isError).toBe(false);
    end('SIGKILL');
    expect((await agent.call('list_playbooks', {})).text).toMatch(/shop/);
    expect(runtimePid()).not.toBe(first);
    expect((await agent.call('get_run', { playbook: 'shop', run_id: 'none' })).isError).toBe(true);
    expect(agent.errors).toEqual([]);
  });

  test('learns that the outcome of an interrupted call is unknown, even if no runtime can start', async () => {
    const org = await session(revision);
    await org.call('create_playbook', { playbook: 'shop', name: 'Shop' });
    const agent = await session(revision, ['--playbook', 'shop']);
    await agent.call('create_definition', { type: 'workflow', name: 'wait', source: WAITING });
    const isLost = { isError: true, text: expect.stringMatching(/unknown.*list_runs/s) };
    expect(await killedWhile((isGoing) => agent.call('workflow_wait', {}, isGoing))).toMatchObject(isLost);
    expect((await agent.call('list_runs', { status: 'started' })).text).toMatch(/"name":"wait"/);
    const config = path.join(folder.path, 'cuebook.yaml');
    writeFileSync(config, 'tool_serverz: {}');
    expect(await killedWhile((isGoing) => agent.call('workflow_wait', {}, isGoing))).toMatchObject(isLost);
    rmSync(config);
  });
});

test('the runtime of a session exits once it is idle, and the next session starts another', async () => {
  const quick = { CUEBOOK_IDLE_SECONDS: '1' };
  const first = await session('new', [], quick);
  await first.call('create_playbook', { playbook: 'shop', name: 'Shop' });
  const pid = runtimePid();
  expect(pid).toBeDefined();
  await Promise.all(open.splice(0).map((client) => client.close()));
  await expect.poll(runtimes, { timeout: 30_000 }).toEqual([]);
  expect(existsSync(path.join(folder.path, 'runtime.json'))).toBe(false);
  const second = await session('new', [], quick);
  expect((await second.call('list_playbooks', {})).text).toMatch(/shop/);
  expect(runtimePid()).not.toBe(pid);
}, 60_000);

test('a missing playbook is reported to the person', async () => {
  const agent = await session('old', ['--playbook', 'shop']);
  expect(await agent.call('list_runs', {})).toMatchObject({
    isError: true,
    text: expect.stringMatching(/no playbook shop/),
  });
  await expect(agent.tools()).rejects.toThrow(/The org local has no playbook shop/);
}, 60_000);

test('an invalid configuration is reported to the person, and the session continues once it is corrected', async () => {
  const config = path.join(folder.path, 'cuebook.yaml');
  writeFileSync(config, 'tool_serverz: {}');
  const agent = await session('new');
  await expect(agent.tools()).rejects.toThrow(/did you mean tool_servers\?/);
  rmSync(config);
  expect(await agent.tools()).toContain('create_playbook');
}, 60_000);

/** Writes to the console, warns, and at last throws where nobody catches: once the session listens and its runtime lives. */
const NOISE = (runtimeFile: string): string => `import { existsSync } from 'node:fs';
let said = 0;
setInterval(() => {
  if (process.stdin.listenerCount('data') === 0) return;
  console.log('noise'); console.info('noise'); process.emitWarning('noise', 'DeprecationWarning');
  if ((said += 1) >= 20 && existsSync(${JSON.stringify(runtimeFile)})) throw new Error('noise');
}, 20);`;

test('standard output holds the protocol alone, also when something warns, logs or crashes', async () => {
  const noise = encodeURIComponent(NOISE(path.join(folder.path, 'runtime.json')));
  const child = spawn(process.execPath, [SERVER_PROGRAM, 'mcp', '--data-dir', folder.path], {
    env: { ...ENVIRONMENT, NODE_OPTIONS: `--import=data:text/javascript,${noise}` },
  });
  let [stdout, stderr] = ['', ''];
  child.stdout.on('data', (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: NAME };
  child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
  expect((await once(child, 'close'))[0]).not.toBe(0);
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).id),
  ).toEqual([1]);
  expect(stderr).toMatch(/^noise$/m);
  expect(stderr).toMatch(/DeprecationWarning: noise/);
}, 60_000);

test('two sessions that start concurrently share one runtime, which outlives them', async () => {
  const agents = await Promise.all([session('new'), session('old')]);
  await Promise.all(agents.map((agent) => agent.tools()));
  const pid = runtimePid();
  await agents[0]?.call('create_playbook', { playbook: 'shared', name: 'Shared' });
  expect((await agents[1]?.call('list_playbooks', {}))?.text).toMatch(/shared/);
  await Promise.all(open.splice(0).map((client) => client.close()));
  expect(runtimePid()).toBe(pid);
}, 60_000);

test('a session is notified that tools have changed', async () => {
  const client = new NewClient(NAME, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  const args = [SERVER_PROGRAM, 'mcp', '--data-dir', folder.path];
  await client.connect(new NewTransport({ command: process.execPath, args, env: ENVIRONMENT, stderr: 'ignore' }));
  open.push(client);
  const heard = new Promise<void>((resolve) => {
    client.setNotificationHandler('notifications/tools/list_changed', () => resolve());
  });
  await client.listen({ toolsListChanged: true });
  await client.callTool({ name: 'create_playbook', arguments: { playbook: 'shop', name: 'Shop' } });
  const source = 'export default () => 1;';
  await client.callTool({
    name: 'create_definition',
    arguments: { playbook: 'shop', type: 'computation', name: 'one', source },
  });
  await expect(heard).resolves.toBe(undefined);
}, 60_000);
