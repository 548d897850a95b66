// A person pastes the configuration of another client: it is previewed, added, and a tool of it is called.
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Call, JsonOperation } from '../../../operations/index.ts';
import { readSettings } from '../../../settings/index.ts';
import { serveLoopback, startServer, type TestServer } from '../../../test/index.ts';
import { toolSetUpOperations } from './set-up-operations.ts';

const PROGRAM = fileURLToPath(new URL('../counting-program.testing.ts', import.meta.url));
const AT = '/v1/orgs/local/tool-server-setup';
const SECRET = 'zq8$"\\ 4711-hidden';

const logged: string[] = [];
let counted = 0;
let counting: Awaited<ReturnType<typeof serveLoopback>>;
let server: TestServer;
beforeAll(async () => {
  counting = await serveLoopback((request, response) => {
    request.resume();
    counted += 1;
    response.end();
  });
  server = await startServer({ logged });
  writeFileSync(config(), '# of the team\nmcp_answers: true # yes\n');
  await server.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
});
afterAll(async () => {
  await server.close();
  await counting.close();
});

const config = (): string => path.join(server.dataDir, 'cuebook.yaml');
const env = (): string => path.join(server.dataDir, 'env');
const pasted = (): string =>
  JSON.stringify({
    mcpServers: {
      counter: {
        command: process.execPath,
        args: [PROGRAM, counting.address],
        env: { COUNTER_TOKEN: SECRET, COUNTER_KEY: '<YOUR_KEY>', LEVEL: 'debug' },
      },
    },
  });

test('a pasted program is previewed, added with its secrets as variables, and called', async () => {
  const before = readFileSync(config(), 'utf8');
  const plan = await server.post(`${AT}/plan`, { text: pasted() });
  expect(plan).toMatchObject({
    status: 200,
    body: {
      file: config(),
      env_file: env(),
      before,
      servers: [{ name: 'counter', type: 'stdio', notes: [] }],
      variables: [
        { name: 'TOOL_COUNTER_TOKEN', server: 'counter', field: 'env.COUNTER_TOKEN', state: 'pasted' },
        { name: 'TOOL_COUNTER_KEY', server: 'counter', field: 'env.COUNTER_KEY', state: 'missing' },
      ],
    },
  });
  expect(plan.body.after).toContain('COUNTER_TOKEN: ${TOOL_COUNTER_TOKEN}');
  expect(plan.text).not.toContain('4711');
  expect(readFileSync(config(), 'utf8')).toBe(before);

  const { base } = plan.body;
  expect(await server.post(AT, { text: pasted(), base })).toMatchObject({
    status: 422,
    body: { errors: [{ pointer: '/values/TOOL_COUNTER_KEY' }] },
  });
  expect(
    await server.post(AT, { text: pasted(), base, values: { TOOL_COUNTER_KEY: 'second-hidden', OTHER: 'x' } }),
  ).toMatchObject({
    status: 422,
    body: { errors: [{ pointer: '/values', detail: expect.stringContaining('OTHER') }] },
  });
  expect(readFileSync(config(), 'utf8')).toBe(before);

  const added = await server.post(AT, { text: pasted(), base, values: { TOOL_COUNTER_KEY: 'second-hidden' } });
  expect(added).toMatchObject({ status: 200, body: { servers: [{ name: 'counter', type: 'stdio' }] } });
  expect(readFileSync(config(), 'utf8')).toBe(plan.body.after);
  expect(readFileSync(config(), 'utf8')).toMatch(/# of the team[^]*# yes/);
  expect(statSync(env()).mode & 0o777).toBe(0o600);

  const execute = '/v1/orgs/local/playbooks/desk/tool-servers/counter/tools/act/execute';
  expect((await server.post(execute, { arguments: { id: 'a' } })).body).toMatchObject({
    outcome: 'result',
    text: 'done',
  });
  expect(counted).toBe(1);
  expect([added.text, ...logged].join('\n')).not.toMatch(/4711|second-hidden/);
});

test('a plan that is out of date is refused, and nothing is written', async () => {
  const text = 'https://mcp.example.com/mcp';
  const { base } = (await server.post(`${AT}/plan`, { text })).body;
  writeFileSync(config(), `${readFileSync(config(), 'utf8')}# later\n`);
  const before = readFileSync(config(), 'utf8');
  expect(await server.post(AT, { text, base })).toMatchObject({ status: 409 });
  expect(readFileSync(config(), 'utf8')).toBe(before);
});

test('a server that was added to the file a moment ago is not replaced by one of its name', async () => {
  const before = readFileSync(config(), 'utf8');
  const own = '  docs: { type: mcp, url: https://own.example/mcp }\n';
  writeFileSync(config(), before.replace('tool_servers:\n', `tool_servers:\n${own}`));
  const text = JSON.stringify({ mcpServers: { docs: { url: 'https://other.example/mcp' } } });
  const plan = await server.post(`${AT}/plan`, { text });
  expect(plan.body.servers).toMatchObject([{ name: 'docs-2' }]);
  expect(plan.body.after).toContain(own);
  writeFileSync(config(), before);
});

test('a configuration file that is not valid is not changed', async () => {
  const before = readFileSync(config(), 'utf8');
  writeFileSync(config(), 'mcp_answers: [\n');
  expect(await server.post(`${AT}/plan`, { text: 'https://mcp.example.com/mcp' })).toMatchObject({
    status: 422,
    body: { errors: [{ pointer: '/text', detail: expect.stringContaining('is not YAML') }] },
  });
  writeFileSync(config(), before);
});

test('what is no server, or not valid, is refused without its values', async () => {
  expect(await server.post(`${AT}/plan`, { text: '{"mcpServers":{"a":{"token":"4711-hidden"}}}' })).toMatchObject({
    status: 422,
    body: { errors: [{ pointer: '/text' }] },
  });
  const withPassword = await server.post(`${AT}/plan`, { text: 'https://me:4711-hidden@example.com/mcp' });
  expect(withPassword).toMatchObject({
    status: 422,
    body: { errors: [{ pointer: '/text', detail: expect.stringContaining('without a user name and password') }] },
  });
  expect(withPassword.text).not.toContain('4711');
});

test.each([
  ['a flood of empty objects', '{'.concat('{},'.repeat(10_919))],
  ['comments that are not closed', `{${'\n/* '.repeat(15_000)}`],
  ['quotes', '"'.repeat(65_000)],
  [
    'thousands of variables',
    `mcpServers:\n  a:\n    command: x\n    env:\n${Array.from({ length: 5000 }, (_, index) => `      k${index}: v\n`).join('')}`,
  ],
])('%s, 64 KiB of them, are refused', async (_what, text) => {
  expect(await server.post(`${AT}/plan`, { text })).toMatchObject({
    status: 422,
    body: { errors: [{ pointer: '/text' }] },
  });
});

test('a paste that takes a worker too long is refused, and the main thread does not read it', async () => {
  const operations = toolSetUpOperations({
    settings: readSettings({ DATA_DIR: server.dataDir }),
    mode: 'local',
    textWork: { run: () => Promise.resolve('unfinished') },
  });
  const [plan] = operations as JsonOperation[];
  await expect(plan?.handle({} as Call, { text: 'https://mcp.example.com/mcp' })).rejects.toMatchObject({
    rejection: { issues: [{ pointer: '/text', detail: expect.stringContaining('too long') }] },
  });
});

test('on a published server both operations are forbidden, before wrong fields are reported', async () => {
  const operations = toolSetUpOperations({
    settings: readSettings({ DATA_DIR: server.dataDir }),
    mode: 'published',
    textWork: {
      run() {
        throw new Error('Nothing is read.');
      },
    },
  });
  expect(operations).toHaveLength(2);
  for (const operation of operations) {
    await expect(operation.precheck?.({} as Call, {}, {})).rejects.toMatchObject({
      rejection: { reason: 'forbidden' },
    });
  }
});
