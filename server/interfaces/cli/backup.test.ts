import Database from 'better-sqlite3';
import { mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServerProcess, type ServerProcess } from '../../test/index.ts';
import { createTestClient } from '../../test/client.ts';
import { createCommandLine } from './cuebook.testing.ts';

const line = createCommandLine();
const AT = '/v1/orgs/local/playbooks/desk';
const file = path.join(line.folder, 'desk.backup');
let server: ServerProcess;
let runId: string;

beforeAll(async () => {
  server = await startServerProcess(line.dataDir);
  const client = await createTestClient(server.address);
  await client.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
  const source = 'ask: { to: ada, message: Which number?, answer: { type: object } }\n';
  await client.post(`${AT}/definitions/interaction`, { name: 'ask', source });
  runId = (await client.post(`${AT}/definitions/interaction/ask/run`, {})).body.run_id;
}, 30_000);
afterAll(async () => {
  await server.end('SIGTERM');
  line.remove();
});

test('a backup of a database in use is one checked file that only its owner can read, with everything committed', async () => {
  const made = await line.cuebook(['backup', file]);
  expect(made).toMatchObject({ code: 0, stdout: expect.stringMatching(/^Copied \d+ events and their read tables/) });
  expect((statSync(file).mode & 0o777).toString(8)).toBe('600');
  expect(readdirSync(line.folder).toSorted()).toEqual(['data', 'desk.backup']);
  expect(await line.cuebook(['backup', file])).toMatchObject({
    code: 2,
    stderr: `${file} exists already; name a new file.\n`,
  });
}, 30_000);

test('a restored server continues where the backup was made', async () => {
  const restored = path.join(line.folder, 'restored');
  expect(await line.cuebook(['restore', file, '--data-dir', restored])).toMatchObject({ code: 0 });
  const again = await startServerProcess(restored);
  const client = await createTestClient(again.address);
  expect((await client.post(`${AT}/runs/${runId}/answer`, { answer: { n: 1 } })).status).toBe(200);
  await expect.poll(async () => (await client.get(`${AT}/runs/${runId}`)).body.status).toBe('succeeded');
  expect(await again.end('SIGTERM')).toBe(0);
}, 30_000);

test('a restore into a data directory that is not empty is refused', async () => {
  const refused = await line.cuebook(['restore', file]);
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining('is not empty') });
});

test('a file that is not a Cuebook database is refused, and nothing is created', async () => {
  const text = path.join(line.folder, 'text');
  writeFileSync(text, 'no database');
  const empty = path.join(line.folder, 'empty');
  mkdirSync(empty);
  const refused = await line.cuebook(['restore', text, '--data-dir', empty]);
  expect(refused).toMatchObject({ code: 3, stderr: expect.stringContaining('file is not a database') });
  expect(readdirSync(empty)).toEqual([]);
});

test('a copy whose read tables differ from its event log is refused', async () => {
  const damaged = path.join(line.folder, 'damaged');
  mkdirSync(damaged);
  expect(await line.cuebook(['restore', file, '--data-dir', path.join(damaged, 'data')])).toMatchObject({ code: 0 });
  const database = new Database(path.join(damaged, 'data', 'cuebook.db'));
  database.prepare(`UPDATE playbooks SET name = 'Another'`).run();
  database.close();
  const made = await line.cuebook(['backup', path.join(damaged, 'backup'), '--data-dir', path.join(damaged, 'data')]);
  expect(made).toMatchObject({ code: 1, stderr: expect.stringContaining('The read tables playbooks are not what') });
  expect(readdirSync(damaged)).toEqual(['data']);
}, 30_000);
