import { once } from 'node:events';
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { startServerProcess } from '../../test/index.ts';
import { type CommandLine, createCommandLine } from './cuebook.testing.ts';

const SAMPLE_ENDPOINT = '/orgs/local/playbooks/wildlife-strikes/mcp';

let line: CommandLine;
beforeEach(() => {
  line = createCommandLine();
});
afterEach(() => line.remove());

async function listening(): Promise<{ server: Server; port: number }> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}

/** An option of Node.js: whatever would listen makes the file, and waits until it is gone. */
function listeningWhenGone(file: string): string {
  const held = `import { existsSync, writeFileSync } from 'node:fs';
    import { Server } from 'node:net';
    const { listen } = Server.prototype;
    Server.prototype.listen = function (...given) {
      const file = ${JSON.stringify(file)};
      writeFileSync(file, '');
      while (existsSync(file)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 20);
      return listen.apply(this, given);
    };`;
  return `--import data:text/javascript,${encodeURIComponent(held)}`;
}

describe('a server that cannot start prints one sentence that names the setting', () => {
  test('a port that is in use', async () => {
    const { server, port } = await listening();
    for (const [args, env] of [
      [['--port', String(port)], {}],
      [[], { PORT: String(port) }],
    ] as const) {
      expect(await line.cuebook(['serve', ...args], { env })).toEqual({
        code: 2,
        stdout: '',
        stderr: `PORT is ${port}, which is in use on 127.0.0.1; set another port, or 0 to pick a free one.\n`,
      });
    }
    server.close();
  }, 60_000);

  test('a data directory that is a file, or that cannot exist', async () => {
    const file = path.join(line.folder, 'file');
    writeFileSync(file, '');
    for (const command of [['serve'], ['run', 'desk', 'computation/one'], ['apply', line.writePlaybook()]]) {
      const { code, stderr } = await line.cuebook([...command, '--data-dir', path.join(file, 'data')]);
      expect(code).toBe(2);
      expect(stderr.trim().split('\n')).toHaveLength(1);
    }
    expect(await line.cuebook(['serve', '--data-dir', file])).toEqual({
      code: 2,
      stdout: '',
      stderr: `DATA_DIR, ${file}, is a file; name a folder.\n`,
    });
  }, 60_000);

  test.skipIf(process.platform !== 'linux')('a data directory that the system does not permit', async () => {
    expect(await line.cuebook(['serve', '--data-dir', '/proc/x'])).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^DATA_DIR, \/proc\/x, cannot be created \(\w+\)\.\n$/),
    });
  });
});

describe('concurrent commands', () => {
  test('without a server run one after the other', async () => {
    await line.cuebook(['apply', line.writePlaybook()]);
    const runs = Array.from({ length: 3 }, (_, n) =>
      line.cuebook(['run', 'desk', 'computation/double', '--input', JSON.stringify({ n })]),
    );
    expect((await Promise.all(runs)).map(({ code, stdout }) => [code, stdout])).toEqual([
      [0, '0\n'],
      [0, '2\n'],
      [0, '4\n'],
    ]);
  }, 60_000);

  test('wait for a server that is starting, and then find its sample, whose definitions an agent calls as tools', async () => {
    const held = path.join(line.folder, 'held');
    const starting = startServerProcess(line.dataDir, {
      args: ['--sample'],
      environment: { NODE_OPTIONS: listeningWhenGone(held) },
    });
    await expect.poll(() => existsSync(held), { timeout: 20_000 }).toBe(true);
    const input = JSON.stringify({ records: [] });
    const run = await line.cuebook(['run', 'wildlife-strikes', 'computation/report-summary', '--input', input], {
      onStderr: () => rmSync(held, { force: true }),
    });
    expect(run).toMatchObject({ code: 0, stderr: expect.stringContaining('Waiting for another Cuebook') });

    const server = await starting;
    const agent = new Client({ name: 'agent', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
    await agent.connect(new StreamableHTTPClientTransport(new URL(`${server.address}${SAMPLE_ENDPOINT}`)));
    const { tools } = await agent.listTools();
    const exposed = ['recall_open-reports', 'workflow_inspect-aircraft'];
    expect(tools.map(({ name }) => name)).toEqual(expect.arrayContaining(exposed));
    expect(JSON.stringify(tools).length / 4).toBeLessThan(9000);
    const report = { id: 'WS-1', phase: 'Taxi', size: 'Small', damage: 'None' };
    const { structuredContent } = await agent.callTool({ name: 'workflow_inspect-aircraft', arguments: report });
    expect(structuredContent).toMatchObject({ status: 'succeeded', output: { report: 'WS-1', asked: false } });
    await agent.close();
    await server.end('SIGTERM');
  }, 60_000);
});

describe('a data directory that does not exist', () => {
  test('is not created by a command that reads a run', async () => {
    const nowhere = path.join(line.folder, 'nowhere');
    for (const command of [
      ['run', 'desk', 'computation/one'],
      ['history', 'desk', crypto.randomUUID()],
      ['export', 'desk', path.join(line.folder, 'out')],
    ]) {
      expect(await line.cuebook([...command, '--data-dir', nowhere])).toMatchObject({
        code: 2,
        stderr: expect.stringContaining(`There is no Cuebook database in ${nowhere}.`),
      });
    }
    expect(readdirSync(line.folder)).toEqual([]);
  }, 60_000);
});

describe('a refused run', () => {
  const ID = '0192b3a4-5c6d-7e8f-9a0b-1c2d3e4f5a6b';

  test('is printed with its id, with --json as its problem, and without control characters', async () => {
    await line.cuebook([
      'apply',
      line.writePlaybook({
        'throws.computation.ts': "export default () => { throw new Error('\\u001b]0;owned\\u0007'); };\n",
      }),
    ]);
    const { code, stdout, stderr } = await line.cuebook([
      'run',
      'desk',
      'computation/throws',
      '--run-id',
      ID,
      '--json',
    ]);
    expect(code).toBe(1);
    expect(stderr).toMatch(
      new RegExp(`^Error: .* \\(line 1, column \\d+\\)\\.\nRun ${ID} was rejected: program error\\.\n$`),
    );
    expect(stderr).toContain('\\u001b]0;owned\\u0007');
    expect(stderr).not.toContain('\u001b');
    expect(stdout).not.toContain('\u001b');
    expect(JSON.parse(stdout)).toMatchObject({ status: 409, kind: 'unworkable', run_id: ID });
    const history = (await line.cuebook(['history', 'desk', ID])).stdout;
    expect(history).toMatch(
      /^The run of computation\/throws, version 1, was rejected: program error\.\n {2}Error: .* \(line 1, column \d+\)\.\n[^]*run_rejected/,
    );
  }, 60_000);
});

test('the address of a server may end with a slash or with /v1', async () => {
  const server = await startServerProcess(line.dataDir);
  const folder = line.writePlaybook();
  expect(await line.cuebook(['apply', folder, '--server', `${server.address}/v1/`])).toMatchObject({ code: 0 });
  expect(await line.cuebook(['diff', folder, '--server', server.address])).toMatchObject({ stdout: '1 unchanged\n' });
  expect(await line.cuebook(['diff', folder, '--server', 'localhost'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('--server is "localhost"; it must be an address'),
  });
  await server.end('SIGTERM');
}, 60_000);

test('commands that call a running server run in spite of an invalid configuration', async () => {
  const server = await startServerProcess(line.dataDir);
  const config = path.join(line.dataDir, 'cuebook.yaml');
  writeFileSync(config, 'tool_serverz: {}');
  const { code, stderr } = await line.cuebook(['apply', line.writePlaybook()]);
  expect([code, stderr]).toEqual([
    0,
    expect.stringMatching(/tool_serverz.* The running Cuebook keeps its previous settings\.\n/),
  ]);
  expect(await line.cuebook(['inbox', 'desk'])).toMatchObject({ code: 0, stdout: 'There are no open requests.\n' });
  await server.end('SIGTERM');
  // Without one, the command would have to start with these settings.
  expect(await line.cuebook(['inbox', 'desk'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('tool_serverz'),
  });
  rmSync(config);
}, 60_000);
