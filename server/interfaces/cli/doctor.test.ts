import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { SERVER_PROGRAM, startServerProcess, temporaryFolder } from '../../test/index.ts';

let folder: ReturnType<typeof temporaryFolder>;
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

/** What the environment gives beside the data directory. */
let variables: Record<string, string> = {};
afterEach(() => {
  variables = {};
});

function command(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  const env = { ...process.env, DATA_DIR: folder.path, CONFIG_FILE: '', ...variables };
  return spawnSync(process.execPath, [SERVER_PROGRAM, ...args], { env, encoding: 'utf8' });
}
const doctor = (...args: string[]) => command('doctor', ...args);

const file = (name: string): string => path.join(folder.path, name);

test('reports missing files', () => {
  const { status, stdout } = doctor();
  expect(status).toBe(0);
  expect(stdout).toContain(`env file: ${file('env')} (not found)\n`);
  expect(stdout).toContain(`configuration file: ${file('cuebook.yaml')} (not found)\n`);
});

test('counts the entries of the files, and prints no secret', () => {
  writeFileSync(file('env'), 'DESK_TOKEN=s3cret\nLOG_LEVEL=debug\n', { mode: 0o600 });
  writeFileSync(
    file('cuebook.yaml'),
    'workflow_http: [{ host: a.example }]\nworkflow_secrets: [{ variable: DESK_TOKEN }]\nmcp_answers: false',
  );
  const { stdout } = doctor();
  expect(stdout).toContain(`env file: ${file('env')} (2 variables)\n`);
  expect(stdout).toContain(
    `configuration file: ${file('cuebook.yaml')} (entries: workflow_http 1, workflow_secrets 1, tool_servers 0, mcp_answers 1,`,
  );
  expect(stdout).toContain('LOG_LEVEL: "debug"');
  const json = doctor('--json').stdout;
  expect(JSON.parse(json).settings).toMatchObject({
    envFile: { path: file('env'), wasRead: true, variables: 2 },
    configFile: {
      path: file('cuebook.yaml'),
      wasRead: true,
      entries: { workflow_http: 1, mcp_answers: 1, connections: 0 },
    },
  });
  expect(stdout + json).not.toContain('s3cret');
}, 60_000);

test('reports which model settings variables set, without their values, and that the file is ignored for them', () => {
  writeFileSync(
    file('cuebook.yaml'),
    'model_aliases: { team/slow: openai/a }\nallowed_models: ["openai/*", "team/*"]\n',
  );
  writeFileSync(file('env'), 'DECLARED_MODELS={}\n', { mode: 0o600 });
  variables = { ALLOWED_MODELS: '["openai/*"]', OPENAI_API_KEY: 'a-value-of-its-own' };
  const { stdout } = doctor();
  expect(stdout).toContain(
    'MODEL_GATEWAYS: not set\nMODEL_ALIASES: not set\nALLOWED_MODELS: "set"\nDECLARED_MODELS: "set"\n',
  );
  expect(stdout).toContain(
    'model_gateways 0, model_aliases 1, allowed_models 2, ignored because its variable is set, declared_models 0, ',
  );
  expect(JSON.parse(doctor('--json').stdout).settings).toMatchObject({
    MODEL_ALIASES: null,
    ALLOWED_MODELS: 'set',
    configFile: { inVariables: ['allowed_models', 'declared_models'] },
  });
}, 60_000);

test('exits with the message of an invalid setting', () => {
  writeFileSync(file('cuebook.yaml'), 'model_gateways: {}');
  expect(doctor()).toMatchObject({
    status: 2,
    stdout: `DATA_DIR: ${JSON.stringify(folder.path)}\nruntime: not running\n`,
    stderr: expect.stringContaining('model_gateways in '),
  });
});

test('shows the tables with their sizes, also while a runtime is running, and changes nothing', async () => {
  expect(doctor().stdout).toContain('database: 0 bytes.');
  expect(existsSync(file('cuebook.db'))).toBe(false);
  const server = await startServerProcess(folder.path, { args: ['--sample'] });
  const { stdout } = doctor();
  expect(stdout).toContain(`listening on ${server.address}`);
  expect(stdout).toMatch(
    /^since it started \d+ seconds ago: commits [1-9]\d* \([\d.]+ per second\), SQL statements [1-9]/m,
  );
  expect(stdout).toMatch(/^events: \d+ rows, \d+ bytes$/m);
  writeFileSync(file('cuebook.yaml'), 'tool_serverz: {}');
  expect(doctor()).toMatchObject({ status: 2, stdout: expect.stringContaining(`listening on ${server.address}`) });
  expect(command('inbox')).toMatchObject({ status: 0, stderr: expect.stringContaining('did you mean tool_servers?') });
  rmSync(file('cuebook.yaml'));
  await server.end('SIGTERM');
  const { settings, runtime, tables } = JSON.parse(doctor('--json').stdout) as {
    settings: object;
    runtime: null;
    tables: { table: string; rows: number; bytes: number }[];
  };
  expect(settings).toMatchObject({ DATA_DIR: folder.path, PORT: null, DATABASE_URL: `sqlite:${file('cuebook.db')}` });
  expect(runtime).toBeNull();
  expect(tables.find(({ table }) => table === 'definitions')).toMatchObject({ bytes: expect.any(Number) });
  expect(tables.every(({ bytes }) => bytes >= 4096)).toBe(true);
}, 120_000);

test('exits with 3 for a file that is not a database', () => {
  writeFileSync(file('cuebook.db'), 'no database'.repeat(1000));
  expect(doctor()).toMatchObject({ status: 3, stderr: expect.stringContaining('cannot be read') });
});

test('encrypts every secret with a new key, while no runtime is running', async () => {
  const ORG = '/v1/orgs/local/connections';
  const post = async (address: string, location: string, body: object) =>
    (await fetch(`${address}${location}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }).then((answer) => answer.json())) as { id: string; status: string; connect: { url: string } };
  const server = await startServerProcess(folder.path);
  const { id, connect } = await post(server.address, ORG, {
    name: 'docs',
    kind: 'mcp',
    entry: { url: 'https://api.example.com/mcp' },
    credential: { kind: 'secret', name: 'x-key', in: 'header' },
  });
  const token = new URL(connect.url).searchParams.get('token');
  await post(server.address, `${ORG}/${id}/credential`, { token, value: 'canary-0123456789' });
  await fetch(`${server.address}/v1/orgs/local/model-providers/key`, {
    method: 'PUT',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ provider: 'groq', key: 'canary-of-the-provider-0123456789' }),
  });
  const before = readFileSync(file('secrets.key'), 'utf8');
  expect(doctor('--rotate-key')).toMatchObject({
    status: 2,
    stderr: expect.stringContaining('is using this data directory'),
  });
  await server.end('SIGTERM');
  expect(doctor('--rotate-key')).toMatchObject({ status: 0, stdout: 'Encrypted 2 secrets with the new key.\n' });
  expect(readFileSync(file('secrets.key'), 'utf8')).not.toContain(before.trim());
  expect(doctor().stdout).toContain('model providers: none; with a key saved in the studio: groq\n');

  const again = await startServerProcess(folder.path);
  const { providers } = (await (await fetch(`${again.address}/v1/orgs/local/model-providers`)).json()) as {
    providers: object[];
  };
  expect(providers).toContainEqual(expect.objectContaining({ provider: 'groq', key_ends_with: '6789' }));
  await again.end('SIGTERM');
}, 120_000);

test('shows the mode, and the number of API keys', () => {
  expect(doctor().stdout).toContain('mode: local; no credential is needed\n');
  const key = { name: 'reporting', sha256: 'ab'.repeat(32), org: 'acme', permissions: ['org:read'] };
  variables = { API_KEYS: JSON.stringify([key]) };
  const { stdout } = doctor();
  expect(stdout).toContain('mode: published; 1 API key\n');
  expect(stdout).not.toContain(key.sha256);
  expect(JSON.parse(doctor('--json').stdout)).toMatchObject({ mode: 'published', apiKeys: 1 });
});
