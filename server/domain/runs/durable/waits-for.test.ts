import { afterAll, beforeAll, expect, test } from 'vitest';
import { startServer, type TestServer } from '../../../test/index.ts';

const AT = '/v1/orgs/local/playbooks/desk';
const HEAD = "document: { dsl: '1.0.3', namespace: desk, name: w, version: '1.0.0' }\n";
const ASK = `ask:
  to: people/dispatch
  message: Ship it?
  answer: { type: object, required: [approve], properties: { approve: { type: boolean } } }
`;

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await server.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
  await server.post(`${AT}/definitions/interaction`, { name: 'approval', source: ASK });
});
afterAll(() => server.close());

async function save(name: string, steps: string): Promise<void> {
  const saved = await server.post(`${AT}/definitions/workflow`, { name, source: HEAD + steps });
  expect(saved.status).toBe(201);
}

async function start(reference: string): Promise<Record<string, unknown> & { run_id: string }> {
  const started = await server.post(`${AT}/definitions/${reference}/run`, {});
  expect(started.body).toMatchObject({ status: 'started' });
  return started.body;
}

const awaited = async (runId: string): Promise<unknown> => (await server.get(`${AT}/runs/${runId}`)).body.waits_for;

test.each([
  ['w-timer', 'timer', 'do: [ { nap: { wait: P30D } } ]'],
  ['w-event', 'event', 'do: [ { hear: { listen: { to: { one: { with: { type: paid } } } } } } ]'],
  ['w-answer', 'answer', 'do: [ { ask: { call: interaction/approval } } ]'],
  ['w-run', 'run', 'do: [ { below: { run: { workflow: { name: w-timer } } } } ]'],
  [
    'w-retry',
    'timer',
    `do: [ { risky: { try: [ { no: { raise: { error: { type: 'https://a.example/no', status: 500, title: No } } } } ],
       catch: { retry: { delay: P1D, limit: { attempt: { count: 3 } } } } } } ]`,
  ],
])('given %s, which waits for: %s, then run_definition, get_run and list_runs say so', async (name, one, steps) => {
  await save(name, steps);
  const run = await start(`workflow/${name}`);
  expect(run['waits_for']).toEqual([one]);
  expect(await awaited(run.run_id)).toEqual([one]);
  const { runs } = (await server.get(`${AT}/runs?name=${name}`)).body;
  expect(runs).toMatchObject([{ run_id: run.run_id, waits_for: [one] }]);
});

test('given branches that wait for several things, then each is named once, and not once it has come', async () => {
  await save(
    'w-fork',
    `do: [ { all: { fork: { branches: [ { nap: { wait: P30D } }, { sleep: { wait: P30D } },
       { hear: { listen: { to: { one: { with: { type: paid } } } } } } ] } } } ]`,
  );
  const { run_id: id } = await start('workflow/w-fork');
  expect(await awaited(id)).toEqual(['timer', 'event']);
  await server.post(`${AT}/runs/${id}/events`, { event: { type: 'paid' } });
  await expect.poll(() => awaited(id)).toEqual(['timer']);
  await server.post(`${AT}/runs/${id}/cancel`, {});
  await expect.poll(() => awaited(id)).toBeUndefined();
});

test('given a question, then its run waits for an answer until it has it', async () => {
  const { run_id: id, ...run } = await start('interaction/approval');
  expect(run['waits_for']).toEqual(['answer']);
  await server.post(`${AT}/runs/${id}/answer`, { answer: { approve: true } });
  await expect.poll(() => awaited(id)).toBeUndefined();
});
