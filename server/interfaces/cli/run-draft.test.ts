import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { SERVER_PROGRAM, startServer, temporaryFolder, type TestServer } from '../../test/index.ts';

const folder = temporaryFolder();
let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await server.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
});
afterAll(async () => {
  await server.close();
  folder.remove();
});

function runDraft(name: string, source: string, ...more: string[]): Promise<{ stdout: string }> {
  const file = path.join(folder.path, name);
  writeFileSync(file, source);
  const args = [SERVER_PROGRAM, 'run', 'desk', '--draft', file, '--server', server.address, ...more];
  return promisify(execFile)(process.execPath, args);
}

test('given a file whose name contains its type, then it is run without being saved', async () => {
  const { stdout } = await runDraft('add.computation.ts', 'export default ({ n }) => n + 1;\n', '--input', '{"n":1}');
  expect(JSON.parse(stdout)).toBe(2);
  expect((await server.get('/v1/orgs/local/playbooks/desk/definitions/computation')).body.definitions).toEqual([]);
}, 60_000);

test('given a question and no terminal, then the question is printed', async () => {
  const source = 'ask: { to: editor, message: "Ship it?", answer: { type: boolean } }\n';
  const { stdout } = await runDraft('ship.interaction.yaml', source);
  expect(stdout).toContain('editor: Ship it?');
  expect(JSON.parse((await runDraft('ship.interaction.yaml', source, '--json')).stdout)).toMatchObject({
    status: 'waiting',
  });
}, 60_000);

test('given issues, an error or an unknown type, then the message describes the error', async () => {
  await expect(runDraft('bad.computation.ts', 'export default 1 +;\n')).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringContaining('Line 1'),
  });
  const failing = 'export default () => { throw new Error("no"); };\n';
  await expect(runDraft('fails.computation.ts', failing)).rejects.toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/Error: no[\s\S]*rejected/i),
  });
  await expect(runDraft('plain.txt', '')).rejects.toMatchObject({
    code: 2,
    stderr: expect.stringContaining('write TYPE/NAME'),
  });
}, 60_000);
