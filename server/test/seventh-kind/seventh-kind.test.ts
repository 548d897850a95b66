// A seventh kind takes its folder, its line in the registry with the import of it, and its line among the types. A copy
// of the tree gets these three; what is generated is generated anew; then it is type-checked and served.
import { execFile } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type McpTestClient, newClient } from '../../interfaces/mcp/mcp.testing.ts';
import type * as Types from '../../../shared/definition-types.ts';
import {
  type Answer,
  createTestClient,
  type ServerProcess,
  startServerProcess,
  temporaryFolder,
  type TestClient,
} from '../index.ts';

const ROOT = fileURLToPath(new URL('../../..', import.meta.url));
const COPIED = ['server', 'shared', 'renderer', 'resources', 'scripts', 'package.json', 'tsconfig.base.json'];
const AT = '/v1/orgs/local/playbooks/club';
const DATE = `question: Which evening suits you?
options: [monday, tuesday]
expose: true
`;

const run = promisify(execFile);
const [tree, data] = [temporaryFolder(), temporaryFolder()];
const inTree = (file: string): string => path.join(tree.path, file);
let server: ServerProcess;
let client: TestClient;
let mcp: McpTestClient;
let saved: Answer;

function patch(file: string, before: string, line: string): void {
  const text = readFileSync(inTree(file), 'utf8');
  if (text.split(before).length !== 2) throw new Error(`${file} does not hold one line "${before.trim()}".`);
  writeFileSync(inTree(file), text.replace(before, `${before}\n${line}`));
}

/** The folder of the kind, as it would be written in its place: one level less deep. */
function addFolder(): void {
  for (const file of ['index.ts', 'ballot.ts']) {
    const source = readFileSync(new URL(`ballot/${file}`, import.meta.url), 'utf8');
    writeFileSync(inTree(`server/kinds/ballot/${file}`), source.replaceAll("'../../../", "'../../"));
  }
}

const node = (...args: string[]) => run(process.execPath, args, { cwd: tree.path });
/** What the type checker says of a project. */
const typeIssues = (project: string): Promise<string> =>
  node('node_modules/typescript/bin/tsc', '-p', project, '--singleThreaded', '--noEmit', '--incremental', 'false').then(
    ({ stdout }) => stdout,
    ({ stdout, message }: Error & { stdout?: string }) => stdout ?? message,
  );

beforeAll(async () => {
  for (const part of COPIED) {
    const filter = (source: string): boolean => !/\.test\.tsx?$|seventh-kind/.test(source);
    cpSync(path.join(ROOT, part), inTree(part), { recursive: true, filter });
  }
  symlinkSync(path.join(ROOT, 'node_modules'), inTree('node_modules'));
  mkdirSync(inTree('server/kinds/ballot'));
  addFolder();
  patch(
    'shared/definition-types.ts',
    "  computation: { icon: 'calculator', language: 'typescript' },",
    "  ballot: { icon: 'question', language: 'yaml', mayAsk: true, mayWait: true },",
  );
  patch(
    'server/kinds/registry.ts',
    "import { createComputationKind } from './computation/index.ts';",
    "import { createBallotKind } from './ballot/index.ts';",
  );
  patch('server/kinds/registry.ts', '    byType: {', '      ballot: createBallotKind({ sources }),');
  await node('scripts/api-client.ts');
  server = await startServerProcess(data.path, { main: inTree('server/main.ts') });
  client = await createTestClient(server.address);
  await client.post('/v1/orgs/local/playbooks', { playbook: 'club', name: 'Club' });
  saved = await client.post(`${AT}/definitions/ballot`, { name: 'date', source: DATE });
  mcp = await newClient(server, '/orgs/local/playbooks/club/mcp');
}, 120_000);
afterAll(async () => {
  await mcp?.close();
  await server?.end('SIGTERM');
  rmSync(inTree('node_modules'));
  tree.remove();
  data.remove();
});

const started = async (input: object): Promise<Answer['body']> =>
  (await client.post(`${AT}/definitions/ballot/date/run`, { input })).body;
const runOf = async (id: string): Promise<Answer['body']> => (await client.get(`${AT}/runs/${id}`)).body;

test('the server and the studio still fit together', async () => {
  const server = { extends: './tsconfig.base.json', compilerOptions: { lib: ['es2024'], types: ['node'] } };
  writeFileSync(
    inTree('tsconfig.json'),
    JSON.stringify({ ...server, include: ['server/main.ts', 'server/**/*.d.ts'] }),
  );
  expect(await Promise.all([typeIssues('.'), typeIssues('renderer')])).toEqual(['', '']);
}, 120_000);

test('the studio lists it: its list asks for each type, and its icon and language stand there', async () => {
  const types = (await import(inTree('shared/definition-types.ts'))) as typeof Types;
  expect(types.DEFINITION_TYPES).toContain('ballot');
  const { body } = await client.get(`${AT}/definitions/ballot`);
  expect(body.definitions).toMatchObject([{ type: 'ballot', name: 'date', details: { expose: true } }]);
  expect((await client.get(`${AT}/definitions/ballot/date`)).body.source).toBe(DATE);
});

test('a document is saved, and one that does not fit is refused', async () => {
  expect(saved).toMatchObject({ status: 201, body: { type: 'ballot', name: 'date', version: 1 } });
  const refused = await client.post(`${AT}/definitions/ballot`, { name: 'none', source: 'options: []' });
  expect(refused).toMatchObject({
    status: 422,
    body: { errors: [{ pointer: '/source' }] },
  });
});

test('a run may end at once', async () => {
  expect(await started({ choice: 'monday' })).toMatchObject({ status: 'succeeded', output: { chosen: 'monday' } });
});

test('a run of the same definition may wait for an answer, as its history and the inbox show', async () => {
  const { run_id: id, ...begun } = await started({ voter: 'people/ada' });
  expect(begun).toMatchObject({ status: 'started', waits_for: ['answer'] });
  expect((await client.get(`${AT}/interactions`)).body.interactions).toMatchObject([
    { run_id: id, type: 'ballot', to: 'people/ada', message: 'Which evening suits you?' },
  ]);
  expect(await client.post(`${AT}/runs/${id}/answer`, { answer: 'sunday' })).toMatchObject({ status: 422 });
  expect(await client.post(`${AT}/runs/${id}/answer`, { answer: 'tuesday' })).toMatchObject({ status: 200 });
  await expect.poll(async () => (await runOf(id)).status).toBe('succeeded');
  expect(await runOf(id)).toMatchObject({ output: { chosen: 'tuesday' }, record: { voter: 'people/ada' } });
  const { events } = (await client.get(`${AT}/runs/${id}/history`)).body as { events: { type: string }[] };
  expect(events.map(({ type }) => type)).toEqual([
    'run_started',
    'interaction_requested',
    'run_deferred',
    'request_answered',
    'workflow_input_applied',
    'run_succeeded',
  ]);
});

test('a run that waits can be cancelled', async () => {
  const { run_id: id } = await started({});
  expect(await client.post(`${AT}/runs/${id}/cancel`, { reason: 'No meeting.' })).toMatchObject({ status: 200 });
  await expect.poll(async () => (await runOf(id)).reason).toBe('cancelled');
});

test('agents run it: as a tool of its own, and with run_definition', async () => {
  expect((await mcp.tools()).map(({ name }) => name)).toContain('ballot_date');
  const own = await mcp.call('ballot_date', { choice: 'monday' });
  expect(own.structured).toMatchObject({ status: 'succeeded', output: { chosen: 'monday' } });
  const given = { type: 'ballot', name: 'date', input: { choice: 'tuesday' } };
  expect((await mcp.call('run_definition', given)).structured).toMatchObject({ output: { chosen: 'tuesday' } });
});
