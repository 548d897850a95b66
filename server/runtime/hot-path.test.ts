// What the hot path costs in commits and statements, counted by the store. Each bound is the exact figure of today: a
// change that lowers a figure lowers its bound.
import { setImmediate } from 'node:timers/promises';
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openSqliteStore, type Store, type StoreCounters } from '../kernel/log/index.ts';
import { createFakeClock } from '../lib/clock.ts';
import { startServer, type TestServer } from '../test/index.ts';

/** Goal: 1 and 5. */
const PUBLISHED_EVENT = { commits: 1, statements: 4 };
/** Goal: 1 and 8. */
const RUN_OF_A_COMPUTATION = { commits: 1, statements: 6 };
/** One after another: the first is recorded with all that follow. */
const CALLED_COMPUTATION = { commits: 0, statements: 2 };
/** With an event between two calls, which is recorded before the next one begins. */
const CALLED_COMPUTATION_AND_EVENT = { commits: 1, statements: 14 };

const AT = '/v1/orgs/local/playbooks/desk';
const HEAD = "document: { dsl: '1.0.3', namespace: desk, name: w, version: '1.0.0' }\n";

let server: TestServer;
let store: Store;
/** Reads the database beside the store, so that looking is not counted. */
let database: Database.Database;

beforeAll(async () => {
  // While its clock stands still, the server starts no work by itself.
  server = await startServer({
    clock: createFakeClock(),
    openStore: (options) => (store = openSqliteStore(options)),
  });
  database = new Database(path.join(server.dataDir, 'cuebook.db'), { readonly: true });
  await server.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
  const source = 'export default (input) => ({ n: (input.n ?? 0) + 1 });';
  await server.post(`${AT}/definitions/computation`, { name: 'add-one', source });
  for (const calls of [2, 12]) {
    const call = (n: number): string => `  - step${n}: { call: computation/add-one, with: { n: 1 } }\n`;
    const emit = (n: number): string => `  - emit${n}: { emit: { event: { with: { source: /desk, type: told } } } }\n`;
    const save = async (name: string, step: (n: number) => string): Promise<void> => {
      const steps = Array.from({ length: calls }, (_, n) => step(n)).join('');
      await server.post(`${AT}/definitions/workflow`, { name: `${name}-${calls}`, source: `${HEAD}do:\n${steps}` });
    };
    await save('calls', call);
    await save('events', (n) => call(n) + emit(n));
  }
  // The first of each kind also fills caches.
  await publish();
  await run('computation/add-one');
  await runToEnd('workflow/calls-2');
  await runToEnd('workflow/events-2');
});
afterAll(async () => {
  database.close();
  await server.close();
});

const publish = () => server.post(`${AT}/events`, { event: { source: '/desk', type: 'desk.opened', data: { n: 1 } } });
const run = (name: string) => server.post(`${AT}/definitions/${name}/run`, { input: {} });

/** Runs a workflow until it has ended and no task is left. */
async function runToEnd(name: string): Promise<void> {
  await run(name);
  const left = database.prepare(`SELECT 1 FROM runs WHERE status = 'started' UNION ALL SELECT 1 FROM tasks`);
  while (left.get() !== undefined) await setImmediate();
}

async function costOf(work: () => Promise<unknown>): Promise<StoreCounters> {
  const { commits, statements } = store.counters;
  await work();
  return { commits: store.counters.commits - commits, statements: store.counters.statements - statements };
}

const atMost = (bound: number): unknown => expect.toSatisfy((count: number) => count <= bound, `is at most ${bound}`);
const within = (bound: StoreCounters) => ({
  commits: atMost(bound.commits),
  statements: atMost(bound.statements),
});

test('publish_event', async () => {
  expect(await costOf(publish)).toEqual(within(PUBLISHED_EVENT));
});

test('a run of a computation', async () => {
  expect(await costOf(() => run('computation/add-one'))).toEqual(within(RUN_OF_A_COMPUTATION));
});

test.each([
  ['calls', CALLED_COMPUTATION],
  ['events', CALLED_COMPUTATION_AND_EVENT],
])('a computation among %s of a workflow', async (name, bound) => {
  const two = await costOf(() => runToEnd(`workflow/${name}-2`));
  const twelve = await costOf(() => runToEnd(`workflow/${name}-12`));
  // Rounded down: a few statements depend on whether a task is due while due tasks are being claimed.
  const perCall = (counter: keyof StoreCounters): number => Math.floor((twelve[counter] - two[counter]) / 10);
  const cost = { commits: perCall('commits'), statements: perCall('statements') };
  expect(cost).toEqual(within(bound));
});
