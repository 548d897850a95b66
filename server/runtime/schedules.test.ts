import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFakeClock, type FakeClock } from '../lib/clock.ts';
import { startServer, storedRows, type TestServer } from '../test/index.ts';

const HOUR = 3_600_000;
const AT = '/v1/orgs/local/playbooks/desk';

let clock: FakeClock;
let server: TestServer;
beforeAll(async () => {
  clock = createFakeClock();
  server = await startServer({ clock });
  await server.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
});
afterAll(() => server.close());

async function save(name: string, schedule: string, step = '{ set: { n: 1 } }'): Promise<void> {
  const source = `document: { dsl: '1.0.3', namespace: desk, name: ${name}, version: '1.0.0' }\nschedule: ${schedule}\ndo: [ { a: ${step} } ]\n`;
  expect((await server.post(`${AT}/definitions/workflow`, { name, source })).body).toMatchObject({ name });
}

const runsOf = async (name: string) => (await server.get(`${AT}/runs?name=${name}&limit=100`)).body.runs;
const timesOf = async (name: string, from: number) =>
  (await server.get(`${AT}/schedules/${name}/times?from=${new Date(from).toISOString()}`)).body.times;

/** The next time at which a workflow of `0 * * * *` is due. */
const nextHour = (): number => (Math.floor(clock.now() / HOUR) + 1) * HOUR;

test('given a schedule, then it is listed with its next times; workflows that only events start are not', async () => {
  await save('hourly', "{ cron: '0 * * * *' }");
  await save('on-event', '{ on: { one: { with: { type: opened } } } }');
  const { schedules } = (await server.get(`${AT}/schedules`)).body;
  expect(schedules).toHaveLength(1);
  expect(schedules[0]).toMatchObject({
    workflow: 'hourly',
    trigger: { kind: 'cron', expression: '0 * * * *' },
    timezone: 'UTC',
    next_times: [0, 1, 2, 3, 4].map((hours) => new Date(nextHour() + hours * HOUR).toISOString()),
  });
  expect((await server.get(`${AT}/schedules/on-event/times?from=2026-01-01T00:00:00Z`)).body).toMatchObject({
    status: 404,
    detail: expect.stringContaining('has no active workflow on-event with a schedule'),
  });
  await save('in-berlin', "{ cron: '0 7 * * *', timezone: Europe/Berlin }");
  const inBerlin = await server.post(`${AT}/schedules/in-berlin/pause`);
  expect(inBerlin.body).toMatchObject({ timezone: 'Europe/Berlin', next_times: [] });
  await save('every-hour', '{ every: PT1H }');
  expect((await server.post(`${AT}/schedules/every-hour/pause`)).body).not.toHaveProperty('timezone');
  for (const name of ['hourly', 'in-berlin', 'every-hour']) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await server.post(`${AT}/definitions/workflow/${name}/retire`);
  }
  expect((await server.get(`${AT}/schedules`)).body.schedules).toEqual([]);
});

test('given a schedule that is paused, then no time starts a run until it is resumed, whatever is saved', async () => {
  await save('minutes', '{ every: PT1M }');
  const paused = await server.post(`${AT}/schedules/minutes/pause`);
  expect(paused.body).toMatchObject({ workflow: 'minutes', next_times: [], paused_by: 'developer' });
  expect((await server.post(`${AT}/schedules/minutes/pause`)).body).toEqual(paused.body);
  clock.advance(5 * 60_000);
  const source = `document: { dsl: '1.0.3', namespace: desk, name: minutes, version: '1.0.1' }\nschedule: { every: PT2M }\ndo: [ { a: { set: { n: 2 } } } ]\n`;
  expect((await server.put(`${AT}/definitions/workflow/minutes`, { source })).status).toBe(200);
  clock.advance(10 * 60_000);
  expect((await server.get(`${AT}/schedules`)).body.schedules[0]).toMatchObject({ paused_by: 'developer' });
  expect(await runsOf('minutes')).toEqual([]);

  const resumed = await server.post(`${AT}/schedules/minutes/resume`);
  expect(resumed.body.paused_at).toBeUndefined();
  expect(resumed.body.next_times).toHaveLength(5);
  clock.advance(2 * 60_000);
  await expect.poll(async () => (await runsOf('minutes')).length, { timeout: 5000 }).toBe(1);
  await server.post(`${AT}/definitions/workflow/minutes/retire`);
});

test('given times that were missed, when they are run, then each has one run, by the caller, however often it is asked', async () => {
  await save('missed', "{ cron: '0 * * * *' }");
  await server.post(`${AT}/schedules/missed/pause`);
  const from = nextHour();
  clock.advance(4 * HOUR);
  const before = await timesOf('missed', from);
  expect(before).toEqual([0, 1, 2, 3].map((hours) => ({ time: new Date(from + hours * HOUR).toISOString() })));

  const times = before.slice(1, 3).map(({ time }: { time: string }) => time);
  const filled = await server.post(`${AT}/schedules/missed/backfill`, { times });
  expect(filled.body.times).toMatchObject([{ time: times[0] }, { time: times[1] }]);
  expect((await server.post(`${AT}/schedules/missed/backfill`, { times })).body.times).toMatchObject(
    filled.body.times.map(({ run_id }: { run_id: string }) => ({ run_id })),
  );
  const runs = await runsOf('missed');
  expect(runs).toHaveLength(2);
  expect(runs[0]).toMatchObject({ started_by: 'developer', trigger: { kind: 'cron', reference: '/schedule/cron' } });
  const after = await timesOf('missed', from);
  expect(after.map(({ run_id }: { run_id?: string }) => run_id !== undefined)).toEqual([false, true, true, false]);
  await server.post(`${AT}/definitions/workflow/missed/retire`);
});

test('given what is no past time of the schedule, then nothing is run', async () => {
  await save('strict', "{ cron: '0 * * * *' }");
  const hour = nextHour();
  clock.advance(HOUR);
  await expect.poll(async () => (await runsOf('strict')).length, { timeout: 5000 }).toBe(1);
  const backfill = (...times: number[]) =>
    server.post(`${AT}/schedules/strict/backfill`, { times: times.map((time) => new Date(time).toISOString()) });
  for (const wrong of [hour - HOUR * 100, hour + 1, hour + HOUR * 2]) {
    expect((await backfill(hour, wrong)).body).toMatchObject({ status: 422, errors: [{ pointer: '/times/1' }] });
  }
  expect((await server.post(`${AT}/schedules/strict/backfill`, { times: ['today'] })).body).toMatchObject({
    errors: [{ pointer: '/times/0', detail: expect.stringContaining('ISO 8601') }],
  });
  // The time that the clock started already has its run.
  expect((await backfill(hour)).body.times).toMatchObject([{ run_id: (await runsOf('strict'))[0].run_id }]);
  expect(await runsOf('strict')).toHaveLength(1);
  await server.post(`${AT}/definitions/workflow/strict/retire`);
});

test('given a schedule of after, then it is paused and resumed, and has no times to run', async () => {
  await save('later', '{ after: PT1H }');
  await expect.poll(async () => (await runsOf('later')).length, { timeout: 5000 }).toBe(1);
  await server.post(`${AT}/schedules/later/pause`);
  clock.advance(3 * HOUR);
  expect(await runsOf('later')).toHaveLength(1);
  await server.post(`${AT}/schedules/later/resume`);
  clock.advance(HOUR);
  await expect.poll(async () => (await runsOf('later')).length, { timeout: 5000 }).toBe(2);
  const none = await server.post(`${AT}/schedules/later/backfill`, { times: ['2026-01-01T00:00:00Z'] });
  expect(none.body).toMatchObject({ status: 409, detail: expect.stringContaining('run_definition') });
  await server.post(`${AT}/definitions/workflow/later/retire`);
});

test('given a schedule of after that is resumed while its run is in progress, then the next one starts after that run', async () => {
  await save('one-by-one', '{ after: PT1H }', '{ wait: PT2H }');
  const status = async () => (await runsOf('one-by-one'))[0]?.status;
  const times = () =>
    storedRows(server.dataDir, `SELECT due_at FROM tasks WHERE kind = 'trigger-time' AND key = 'one-by-one'`);
  await expect.poll(status).toBe('started');
  await server.post(`${AT}/schedules/one-by-one/pause`);
  await server.post(`${AT}/schedules/one-by-one/resume`);
  expect(await times()).toEqual([]);
  clock.advance(2 * HOUR);
  await expect.poll(status).toBe('succeeded');
  expect(await times()).toEqual([{ due_at: clock.now() + HOUR }]);
  await server.post(`${AT}/definitions/workflow/one-by-one/retire`);
});

test.each([
  ['repeats', '2026-10-25T00:14:35Z', ['2026-10-25T00:15:00.000Z', '2026-10-25T13:15:00.000Z']],
  ['skips', '2027-03-27T20:00:00Z', ['2027-03-28T01:00:00.000Z', '2027-03-28T12:15:00.000Z']],
])('given a time that the clock %s, then a run begins at each time that was listed', async (name, change, times) => {
  clock.advance(Date.parse(change) - clock.now());
  await save(name, "{ cron: '15 2,14 * * *', timezone: Europe/Berlin }");
  expect((await server.get(`${AT}/schedules`)).body.schedules[0].next_times.slice(0, 2)).toEqual(times);
  const [first = '', second = ''] = times;
  clock.advance(Date.parse(first) - clock.now());
  await expect.poll(async () => (await runsOf(name)).length, { timeout: 5000 }).toBe(1);
  // The repeated time passes again before the second one.
  clock.advance(Date.parse(second) - clock.now());
  await expect.poll(async () => (await runsOf(name)).length, { timeout: 5000 }).toBe(2);
  const run = expect.objectContaining({ run_id: expect.any(String) });
  expect(await timesOf(name, Date.parse(change))).toEqual(times.map((time) => expect.objectContaining({ time })));
  expect(await timesOf(name, Date.parse(change))).toEqual([run, run]);
  await server.post(`${AT}/definitions/workflow/${name}/retire`);
});

test('given schedules, when the machine sleeps, then each has one run for all times that passed, and its next one in time', async () => {
  await save('each-hour', "{ cron: '0 * * * *' }");
  await save('each-day', "{ cron: '0 7 * * *' }");
  await save('each-ten', '{ every: PT10M }');
  const counts = async () =>
    Object.fromEntries(
      await Promise.all(
        ['each-hour', 'each-day', 'each-ten'].map(async (name) => [name, (await runsOf(name)).length] as const),
      ),
    );
  async function haveStarted(expected: object): Promise<void> {
    await expect.poll(counts, { timeout: 5000 }).toEqual(expected);
  }
  /** Waits until every schedule waits for its next time. */
  async function areSet(): Promise<void> {
    const waiting = `SELECT 1 FROM tasks WHERE kind = 'trigger-time' AND due_at > ${clock.now()}`;
    await expect.poll(() => storedRows(server.dataDir, waiting), { timeout: 5000 }).toHaveLength(3);
  }
  clock.jump(30 * HOUR);
  await haveStarted({ 'each-hour': 1, 'each-day': 1, 'each-ten': 1 });
  await areSet();
  // Two more in a row, the second before anything else is due.
  clock.jump(30 * HOUR);
  await haveStarted({ 'each-hour': 2, 'each-day': 2, 'each-ten': 2 });
  await areSet();

  // Back, for less than what was slept: everything that is due again has its run.
  clock.jump(-5 * HOUR);
  clock.advance(4 * HOUR);
  expect(await counts()).toEqual({ 'each-hour': 2, 'each-day': 2, 'each-ten': 2 });
  clock.advance(HOUR);
  clock.advance(nextHour() - clock.now());
  await haveStarted({ 'each-hour': 3, 'each-day': 2, 'each-ten': 3 });
  for (const name of ['each-hour', 'each-day', 'each-ten']) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    await server.post(`${AT}/definitions/workflow/${name}/retire`);
  }
});

test('given a clock that was far ahead for a while, when its schedule is paused and resumed, then it continues from now on', async () => {
  await save('misled', "{ cron: '0 * * * *' }");
  const count = async (): Promise<number> => (await runsOf('misled')).length;
  const dueAt = async (): Promise<unknown> =>
    (await storedRows<{ due_at: number }>(server.dataDir, "SELECT due_at FROM tasks WHERE key = 'misled'"))[0]?.due_at;
  const first = nextHour();
  clock.jump(30 * HOUR);
  await expect.poll(count, { timeout: 5000 }).toBe(1);
  await expect.poll(dueAt, { timeout: 5000 }).toBe(nextHour());
  clock.jump(-30 * HOUR);
  await server.post(`${AT}/schedules/misled/pause`);
  expect((await server.post(`${AT}/schedules/misled/resume`)).body.next_times[0]).toBe(new Date(first).toISOString());
  // Its run began while the clock was ahead.
  clock.advance(first - clock.now());
  await expect.poll(dueAt, { timeout: 5000 }).toBe(first + HOUR);
  expect(await count()).toBe(1);
  clock.advance(HOUR);
  await expect.poll(count, { timeout: 5000 }).toBe(2);
  await server.post(`${AT}/definitions/workflow/misled/retire`);
});
