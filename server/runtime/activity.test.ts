// When a runtime that nobody needs may end: by a clock that is turned forward, and as a process.
import { existsSync } from 'node:fs';
import path from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import pino from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRuntime, type Runtime } from './app.ts';
import { createFakeClock } from '../lib/clock.ts';
import { readSettings } from '../settings/index.ts';
import { createTestClient, startServerProcess, temporaryFolder, type TestClient } from '../test/index.ts';

const TEN_MINUTES = 600_000;
const AT = '/v1/orgs/local/playbooks/desk';
const workflow = (name: string, rest: string): object => ({
  name,
  source: `document: { dsl: '1.0.3', namespace: desk, name: ${name}, version: '1.0.0' }\n${rest}`,
});

const folder = temporaryFolder();
const clock = createFakeClock();
// The runtime itself: whether it is idle is no part of what the package offers.
let runtime: Runtime;
let client: TestClient;
let address: string;
beforeAll(async () => {
  runtime = createRuntime({
    settings: readSettings({ DATA_DIR: folder.path, PORT: '0' }),
    logger: pino({ level: 'silent' }),
    clock,
    onUnknownCommit(sentence) {
      throw new Error(sentence);
    },
  });
  address = await runtime.listen();
  client = await createTestClient(address);
  await client.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
});
afterAll(async () => {
  await runtime.close();
  folder.remove();
});

/** Whether it is idle once ten minutes have passed since the last request. */
const isIdleLater = (): Promise<boolean> => {
  clock.advance(TEN_MINUTES);
  return runtime.isIdle(TEN_MINUTES);
};

test('is idle ten minutes after the last request, and not before; a health check does not count as a client', async () => {
  expect(await isIdleLater()).toBe(true);
  await client.get('/v1/orgs/local/playbooks');
  clock.advance(TEN_MINUTES - 60_000);
  expect(await runtime.isIdle(TEN_MINUTES)).toBe(false);
  await client.get('/health');
  clock.advance(60_000);
  expect(await runtime.isIdle(TEN_MINUTES)).toBe(true);
});

test('is not idle for the time that the machine slept, nor longer busy for a clock that was set back', async () => {
  await client.get('/v1/orgs/local/playbooks');
  clock.jump(30 * 3_600_000);
  expect(await runtime.isIdle(TEN_MINUTES)).toBe(false);
  clock.jump(-60 * 3_600_000);
  clock.advance(TEN_MINUTES - 1);
  expect(await runtime.isIdle(TEN_MINUTES)).toBe(false);
  clock.advance(1);
  expect(await runtime.isIdle(TEN_MINUTES)).toBe(true);
});

test('is not idle while a client listens', async () => {
  const agent = new Client({ name: 'agent', version: '1' }, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
  await agent.connect(new StreamableHTTPClientTransport(new URL(`${address}/mcp`)));
  const listening = await agent.listen({ toolsListChanged: true });
  expect(await isIdleLater()).toBe(false);
  await listening.close();
  await agent.close();
  await expect.poll(isIdleLater, { timeout: 5000 }).toBe(true);
});

test('is not idle while a run waits, or a workflow can be started by the clock or an event', async () => {
  const at = `${AT}/definitions/workflow`;
  await client.post(at, workflow('waits', 'do: [{ hear: { listen: { to: { one: { with: { type: told } } } } } }]'));
  const { run_id: id } = (await client.post(`${at}/waits/run`, { input: {} })).body;
  expect(await isIdleLater()).toBe(false);
  await client.post(`${AT}/runs/${id}/cancel`, {});
  await expect.poll(isIdleLater, { timeout: 5000 }).toBe(true);

  const trigger = 'schedule: { on: { one: { with: { type: told } } } }\ndo: [{ a: { set: { a: 1 } } }]';
  await client.post(at, workflow('reacts', trigger));
  expect(await isIdleLater()).toBe(false);
  await client.post(`${at}/reacts/retire`, {});
  await expect.poll(isIdleLater, { timeout: 5000 }).toBe(true);
});

test('as a process it ends by itself and leaves no word of where it was', async () => {
  const own = temporaryFolder();
  const server = await startServerProcess(own.path, { args: ['--until-idle', '0.5'] });
  expect(await server.ended).toBe(0);
  expect(existsSync(path.join(own.path, 'runtime.json'))).toBe(false);
  own.remove();
});
