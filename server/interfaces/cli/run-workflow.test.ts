import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../../test/index.ts';

const MAIN = fileURLToPath(new URL('../../main.ts', import.meta.url));
const HEAD = "document: { dsl: '1.0.3', namespace: desk, name: w, version: '1.0.0' }\n";

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await server.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
  const source = `${HEAD}do: [ { nap: { wait: { milliseconds: 300 } } }, { done: { set: { awake: true } } } ]`;
  await server.post('/v1/orgs/local/playbooks/desk/definitions/workflow', { name: 'nap-one', source });
});
afterAll(() => server.close());

async function run(...more: string[]): Promise<unknown> {
  const args = [MAIN, 'run', 'desk', 'workflow/nap-one', '--server', server.address, ...more];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout);
}

test('given a workflow that waits, then its run id is printed, and with --wait its output', async () => {
  expect(await run()).toMatchObject({ run_id: expect.any(String), status: 'started' });
  expect(await run('--wait')).toEqual({ awake: true });
}, 60_000);
