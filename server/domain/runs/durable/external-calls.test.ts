import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createTestClient, startServerProcess, temporaryFolder } from '../../../test/index.ts';

const AT = '/v1/orgs/local/playbooks/desk';

/** Leaves the first request of each method without an answer, and answers the others. */
async function serveSecondTry(): Promise<{ host: string; asked: string[]; bothAsked: Promise<void> }> {
  const asked: string[] = [];
  const both = Promise.withResolvers<void>();
  const server = createServer(({ method = '' }, response) => {
    asked.push(method);
    if (asked.filter((one) => one === method).length > 1) response.end('"here"');
    if (asked.includes('GET') && asked.includes('POST')) both.resolve();
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { host: `127.0.0.1:${(server.address() as AddressInfo).port}`, asked, bothAsked: both.promise };
}

test('given calls without an answer when the service is killed, then a GET is sent again and history shows both, and a POST is not', async () => {
  const { host, asked, bothAsked } = await serveSecondTry();
  const folder = temporaryFolder();
  onTestFinished(() => folder.remove());
  writeFileSync(path.join(folder.path, 'cuebook.yaml'), JSON.stringify({ workflow_http: [{ host }] }));
  const first = await startServerProcess(folder.path);
  const setUp = await createTestClient(first.address);
  await setUp.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
  const runs: string[] = [];
  for (const method of ['get', 'post']) {
    const source = `document: { dsl: '1.0.3', namespace: desk, name: ${method}, version: '1.0.0' }
do: [ { ask: { call: http, with: { method: ${method}, endpoint: 'http://${host}/x' } } } ]`;
    await setUp.post(`${AT}/definitions/workflow`, { name: `w-${method}`, source });
    runs.push((await setUp.post(`${AT}/definitions/workflow/w-${method}/run`, {})).body.run_id);
  }
  await bothAsked;
  await first.end('SIGKILL');

  const second = await startServerProcess(folder.path);
  onTestFinished(() => second.end('SIGTERM').then(() => undefined));
  const client = await createTestClient(second.address);
  const calls = async (runId: string | undefined): Promise<{ type: string; id: string; metadata: object }[]> => {
    const run = `${AT}/runs/${runId}`;
    await expect.poll(async () => (await client.get(run)).body.status, { timeout: 10_000 }).not.toBe('started');
    const { events } = (await client.get(`${run}/history`)).body;
    return events.filter(({ type }: { type: string }) => type.startsWith('tool_call'));
  };
  const get = await calls(runs[0]);
  expect(get.map(({ type }) => type)).toEqual(['tool_call_started', 'tool_call_started', 'tool_call_answered']);
  expect(get[2]).toMatchObject({ metadata: { causation_id: get[1]?.id } });
  expect((await calls(runs[1])).map(({ type }) => type)).toEqual(['tool_call_started', 'tool_call_failed']);
  expect(asked.toSorted()).toEqual(['GET', 'GET', 'POST']);
}, 60_000);
