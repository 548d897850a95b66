// What docs/headless.md promises about stopping, with signals as they arrive: sent to every process of a group.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Answer, createTestClient, serveLoopback, temporaryFolder } from '../../test/index.ts';

const CUEBOOK = fileURLToPath(new URL('../../../bin/cuebook.js', import.meta.url));
const AT = '/v1/orgs/local/playbooks/desk';
const INTERACTION = `${AT}/definitions/interaction`;

/** An older Node, which runs the launcher but not the server; undefined where there is none. */
function olderNode(): string | undefined {
  for (const folder of ['/usr/bin', '/usr/local/bin']) {
    try {
      const node = path.join(folder, 'node');
      const [major = 0, minor = 0] = execFileSync(node, ['-p', 'process.versions.node'])
        .toString()
        .split('.')
        .map(Number);
      if (major < 22 || (major === 22 && minor < 18)) return node;
    } catch {
      // There is no Node.
    }
  }
  return undefined;
}

interface Started {
  address: string;
  /** Of the launcher. */
  pid: number;
  /** Sends a signal to every process that was started. */
  signalAll: (signal: NodeJS.Signals) => void;
  /** The exit code, once all of them have ended. */
  ended: Promise<number | null>;
  stderr: () => string;
}

/** Starts a server in a process group of its own. */
async function started(command: string, args: readonly string[], cwd: string): Promise<Started> {
  const child: ChildProcess = spawn(command, args, {
    cwd,
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, LOG_LEVEL: 'error', DATA_DIR: cwd, PORT: '0' },
  });
  const signalAll = (signal: NodeJS.Signals): void => void process.kill(-Number(child.pid), signal);
  let stderr = '';
  child.stderr?.on('data', (chunk: Buffer) => (stderr += chunk.toString()));
  // The pipes close when the last process that holds them has ended.
  const ended = once(child, 'close').then(([code]) => code as number | null);
  onTestFinished(async () => {
    if (child.exitCode === null && child.signalCode === null) signalAll('SIGKILL');
    await ended;
  });
  if (child.stdout === null) throw new Error('There is no pipe.');
  for await (const line of createInterface({ input: child.stdout })) {
    const address = line.split(' ').at(-1);
    if (address?.startsWith('http://') !== true) continue;
    child.stdout.resume();
    return { address, pid: Number(child.pid), signalAll, ended, stderr: () => stderr };
  }
  throw new Error(`The server ended with ${await ended} before it listened: ${stderr}`);
}

interface InFlight {
  server: Started;
  /** The answer of a run that was in flight when the signal was sent. */
  run: Promise<Answer>;
  /** Ends what the run waits for. */
  release: () => void;
  health: () => Promise<{ status: number; body: { status?: string } }>;
  startAnother: () => Promise<Answer>;
}

/** A server with a run in flight: it waits for the answer of an API. */
async function givenRunInFlight(
  command: string,
  args: readonly string[],
  folder = temporaryFolder(),
): Promise<InFlight> {
  const asked = Promise.withResolvers<ServerResponse>();
  const api = await serveLoopback((_request, response) => asked.resolve(response));
  const document = {
    openapi: '3.1.0',
    info: { title: 'Slow', version: '1' },
    paths: { '/act': { post: { operationId: 'act', responses: {} } } },
  };
  const openapi = path.join(folder.path, 'openapi.json');
  writeFileSync(openapi, JSON.stringify(document));
  const slow = { type: 'openapi', document: openapi, base_url: api.address };
  writeFileSync(path.join(folder.path, 'cuebook.yaml'), JSON.stringify({ tool_servers: { slow } }));
  onTestFinished(async () => {
    await api.close();
    folder.remove();
  });
  const server = await started(command, args, folder.path);
  const client = await createTestClient(server.address);
  await client.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
  await client.post(INTERACTION, { name: 'act', source: 'call: { tool: slow/act }' });
  const startAnother = () => client.post(`${INTERACTION}/act/run`, { input: {} });
  const run = startAnother();
  run.catch(() => undefined);
  const response = await asked.promise;
  return {
    server,
    run,
    release: () => response.setHeader('content-type', 'application/json').end('{"done":true}'),
    async health() {
      const answer = await fetch(`${server.address}/health`);
      return { status: answer.status, body: (await answer.json()) as { status?: string } };
    },
    startAnother,
  };
}

const isStopping = async ({ health }: InFlight): Promise<boolean> => (await health()).body.status === 'stopping';
const SERVE = [CUEBOOK, 'serve'];
// Windows has no signals.
describe.skipIf(process.platform === 'win32')('given a signal to every process of the group', () => {
  test('then a server ends the run in flight, refuses new ones and exits with 0', async () => {
    const given = await givenRunInFlight(process.execPath, SERVE);
    given.server.signalAll('SIGTERM');
    await expect.poll(() => isStopping(given), { timeout: 10_000 }).toBe(true);
    expect(await given.health()).toMatchObject({ status: 503, body: { status: 'stopping' } });
    expect(await given.startAnother()).toMatchObject({ status: 503, body: { reason: 'unavailable' } });
    given.release();
    expect(await given.run).toMatchObject({ status: 200, body: { status: 'succeeded', output: { done: true } } });
    expect([await given.server.ended, given.server.stderr()]).toEqual([0, '']);
  }, 60_000);

  test('then a server under npm ends the run in flight as well', async () => {
    const folder = temporaryFolder();
    const start = `"${process.execPath}" "${CUEBOOK}" serve`;
    writeFileSync(path.join(folder.path, 'package.json'), JSON.stringify({ scripts: { start } }));
    const given = await givenRunInFlight('npm', ['start', '--silent'], folder);
    given.server.signalAll('SIGINT');
    await expect.poll(() => isStopping(given), { timeout: 10_000 }).toBe(true);
    given.release();
    expect(await given.run).toMatchObject({ status: 200, body: { status: 'succeeded' } });
    // The shell between npm and the server ends by the signal, whatever the server's exit code is.
    await given.server.ended;
  }, 60_000);

  test('then Ctrl-C twice within a second counts once', async () => {
    const given = await givenRunInFlight(olderNode() ?? process.execPath, SERVE);
    given.server.signalAll('SIGINT');
    given.server.signalAll('SIGINT');
    await expect.poll(() => isStopping(given), { timeout: 10_000 }).toBe(true);
    given.release();
    expect(await given.run).toMatchObject({ status: 200, body: { status: 'succeeded' } });
    expect([await given.server.ended, given.server.stderr()]).toEqual([0, '']);
  }, 60_000);

  test('then signals that are repeated until the server has ended count once', async () => {
    const folder = temporaryFolder();
    onTestFinished(folder.remove);
    const server = await started(process.execPath, SERVE, folder.path);
    server.signalAll('SIGINT');
    const until = performance.now() + 900;
    let hasEnded = false;
    void server.ended.then(() => (hasEnded = true));
    while (!hasEnded && performance.now() < until) {
      // It waits between two signals.
      // oxlint-disable-next-line no-await-in-loop
      await wait(1);
      try {
        server.signalAll('SIGINT');
      } catch {
        break;
      }
    }
    expect([await server.ended, server.stderr()]).toEqual([0, '']);
  }, 60_000);

  test('then Ctrl-C twice counts once, however late the launcher notices', async () => {
    const given = await givenRunInFlight(process.execPath, SERVE);
    process.kill(given.server.pid, 'SIGSTOP');
    given.server.signalAll('SIGINT');
    given.server.signalAll('SIGTERM');
    await expect.poll(() => isStopping(given), { timeout: 10_000 }).toBe(true);
    await wait(1100);
    process.kill(given.server.pid, 'SIGCONT');
    // Time for a signal that the launcher would pass on.
    await wait(500);
    given.release();
    expect(await given.run).toMatchObject({ status: 200, body: { status: 'succeeded' } });
    expect(await given.server.ended).toBe(0);
  }, 60_000);

  test('then a second one after a second makes the server exit immediately with 1', async () => {
    const given = await givenRunInFlight(process.execPath, SERVE);
    given.server.signalAll('SIGTERM');
    await expect.poll(() => isStopping(given), { timeout: 10_000 }).toBe(true);
    await wait(1100);
    given.server.signalAll('SIGTERM');
    await expect(given.run).rejects.toThrow('fetch failed');
    expect(await given.server.ended).toBe(1);
  }, 60_000);
});

test.skipIf(process.platform === 'win32')(
  'given a signal to the launcher alone, then the server stops in order as well',
  async () => {
    const folder = temporaryFolder();
    const launcher = spawn(process.execPath, SERVE, {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, LOG_LEVEL: 'error', DATA_DIR: folder.path, PORT: '0' },
    });
    onTestFinished(folder.remove);
    const lines = createInterface({ input: launcher.stdout });
    await once(lines, 'line');
    launcher.kill('SIGTERM');
    const [code] = (await once(launcher, 'close')) as [number | null];
    expect(code).toBe(0);
  },
  60_000,
);
