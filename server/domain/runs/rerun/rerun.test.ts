import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startServer, temporaryFolder, type TestServer } from '../../../test/index.ts';

const AT = '/v1/orgs/local/playbooks/shop';
const HEAD = `document: { dsl: '1.0.3', namespace: shop, name: order, version: '1.0.0' }\n`;
const ORDER = `${HEAD}do:
  - read: { call: computation/read, with: '\${ . }' }
  - charge: { call: computation/charge, with: '\${ . }', output: { as: '\${ { charged: .sum } }' } }
  - pause: { wait: PT0S }
`;
const folder = temporaryFolder();
let server: TestServer;

beforeAll(async () => {
  server = await startServer({ dataDir: folder.path });
  await server.post('/v1/orgs/local/playbooks', { playbook: 'shop', name: 'Shop' });
  await computation('read', 'export default (input) => ({ sum: input.price * 2 });');
  await workflow('order', ORDER);
});
afterAll(async () => {
  await server.close();
  folder.remove();
});

const computation = (name: string, source: string) => server.post(`${AT}/definitions/computation`, { name, source });
const workflow = (name: string, source: string) => server.post(`${AT}/definitions/workflow`, { name, source });
const run = async (name: string, input: object): Promise<string> => {
  const { body } = await server.post(`${AT}/definitions/workflow/${name}/run`, { input });
  return body.run_id;
};
const rerun = (runId: string, fields: object) => server.post(`${AT}/runs/${runId}/rerun`, fields);
const countOf = async (name: string): Promise<number> => (await server.get(`${AT}/runs?name=${name}`)).body.runs.length;

async function ended(runId: string) {
  for (;;) {
    // oxlint-disable-next-line no-await-in-loop -- it asks until it is so
    const { body } = await server.get(`${AT}/runs/${runId}`);
    if (body.status !== 'started') return body;
  }
}

async function untilListening(runId: string): Promise<void> {
  // oxlint-disable-next-line no-await-in-loop -- it asks until it is so
  while ((await server.get(`${AT}/runs/${runId}`)).body.waits_for?.[0] !== 'event');
}

/** A charge that fails until it is mended. */
async function failedOrder(): Promise<string> {
  await computation('charge', 'export default () => { throw new Error("No service."); };');
  await server.put(`${AT}/definitions/computation/charge`, {
    source: 'export default () => { throw new Error("No service."); };',
  });
  const runId = await run('order', { price: 21 });
  expect((await ended(runId)).status).not.toBe('succeeded');
  await server.put(`${AT}/definitions/computation/charge`, { source: 'export default (input) => input;' });
  return runId;
}

test('a mended function is called again, with the results before it; the new run names its origin', async () => {
  const origin = await failedOrder();
  const reads = await countOf('read');
  const { status, body } = await rerun(origin, { step: 'charge' });
  expect({ status, body }).toMatchObject({
    status: 200,
    body: { type: 'workflow', name: 'order', origin: { run_id: origin, step: '/do/1/charge', definition_version: 1 } },
  });
  expect(await ended(body.run_id)).toMatchObject({ status: 'succeeded', output: { charged: 42 } });
  expect(await countOf('read')).toBe(reads);
  const { body: history } = await server.get(`${AT}/runs/${body.run_id}/history`);
  expect(history.events[0]).toMatchObject({
    type: 'run_started',
    data: { input: { price: 21 }, origin: { run_id: origin, step: '/do/1/charge' } },
  });
  const { body: list } = await server.get(`${AT}/runs?origin=${origin}`);
  expect(list.runs.map(({ run_id: id }: { run_id: string }) => id)).toEqual([body.run_id]);
  const { body: told } = await server.get(`${AT}/runs/${body.run_id}/explanation`);
  expect(told.lines[0].text).toContain(`continued from the step charge of the run ${origin}`);
});

test('the same request under an id finds the same run; a different one is refused', async () => {
  const origin = await failedOrder();
  const own = '0192b3a4-5c6d-7e8f-9a0b-1c2d3e4f5a01';
  const first = await rerun(origin, { step: 'charge', new_run_id: own });
  await ended(own);
  const again = await rerun(origin, { step: '/do/1/charge', new_run_id: own });
  expect([first.body.run_id, again.body.run_id, again.body.status]).toEqual([own, own, 'succeeded']);
  expect((await rerun(origin, { step: 'read', new_run_id: own })).status).toBe(409);
  const plain = await server.post(`${AT}/definitions/workflow/order/run`, { input: { price: 21 }, run_id: own });
  expect(plain.status).toBe(409);
});

test('a rerun of a rerun', async () => {
  const origin = await failedOrder();
  await server.put(`${AT}/definitions/computation/charge`, { source: 'export default () => { throw new Error(); };' });
  const { run_id: second } = (await rerun(origin, { step: 'charge' })).body;
  expect((await ended(second)).status).not.toBe('succeeded');
  await server.put(`${AT}/definitions/computation/charge`, { source: 'export default (input) => input;' });
  const { run_id: third } = (await rerun(second, { step: 'charge' })).body;
  expect(await ended(third)).toMatchObject({ output: { charged: 42 }, origin: { run_id: second } });
  const { run_id: fourth } = (await rerun(third, { step: 'pause' })).body;
  expect(await ended(fourth)).toMatchObject({ output: { charged: 42 }, origin: { run_id: third } });
});

test('a rerun survives a restart, and its read table is what the log says', async () => {
  await workflow(
    'asking',
    `${HEAD}do:\n  - read: { call: computation/read, with: '\${ . }' }\n  - hear: { listen: { to: { one: { with: { type: go } } } } }\n`,
  );
  const origin = await run('asking', { price: 1 });
  await untilListening(origin);
  await server.post(`${AT}/runs/${origin}/cancel`, {});
  expect((await ended(origin)).reason).toBe('cancelled');
  const { run_id: again, status } = (await rerun(origin, { step: 'hear' })).body;
  expect(status).toBe('started');
  await server.close();
  server = await startServer({ dataDir: folder.path });
  await server.post(`${AT}/runs/${again}/events`, { event: { type: 'go', data: 7 } });
  expect(await ended(again)).toMatchObject({ status: 'succeeded', output: [7], origin: { run_id: origin } });
  // What a run took from its mailbox is there for a rerun after it.
  await workflow(
    'booking',
    `${HEAD}do:\n  - hear: { listen: { to: { one: { with: { type: go } } } } }\n  - book: { call: computation/charge, with: '\${ { sum: .[0] } }' }\n`,
  );
  const heard = await run('booking', {});
  await server.post(`${AT}/runs/${heard}/events`, { event: { type: 'go', data: 8 } });
  await ended(heard);
  const { run_id: booked } = (await rerun(heard, { step: 'book' })).body;
  expect(await ended(booked)).toMatchObject({ output: { sum: 8 } });
});

describe('refused', () => {
  test('a run in progress', async () => {
    await workflow('waiting', `${HEAD}do:\n  - nap: { wait: PT1H }\n`);
    const origin = await run('waiting', {});
    const { status, body } = await rerun(origin, { step: 'nap' });
    expect([status, body.detail]).toEqual([
      409,
      `The run ${origin} is in progress; wait until it ends, or cancel it with cancel_run first.`,
    ]);
  });

  test('a run that has no steps, a run that does not exist, and a version that does not', async () => {
    const { body: read } = await server.post(`${AT}/definitions/computation/read/run`, { input: { price: 1 } });
    expect((await rerun(read.run_id, { step: 'read' })).body.detail).toContain('only workflows have steps');
    expect((await rerun('0192b3a4-5c6d-7e8f-9a0b-1c2d3e4f5aff', { step: 'read' })).status).toBe(404);
    const origin = await failedOrder();
    expect(await rerun(origin, { step: 'charge', version: 9 })).toMatchObject({
      status: 404,
      body: { detail: 'The playbook shop has no definition workflow/order in a version 9.' },
    });
  });

  test('a step that did not run, with a pointer to the field', async () => {
    const origin = await failedOrder();
    const { status, body } = await rerun(origin, { step: 'pause' });
    expect(status).toBe(422);
    expect(body.errors).toEqual([{ pointer: '/step', detail: expect.stringContaining('/do/2/pause did not run') }]);
    expect((await rerun(origin, {})).body.errors[0].pointer).toBe('/step');
  });

  test('a retired definition', async () => {
    await workflow('old', `${HEAD}do:\n  - one: { set: { a: 1 } }\n`);
    const origin = await run('old', {});
    await ended(origin);
    await server.post(`${AT}/definitions/workflow/old/retire`, {});
    expect(await rerun(origin, { step: 'one' })).toMatchObject({ status: 409, body: { kind: 'retired' } });
  });
});

test('an event whose id the playbook has makes the step fail, not the request', async () => {
  await workflow(
    'telling',
    `${HEAD}do:\n  - tell: { emit: { event: { with: { id: once, source: /shop, type: sold, data: '\${ now }' } } } }\n`,
  );
  const origin = await run('telling', {});
  expect((await ended(origin)).status).toBe('succeeded');
  const { status, body } = await rerun(origin, { step: 'tell' });
  expect([status, body.reason]).toEqual([422, 'invalid_input']);
  expect(body.detail).toContain('The playbook already has an event with this source and id');
});
