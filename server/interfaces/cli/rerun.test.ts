import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SERVER_PROGRAM, startServer, type TestServer } from '../../test/index.ts';

const AT = '/v1/orgs/local/playbooks/desk';
const SOURCE = `document: { dsl: '1.0.3', namespace: desk, name: rows, version: '1.0.0' }
do:
  - all:
      for: { in: '\${ [1, 2, 3] }' }
      do: [{ row: { set: { last: '\${ $item }' } } }, { nap: { wait: PT0S } }]
`;

let server: TestServer;
let runId: string;
beforeAll(async () => {
  server = await startServer();
  await server.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
  await server.post(`${AT}/definitions/workflow`, { name: 'rows', source: SOURCE });
  runId = (await server.post(`${AT}/definitions/workflow/rows/run`, {})).body.run_id;
});
afterAll(() => server.close());

function rerun(...more: string[]): Promise<{ stdout: string; stderr: string }> {
  const args = [SERVER_PROGRAM, 'rerun', 'desk', runId, '--server', server.address, ...more];
  return promisify(execFile)(process.execPath, args);
}

test('given a step in a loop, then the rest runs again under the id that was given, and the output is printed', async () => {
  const own = '0192b3a4-5c6d-7e8f-9a0b-1c2d3e4f5a6b';
  const options = ['--from', 'row', '--iterations', '1', '--version', '1', '--run-id', own, '--wait'];
  const { stdout } = await rerun(...options);
  expect(JSON.parse(stdout)).toEqual({ last: 3 });
  const { body } = await server.get(`${AT}/runs/${own}`);
  expect(body.origin).toEqual({ run_id: runId, step: '/do/0/all/do/0/row', iterations: [1], definition_version: 1 });
}, 60_000);

test('given invalid numbers or an unknown step, then the message shows valid values', async () => {
  await expect(rerun('--from', 'row', '--iterations', 'two')).rejects.toMatchObject({
    code: 2,
    stderr: '--iterations is "two"; give a number, such as 3, or 0.3 for nested loops.\n',
  });
  await expect(rerun('--from', 'rwo')).rejects.toMatchObject({ stderr: expect.stringContaining('Did you mean row?') });
}, 60_000);
