// What work was for ends once the process died three times during it, whatever that was, and nothing of it is left.
import path from 'node:path';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { createFakeClock, type FakeClock } from '../lib/clock.ts';
import { startServer, temporaryFolder, type TestServer } from '../test/index.ts';

const AT = '/v1/orgs/local/playbooks/desk';
const HOUR = 3_600_000;
const UNWORKABLE = {
  status: 'rejected',
  reason: 'conflict',
  kind: 'unworkable',
  detail: expect.stringContaining('three times'),
};

let clock: FakeClock;
let server: TestServer;
let folder: ReturnType<typeof temporaryFolder>;

beforeEach(async () => {
  clock = createFakeClock();
  folder = temporaryFolder();
  server = await startServer({ clock, dataDir: folder.path });
  await server.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
});
afterEach(async () => {
  await server.close();
  folder.remove();
});

async function save(type: string, name: string, source: string): Promise<void> {
  const saved = await server.post(`${AT}/definitions/${type}`, { name, source });
  expect(saved.status, saved.text).toBe(201);
}

const workflow = (name: string, steps: string): Promise<void> =>
  save('workflow', name, `document: { dsl: '1.0.3', namespace: desk, name: ${name}, version: '1.0.0' }\n${steps}`);

const runsOf = async (name: string) => (await server.get(`${AT}/runs?name=${name}&type=workflow`)).body.runs;

/** Starts the server again, as after three deaths during every task that waits. */
async function startAfterDeaths(change: (database: Database.Database) => void = () => undefined): Promise<void> {
  await server.close();
  const database = new Database(path.join(folder.path, 'cuebook.db'));
  change(database);
  for (const table of ['tasks', 'start_tasks', 'perform_tasks', 'loop_tasks'])
    database.exec(`UPDATE ${table} SET deaths = 3`);
  database.close();
  server = await startServer({ clock, dataDir: folder.path });
}

test('given a step that was to continue, then its run ends as unworkable, and runs that it called are cancelled', async () => {
  await save('interaction', 'ask-ada', 'ask: { to: ada, message: May we?, answer: { type: boolean } }');
  const branches = '[ { sleep: { wait: PT1H } }, { ask: { call: interaction/ask-ada } } ]';
  await workflow('both', `do: [ { all: { fork: { branches: ${branches} } } } ]`);
  const { run_id: id } = (await server.post(`${AT}/definitions/workflow/both/run`, {})).body;
  await expect.poll(async () => (await server.get(`${AT}/interactions`)).body.interactions).toHaveLength(1);

  await startAfterDeaths();
  clock.advance(HOUR);
  await expect.poll(async () => (await server.get(`${AT}/runs/${id}`)).body).toMatchObject(UNWORKABLE);
  await expect.poll(async () => (await server.get(`${AT}/interactions`)).body.interactions).toEqual([]);
  const asked = (await server.get(`${AT}/runs?type=interaction`)).body.runs;
  expect(asked).toMatchObject([{ status: 'rejected', reason: 'cancelled', kind: 'parent_ended' }]);
});

test('given a schedule, then one time is passed over, and the next one starts a run', async () => {
  await workflow('hourly', 'schedule: { every: PT1H }\ndo: [ { note: { set: { noted: true } } } ]');
  await startAfterDeaths();
  clock.advance(HOUR);
  const nextDue = (): unknown => {
    const database = new Database(path.join(folder.path, 'cuebook.db'), { readonly: true });
    const row = database.prepare(`SELECT due_at, deaths FROM tasks WHERE kind = 'trigger-time'`).get();
    database.close();
    return row;
  };
  await expect.poll(nextDue).toEqual({ due_at: clock.now() + HOUR, deaths: 0 });
  expect(await runsOf('hourly')).toEqual([]);
  clock.advance(HOUR);
  await expect.poll(() => runsOf('hourly')).toMatchObject([{ status: 'succeeded' }]);
});

test('given an event that was to start a run, then history says that it is passed over', async () => {
  await workflow(
    'reacts',
    'schedule: { on: { one: { with: { type: ping.made } } } }\ndo: [ { note: { set: { a: 1 } } } ]',
  );
  await server.post(`${AT}/events`, { event: { source: '/desk', type: 'other.made', id: 'e1', data: {} } });
  await startAfterDeaths((database) => {
    const id = database.prepare(`SELECT id FROM events WHERE stream = 'events'`).pluck().get();
    database
      .prepare(
        `INSERT INTO tasks (org, playbook, kind, key, due_at, payload, tries)
         VALUES ('local', 'desk', 'trigger-event', 'reacts', 0, ?, 3)`,
      )
      .run(JSON.stringify({ name: 'reacts', event_id: id }));
  });
  await expect
    .poll(async () => (await server.get(`${AT}/events?type=reaction_refused`)).body.events)
    .toMatchObject([{ data: { because: 'unworkable', detail: expect.stringContaining('three times') } }]);
  expect(await runsOf('reacts')).toEqual([]);
});
