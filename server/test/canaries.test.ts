import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import {
  CANARY_KEY,
  CANARY_PROMPT,
  CANARY_TEMPLATE,
  startServer,
  startServerProcess,
  temporaryFolder,
} from './index.ts';

const AT = '/v1/orgs/local/playbooks/desk';

/** What each of these plants would be a server's own doing; the checks would be worth nothing if they missed one. */
const planted = (value: string) => ({ event: { source: '/test', type: 'planted', data: { told: value } } });

test.each([
  ['key', CANARY_KEY],
  ['key in base64', Buffer.from(CANARY_KEY).toString('base64')],
  ['prompt', CANARY_PROMPT],
])('a %s in the database fails the test that leaves it there', async (name, value) => {
  const server = await startServer();
  await server.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
  expect((await server.post(`${AT}/events`, planted(value))).status).toBe(200);
  await expect(server.close()).rejects.toThrow(
    `the ${name} that no server may leave anywhere is in the file cuebook.db`,
  );
});

test('a prompt in an answer fails the test that gets it', async () => {
  const server = await startServer();
  const created = server.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: CANARY_PROMPT });
  await expect(created).rejects.toThrow('is in the answer of POST /v1/orgs/local/playbooks');
  await expect(server.close()).rejects.toThrow('is in the file');
});

test('a key in the log fails the test whose server logs it', async () => {
  const logged = [`{"msg":"${CANARY_KEY}"}`];
  const server = await startServer({ logged });
  await expect(server.close()).rejects.toThrow('the key that no server may leave anywhere is in the log');
});

test('a key that a killed server had in its write-ahead log is found', async () => {
  const folder = temporaryFolder();
  const server = await startServerProcess(folder.path);
  const post = (at: string, body: object) =>
    fetch(`${server.address}${at}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  await post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
  expect((await post(`${AT}/events`, planted(CANARY_KEY))).status).toBe(200);
  await server.end('SIGKILL');
  expect(folder.remove).toThrow('cuebook.db-wal');
});

test('a file of the test itself is searched, too, and a template is no prompt', () => {
  const folder = temporaryFolder();
  writeFileSync(path.join(folder.path, 'a.md'), CANARY_TEMPLATE);
  folder.remove();
  const other = temporaryFolder();
  writeFileSync(path.join(other.path, 'b.md'), CANARY_PROMPT);
  expect(other.remove).toThrow('b.md');
});
