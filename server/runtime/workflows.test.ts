import { writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFakeClock, type FakeClock } from '../lib/clock.ts';
import { startServer, temporaryFolder, type TestServer } from '../test/index.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startServer();
  await server.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
});
afterAll(() => server.close());

const HEAD = "document: { dsl: '1.0.3', namespace: desk, name: w, version: '1.0.0' }\n";
const AT = '/v1/orgs/local/playbooks/desk';

async function save(name: string, steps: string, on = server): Promise<void> {
  const answer = await on.post(`${AT}/definitions/workflow`, { name, source: HEAD + steps });
  expect(answer.body).toMatchObject({ name });
}

async function ended(runId: string, on = server) {
  await expect
    .poll(async () => (await on.get(`${AT}/runs/${runId}`)).body.status, { timeout: 5000 })
    .not.toBe('started');
  return (await on.get(`${AT}/runs/${runId}`)).body;
}

async function history(
  runId: string,
): Promise<{ type: string; id: string; data: Record<string, unknown>; metadata: Record<string, unknown> }[]> {
  return (await server.get(`${AT}/runs/${runId}/history?limit=100`)).body.events;
}

test('given a workflow that need not wait, then it ends within its request, with a history of its steps', async () => {
  await save('quick-one', 'do: [ { a: { set: { n: 1 } } }, { b: { set: { n: "${ .n + 1 }" } } } ]');
  const run = await server.post(`${AT}/definitions/workflow/quick-one/run`, {});
  expect(run.body).toMatchObject({ status: 'succeeded', output: { n: 2 } });
  const events = await history(run.body.run_id);
  expect(events.map(({ type }) => type)).toEqual([
    'run_started',
    'workflow_input_applied',
    'step_finished',
    'step_finished',
    'run_succeeded',
  ]);
  expect(events[2]?.id).toBe(`${events[1]?.id}_1`);
  expect(events[1]?.data).toMatchObject({ kind: 'started', moved: 2, steps: ['/do/0/a', '/do/1/b'] });
  expect((await server.get(`${AT}/events/${events[2]?.id}`)).body).toMatchObject({ type: 'step_finished' });
});

test('given a called computation, then it runs as a separate child run, and its output is passed on', async () => {
  await server.post(`${AT}/definitions/computation`, {
    name: 'double-it',
    source: 'export default function (input) { return { n: input.n * 2 }; }',
  });
  await save('call-one', 'do: [ { twice: { call: computation/double-it, with: { n: "${ .n }" } } } ]');
  const started = await server.post(`${AT}/definitions/workflow/call-one/run`, { input: { n: 21 } });
  expect(started.body).toMatchObject({ status: 'started' });
  const run = await ended(started.body.run_id);
  expect(run).toMatchObject({ status: 'succeeded', output: { n: 42 } });
  const tree = await server.get(`${AT}/events?run_id=${run.run_id}&order=asc&limit=100`);
  const child = tree.body.events.find(({ metadata }: { metadata: { called_by?: unknown } }) => metadata.called_by);
  expect(child.metadata).toMatchObject({
    called_by: { run_id: run.run_id, reference: '/do/0/twice', run: 'workflow/call-one' },
    call_depth: 1,
    correlation_id: run.run_id,
  });
  expect((await server.get(`${AT}/events?run_id=${child.metadata.run_id}`)).body.events).toEqual([]);
});

test('given a run that waits, when it is cancelled, then it is rejected as cancelled with the reason', async () => {
  await save('long-one', 'do: [ { nap: { wait: P30D } } ]');
  const { run_id: id } = (await server.post(`${AT}/definitions/workflow/long-one/run`, {})).body;
  const asked = await server.post(`${AT}/runs/${id}/cancel`, { reason: 'Not needed.' });
  expect(asked.status).toBe(200);
  expect(await ended(id)).toMatchObject({
    status: 'rejected',
    reason: 'cancelled',
    kind: 'requested',
    detail: 'Not needed.',
  });
  expect((await server.post(`${AT}/runs/${id}/cancel`, {})).status).toBe(409);
  expect((await server.post(`${AT}/definitions/workflow/long-one/run`, { run_id: id })).body).toMatchObject({
    reason: 'cancelled',
  });
});

test('given a called run that is cancelled and not caught, then its caller is invalid_input at the step that waited for it', async () => {
  await save('long-below', 'do: [ { nap: { wait: P30D } } ]');
  await save(
    'calls-long',
    'do: [ { first: { set: { n: 1 } } }, { below: { run: { workflow: { name: long-below } } } } ]',
  );
  const { run_id: id } = (await server.post(`${AT}/definitions/workflow/calls-long/run`, {})).body;
  const called = async () => (await server.get(`${AT}/runs?name=long-below&status=started`)).body.runs[0];
  await expect.poll(called, { timeout: 5000 }).toBeDefined();
  await server.post(`${AT}/runs/${(await called()).run_id}/cancel`, { reason: 'Not needed.' });
  const detail = expect.stringMatching(/^The step \/do\/1\/below waited for a run that was cancelled\..*Not needed\.$/);
  expect(await ended(id)).toMatchObject({
    status: 'rejected',
    reason: 'invalid_input',
    detail,
    issues: [{ pointer: '/do/1/below', detail }],
  });
});

test('given a run that listens, when an event is sent to it, then it takes it once', async () => {
  await save('listen-one', 'do: [ { l: { listen: { to: { one: { with: { type: go.on } } } } } } ]');
  const { run_id: id } = (await server.post(`${AT}/definitions/workflow/listen-one/run`, {})).body;
  const sent = await server.post(`${AT}/runs/${id}/events`, { event: { type: 'go.on', id: 'e1', data: { n: 1 } } });
  expect(sent.body).toMatchObject({ run_id: id, event: { id: 'e1', source: '/callers/developer', data: { n: 1 } } });
  expect(await ended(id)).toMatchObject({ status: 'succeeded', output: [{ n: 1 }] });
  expect((await server.post(`${AT}/runs/${id}/events`, { event: { type: 'go.on' } })).status).toBe(404);
});

test('given a run that listens, when an event is published, then it takes it', async () => {
  await save('listen-two', 'do: [ { l: { listen: { to: { one: { with: { type: far.off } } } } } } ]');
  const { run_id: id } = (await server.post(`${AT}/definitions/workflow/listen-two/run`, {})).body;
  const { body } = await server.post(`${AT}/events`, { event: { type: 'far.off', source: '/test', data: { n: 2 } } });
  expect(body.reached).toEqual([{ run_id: id, effect: 'receives' }]);
  expect(await ended(id)).toMatchObject({ status: 'succeeded', output: [{ n: 2 }] });
});

test('given an event trigger, when a matching event is published, then a run of the version starts with it', async () => {
  await save(
    'on-event',
    'schedule: { on: { one: { with: { type: opened } } } }\ndo: [ { a: { set: { got: "${ . }" } } } ]',
  );
  const event = await server.post(`${AT}/events`, { event: { type: 'opened', source: '/test', data: { n: 3 } } });
  expect(event.status).toBe(200);
  await expect
    .poll(async () => (await server.get(`${AT}/runs?name=on-event`)).body.runs.length, { timeout: 5000 })
    .toBe(1);
  const [entry] = (await server.get(`${AT}/runs?name=on-event`)).body.runs;
  expect(await ended(entry.run_id)).toMatchObject({
    status: 'succeeded',
    output: { got: [{ n: 3 }] },
    started_by: 'playbook:desk',
    trigger: { kind: 'event', reference: '/schedule/on' },
  });
});

test('given an event whose data does not match the input schema of a workflow, then its run is rejected', async () => {
  const item = '{ type: object, required: [n] }';
  const schema = `input: { schema: { document: { type: array, items: ${item} } }, from: '.[0]' }`;
  const on = 'schedule: { on: { one: { with: { type: counted } } } }';
  await save('on-counted', `${on}\n${schema}\ndo: [ { a: { set: { n: "\${ .n }" } } } ]`);
  const publish = async (data: object): Promise<string> =>
    (await server.post(`${AT}/events`, { event: { type: 'counted', source: '/test', data } })).body.reached[0].run_id;
  expect(await ended(await publish({ m: 3 }))).toMatchObject({
    status: 'rejected',
    reason: 'invalid_input',
    issues: [{ pointer: '/input/0' }],
  });
  expect(await ended(await publish({ n: 3 }))).toMatchObject({ status: 'succeeded', output: { n: 3 } });
});

test('given an event that starts runs, then it names them, they name it, and list_runs finds them by it', async () => {
  const schedule = 'schedule: { on: { one: { with: { type: moved } } } }\ndo: [ { a: { set: { n: 1 } } } ]';
  for (const name of ['on-moved', 'also-on-moved']) await save(name, schedule);
  const event = { type: 'moved', source: '/test', id: 'm1' };
  const { body: published } = await server.post(`${AT}/events`, { event });
  const started: { run_id: string; effect: string; workflow: string }[] = published.reached;
  expect(started.map(({ effect, workflow }) => [effect, workflow])).toEqual([
    ['starts', 'also-on-moved'],
    ['starts', 'on-moved'],
  ]);
  const found = async () => (await server.get(`${AT}/runs?event=${published.event_id}`)).body.runs;
  await expect.poll(async () => (await found()).length, { timeout: 5000 }).toBe(2);
  const trigger = { kind: 'event', event_id: published.event_id, source: '/test', id: 'm1' };
  const ofWorkflow = new Map((await found()).map((run: { run_id: string }) => [run.run_id, run]));
  for (const { run_id: id, workflow } of started) {
    expect(ofWorkflow.get(id)).toMatchObject({ name: workflow, trigger });
    expect(await ended(id)).toMatchObject({ trigger });
  }
  // The history has the fields of the contract alone.
  expect((await history(started[0]?.run_id ?? ''))[0]?.metadata['trigger']).toEqual({
    kind: 'event',
    reference: '/schedule/on',
  });
  const { time } = published;
  expect((await server.post(`${AT}/events`, { event })).body).toEqual({
    id: 'm1',
    time,
    recorded_at: published.recorded_at,
    event_id: published.event_id,
  });
  const none = await server.post(`${AT}/events`, { event: { type: 'moved.not', source: '/test' } });
  expect(none.body.reached).toEqual([]);
  expect(await server.get(`${AT}/runs?event=m1`)).toMatchObject({
    status: 404,
    body: { detail: expect.stringContaining('`event_source`') },
  });
  const byOwnId = (source: string) => server.get(`${AT}/runs?event=m1&event_source=${encodeURIComponent(source)}`);
  expect((await byOwnId('/test')).body.runs).toEqual(await found());
  expect((await byOwnId('/other')).status).toBe(404);
  expect((await server.get(`${AT}/runs?event_source=/test`)).body.errors).toMatchObject([{ pointer: '/event_source' }]);
});

test('given a trigger that gathers events, then no event names a run that never exists, and each finds the run', async () => {
  const steps = 'do: [ { a: { set: { got: "${ . }" } } } ]';
  await save('on-three', `schedule: { on: { any: [ { with: { type: bt } } ], until: 'length >= 3' } }\n${steps}`);
  await save('on-pair', `schedule: { on: { all: [ { with: { type: bt } }, { with: { type: bt2 } } ] } }\n${steps}`);
  const publish = async (type: string) =>
    (await server.post(`${AT}/events`, { event: { type, source: '/test', data: {} } })).body;
  const first = await publish('bt');
  const others = [await publish('bt'), await publish('bt'), await publish('bt2')];
  for (const { reached } of [first, ...others]) expect(reached).toEqual([]);
  const foundBy = async (event: string): Promise<string[]> =>
    (await server.get(`${AT}/runs?event=${event}`)).body.runs.map(({ name }: { name: string }) => name).toSorted();
  await expect.poll(() => foundBy(first.event_id), { timeout: 5000 }).toEqual(['on-pair', 'on-three']);
  expect(await Promise.all(others.map(({ event_id: id }) => foundBy(id)))).toEqual([
    ['on-three'],
    ['on-three'],
    ['on-pair'],
  ]);
  const ofThree = (await server.get(`${AT}/runs?event=${others[0].event_id}`)).body.runs;
  expect(await ended(ofThree[0].run_id)).toMatchObject({ status: 'succeeded', output: { got: [{}, {}, {}] } });
});

test('given events that are published at once, then each run that one names is found by it', async () => {
  const correlate = 'correlate: { k: { from: "${ .k }" } }';
  const triggers = {
    'on-lone-all': '{ all: [ { with: { type: at.once } } ] }',
    'on-both': `{ all: [ { with: { type: at.once }, ${correlate} }, { with: { type: at.last }, ${correlate} } ] }`,
    'on-until-last': '{ any: [ { with: { type: at.once } } ], until: { one: { with: { type: at.last } } } }',
    'on-either': '{ any: [ { with: { type: at.once } }, { with: { type: at.last } } ] }',
  };
  for (const [name, on] of Object.entries(triggers)) {
    await save(name, `schedule: { on: ${on} }\ndo: [ { a: { set: { n: 1 } } } ]`);
  }
  const publish = async (type: string, k: number) =>
    (await server.post(`${AT}/events`, { event: { type, source: '/test', data: { k } } })).body;
  const published = await Promise.all([publish('at.once', 1), publish('at.once', 2), publish('at.last', 2)]);
  const namedBy = ({ reached }: { reached: { workflow: string }[] }) => reached.map(({ workflow }) => workflow);
  expect(published.map(namedBy)).toEqual([['on-either', 'on-lone-all'], ['on-either', 'on-lone-all'], ['on-either']]);
  const idsOf = (runs: { run_id: string }[]): string[] => runs.map(({ run_id: id }) => id);
  for (const { event_id: id, reached } of published) {
    const found = async () => idsOf((await server.get(`${AT}/runs?event=${id}&limit=100`)).body.runs);
    await expect.poll(found, { timeout: 5000 }).toEqual(expect.arrayContaining(idsOf(reached)));
  }
});

test('given a trigger that tests the data, then an event names its run only if the filter takes it', async () => {
  const on =
    'schedule: { on: { any: [ { with: { type: heat, data: "${ .n + 0 > 38 }" } }, { with: { type: heat, x: y } } ] } }';
  await save('on-heat', `${on}\ndo: [ { a: { set: { n: 1 } } } ]`);
  const reachedBy = async (event: object) =>
    (await server.post(`${AT}/events`, { event: { type: 'heat', source: '/test', ...event } })).body.reached;
  expect(await reachedBy({ data: { n: 3 } })).toEqual([]);
  // The expression fails, so nothing takes the event, although another filter would.
  expect(await reachedBy({ data: { n: {} }, x: 'y' })).toEqual([]);
  for (const event of [{ data: { n: 40 } }, { x: 'y', data: {} }]) {
    const [run] = await reachedBy(event);
    expect(run).toMatchObject({ effect: 'starts', workflow: 'on-heat' });
    const status = async () => (await server.get(`${AT}/runs/${run.run_id}`)).body.status;
    await expect.poll(status, { timeout: 5000 }).toBe('succeeded');
  }
  expect((await server.get(`${AT}/runs?name=on-heat`)).body.runs).toHaveLength(2);
});

test('given a workflow whose own events start it, then the chain is cut at sixteen reactions, and that is recorded', async () => {
  const steps = `schedule: { on: { one: { with: { type: ping } } } }\ndo: [ { again: { emit: { event: { with: { type: ping } } } } } ]`;
  await save('echo', steps);
  await server.post(`${AT}/events`, { event: { type: 'ping', source: '/test' } });
  const refused = async () => (await server.get(`${AT}/events?type=reaction_refused`)).body.events;
  await expect.poll(async () => (await refused()).length, { timeout: 15_000 }).toBe(1);
  expect((await refused())[0]).toMatchObject({ data: { because: 'too_deep' }, metadata: { depth: 16, by: 'runtime' } });
  expect((await server.get(`${AT}/runs?name=echo&limit=100`)).body.runs).toHaveLength(16);
  await server.post(`${AT}/definitions/workflow/echo/retire`);
});

test('given a playbook that is retired, then its runs that wait are cancelled and its triggers start nothing', async () => {
  await server.post('/v1/orgs/local/playbooks', { playbook: 'gone', name: 'Gone' });
  const at = '/v1/orgs/local/playbooks/gone';
  const source = `${HEAD}do: [ { nap: { wait: P1D } } ]`;
  await server.post(`${at}/definitions/workflow`, { name: 'nap-one', source });
  const { run_id: id } = (await server.post(`${at}/definitions/workflow/nap-one/run`, {})).body;
  await server.post(`${at}/retire`);
  await expect.poll(async () => (await server.get(`${at}/runs/${id}`)).body.status, { timeout: 5000 }).toBe('rejected');
  expect((await server.get(`${at}/runs/${id}`)).body).toMatchObject({ reason: 'cancelled', kind: 'requested' });
});

test('given a workflow that is run twice under one id, then it meets itself; ended without a final result, it is refused', async () => {
  await save(
    'raises',
    `do: [ { a: { raise: { error: { type: 'https://example.com/x', status: 400, title: Meant } } } } ]`,
  );
  const id = '0192b3a4-5c6d-7e8f-9a0b-1c2d3e4f5a6b';
  const first = await server.post(`${AT}/definitions/workflow/raises/run`, { run_id: id });
  expect(first.body).toMatchObject({ status: 409, kind: 'raised', detail: 'Meant', run_id: id });
  const second = await server.post(`${AT}/definitions/workflow/raises/run`, { run_id: id });
  expect(second.body).toMatchObject({ status: 409, kind: 'unworkable' });
});

describe('with a stopped clock', () => {
  let clock: FakeClock;
  let still: TestServer;
  beforeAll(async () => {
    clock = createFakeClock();
    still = await startServer({ clock });
    await still.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
  });
  afterAll(() => still.close());

  test('given a cron schedule, when its time comes, then it starts once; after a downtime it starts once for all it missed', async () => {
    await save('each-hour', "schedule: { cron: '0 * * * *' }\ndo: [ { a: { set: { n: 1 } } } ]", still);
    const started = async (): Promise<number> => (await still.get(`${AT}/runs?name=each-hour`)).body.runs.length;
    clock.advance(3_600_000 - 1);
    expect(await started()).toBe(0);
    clock.advance(1);
    await expect.poll(started, { timeout: 5000 }).toBe(1);
    const [run] = (await still.get(`${AT}/runs?name=each-hour`)).body.runs;
    expect(run).toMatchObject({ trigger: { kind: 'cron', reference: '/schedule/cron' }, started_by: 'playbook:desk' });
    expect((await still.get(`${AT}/definitions/workflow/each-hour`)).body).toMatchObject({
      triggers: [{ kind: 'cron', reference: '/schedule/cron', expression: '0 * * * *' }],
      triggers_since: expect.any(String),
    });
    await still.post(`${AT}/definitions/workflow/each-hour/retire`);
    clock.advance(10 * 3_600_000);
    expect(await started()).toBe(1);
  });

  test('given every, then it fires one period after its version was saved, and keeps its anchor', async () => {
    await save('each-minute', 'schedule: { every: PT1M }\ndo: [ { a: { wait: PT10M } } ]', still);
    const started = async (): Promise<number> => (await still.get(`${AT}/runs?name=each-minute`)).body.runs.length;
    clock.advance(59_999);
    expect(await started()).toBe(0);
    clock.advance(1);
    await expect.poll(started, { timeout: 5000 }).toBe(1);
    clock.advance(60_000);
    await expect.poll(started, { timeout: 5000 }).toBe(2);
    await still.post(`${AT}/definitions/workflow/each-minute/retire`);
  });

  test('given after, then it starts immediately and again a period after its run ended', async () => {
    await save('again', 'schedule: { after: PT1H }\ndo: [ { a: { wait: PT1M } } ]', still);
    const runs = async () => (await still.get(`${AT}/runs?name=again`)).body.runs;
    await expect.poll(async () => (await runs()).length, { timeout: 5000 }).toBe(1);
    clock.advance(60_000);
    await ended((await runs())[0].run_id, still);
    clock.advance(3_600_000);
    await expect.poll(async () => (await runs()).length, { timeout: 5000 }).toBe(2);
    await still.post(`${AT}/definitions/workflow/again/retire`);
  });

  test('given a wait of 30 days, then the run continues after 30 days and not before', async () => {
    await save('month', 'do: [ { nap: { wait: P30D } }, { a: { set: { awake: true } } } ]', still);
    const { run_id: id } = (await still.post(`${AT}/definitions/workflow/month/run`, {})).body;
    clock.advance(30 * 86_400_000 - 1);
    expect((await still.get(`${AT}/runs/${id}`)).body.status).toBe('started');
    clock.advance(1);
    expect(await ended(id, still)).toMatchObject({ status: 'succeeded', output: { awake: true } });
  });
});

describe('calls of HTTP services', () => {
  let pets: Server;
  let allowed: TestServer;
  let address: string;
  let asked: string[];
  beforeAll(async () => {
    asked = [];
    pets = createServer((request, response) => {
      asked.push(`${request.method} ${request.url} ${request.headers.authorization ?? ''}`);
      const url = new URL(request.url ?? '/', 'http://localhost');
      const send = (status: number, body: unknown): void => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
      };
      if (url.pathname === '/v2/swagger.json') return send(200, PETSTORE);
      if (url.pathname === '/v2/pet/findByStatus') {
        return send(200, [{ id: 1, name: 'Rex', status: url.searchParams.get('status') }]);
      }
      if (/^\/v2\/pet\/\d+$/.test(url.pathname)) return send(200, { id: Number(url.pathname.slice(8)), name: 'Rex' });
      return send(404, { message: 'No such pet.' });
    });
    await new Promise<void>((resolve) => pets.listen(0, '127.0.0.1', resolve));
    const { port } = pets.address() as AddressInfo;
    address = `http://127.0.0.1:${port}`;
    const folder = temporaryFolder();
    const file = path.join(folder.path, 'config.yaml');
    writeFileSync(
      file,
      `workflow_http: [{ host: "127.0.0.1:${port}", playbooks: [desk] }]\nworkflow_secrets: [{ variable: PET_TOKEN }]\n`,
    );
    allowed = await startServer({ environment: { CONFIG_FILE: file, PET_TOKEN: 'a-secret-of-the-pets' } });
    folder.remove();
    await allowed.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
  });
  afterAll(async () => {
    await allowed.close();
    pets.close();
  });

  async function outcome(name: string, steps: string, input: unknown) {
    await save(name, steps, allowed);
    const started = await allowed.post(`${AT}/definitions/workflow/${name}/run`, { input });
    return ended(started.body.run_id, allowed);
  }

  test('given a call of an allowed host, then its content is the output and its start is recorded before its answer', async () => {
    const steps = `do: [ { find: { call: http, with: { method: get, endpoint: { uri: '${address}/v2/pet/{petId}' } } } } ]`;
    const run = await outcome('get-pet', steps, { petId: 7 });
    expect(run).toMatchObject({ status: 'succeeded', output: { id: 7, name: 'Rex' } });
    const history = (await allowed.get(`${AT}/runs/${run.run_id}/history`)).body.events;
    const calls = history.filter(({ type }: { type: string }) => type.startsWith('tool_call'));
    expect(calls.map(({ type, data }: { type: string; data: object }) => [type, data])).toEqual([
      ['tool_call_started', expect.objectContaining({ server: 'http', tool: 'GET', read_only: true })],
      ['tool_call_answered', expect.objectContaining({ answer: { id: 7, name: 'Rex' } })],
    ]);
  });

  test('given an OpenAPI document, then its operation is called with the parameters', async () => {
    const steps = `do: [ { find: { call: openapi, with: { document: { endpoint: '${address}/v2/swagger.json' }, operationId: findPetsByStatus, parameters: { status: '\${ .status }' } } } } ]`;
    expect(await outcome('find-pets', steps, { status: 'sold' })).toMatchObject({
      status: 'succeeded',
      output: [{ id: 1, name: 'Rex', status: 'sold' }],
    });
  });

  test('given a pet that is not there, then the error is communication 404 and can be caught', async () => {
    const steps = `do: [ { attempt: { try: [ { find: { call: http, with: { method: get, endpoint: '${address}/v2/none' } } } ], catch: { errors: { with: { type: communication, status: 404 } }, as: err, do: [ { tell: { set: { error: '\${ $err.status }', at: '\${ $err.instance }' } } } ] } } } ]`;
    expect(await outcome('no-pet', steps, {})).toMatchObject({
      output: { error: 404, at: '/do/0/attempt/try/0/find' },
    });
  });

  test('given a host that is not allowed, then the run is unworkable and nothing is sent', async () => {
    const before = asked.length;
    const steps = `do: [ { find: { call: http, with: { method: get, endpoint: 'http://localhost:1/v2' } } } ]`;
    expect(await outcome('not-allowed', steps, {})).toMatchObject({ reason: 'conflict', kind: 'unworkable' });
    expect(asked).toHaveLength(before);
  });

  test('given a secret, then it is sent and is in no answer and no history', async () => {
    const steps = `use: { secrets: [PET_TOKEN] }\ndo: [ { find: { call: http, with: { method: get, endpoint: { uri: '${address}/v2/pet/1', authentication: { bearer: { token: '\${ $secrets.PET_TOKEN }' } } } } } }, { leak: { set: { token: '\${ $secrets.PET_TOKEN }' } } } ]`;
    const run = await outcome('with-secret', steps, {});
    expect(asked.at(-1)).toBe('GET /v2/pet/1 Bearer a-secret-of-the-pets');
    expect(run).toMatchObject({ status: 'succeeded', output: { token: '***' } });
    expect((await allowed.get(`${AT}/runs/${run.run_id}/history`)).text).not.toContain('a-secret-of-the-pets');
  });
});

const PETSTORE = {
  swagger: '2.0',
  info: { title: 'Pets', version: '1' },
  basePath: '/v2',
  paths: {
    '/pet/findByStatus': {
      get: {
        operationId: 'findPetsByStatus',
        parameters: [
          {
            name: 'status',
            in: 'query',
            required: true,
            type: 'array',
            items: { type: 'string' },
            collectionFormat: 'multi',
          },
        ],
        responses: { 200: { description: 'Pets.' } },
      },
    },
  },
};
