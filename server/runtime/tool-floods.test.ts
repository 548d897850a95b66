// Tool servers that send without end, beside whoever uses the service.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { createTestClient, startServerProcess, temporaryFolder } from '../test/index.ts';

const AT = '/v1/orgs/local/playbooks/desk';
const PROGRAM = fileURLToPath(new URL('../domain/tools/hostile.testing.ts', import.meta.url));

test('given servers that flood or are never quiet, then the service answers, ends the flood and stops orderly', async () => {
  const folder = temporaryFolder();
  const hostile = (behaviour: string) => ({ type: 'stdio', command: process.execPath, args: [PROGRAM, behaviour] });
  const config = { tool_servers: { flood: hostile('floods with list changes'), restless: hostile('is never quiet') } };
  writeFileSync(path.join(folder.path, 'cuebook.yaml'), JSON.stringify(config));
  const server = await startServerProcess(folder.path);
  onTestFinished(async () => {
    await server.end('SIGKILL');
    folder.remove();
  });
  const client = await createTestClient(server.address);
  await client.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
  let isOver = false;
  const probing = (async () => {
    const statuses: number[] = [];
    // oxlint-disable-next-line no-await-in-loop -- one probe follows another
    while (!isOver) statuses.push((await fetch(`${server.address}/health`)).status);
    return statuses;
  })();
  const call = (name: string) => client.post(`${AT}/tool-servers/${name}/tools/act/execute`, {});
  const called = Promise.all([call('flood'), call('restless')]).finally(() => {
    isOver = true;
  });
  const [[flooding, restless], statuses] = await Promise.all([called, probing]);
  expect(flooding.body).toMatchObject({ outcome: 'server_failure', text: expect.stringContaining('500 messages') });
  expect(restless.body).toMatchObject({ outcome: 'result', text: 'done' });
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
  expect(await server.end('SIGTERM')).toBe(0);
  expect(server.stderr()).toContain('500 messages');
}, 60_000);
