import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFakeClock, type FakeClock } from '../../lib/clock.ts';
import { startServer, type TestServer } from '../../test/index.ts';

let clock: FakeClock;
let server: TestServer;
const BASE = '/v1/orgs/local/playbooks/story';
const list = async (query: string) => (await server.get(`${BASE}/events?${query}`)).body;
const publish = (event: object) =>
  server.post(`${BASE}/events`, { event: { source: '/desk', type: 'told', ...event } });

beforeAll(async () => {
  clock = createFakeClock(Date.UTC(2026, 0, 1));
  server = await startServer({ clock });
  await server.post('/v1/orgs/local/playbooks', { playbook: 'story', name: 'Story' });
  await server.post(`${BASE}/definitions/computation`, {
    name: 'large',
    source: 'export default (input) => "x".repeat(input.size);',
  });
  await server.post(`${BASE}/definitions/computation`, {
    name: 'numbers',
    source: 'export const input = { items: { type: "integer" } };\nexport default (input) => input.length;',
  });
  await server.post(`${BASE}/definitions/workflow`, {
    name: 'counts',
    source: `document: { dsl: '1.0.3', namespace: story, name: counts, version: '1.0.0' }
do: [ { count: { call: computation/numbers, with: '\${ . }' } } ]`,
  });
});
afterAll(() => server.close());

describe('the history of a run', () => {
  test.each([5, 50, 51, 52, 5000])('of a refused input with %i issues counts them all', async (count) => {
    const { run_id: id, errors } = (
      await server.post(`${BASE}/definitions/computation/numbers/run`, { input: Array(count).fill('x') })
    ).body;
    expect(Object.keys(errors.at(-1))).toEqual(['detail', 'pointer']);
    const { events } = (await server.get(`${BASE}/runs/${id}/history`)).body;
    expect(events.at(-1).data.rejection).toMatchObject({ issue_count: count, issues: { length: 5 } });
    expect(JSON.stringify((await server.get(`${BASE}/runs/${id}`)).body)).not.toContain('standsFor');
    const called = (await server.post(`${BASE}/definitions/workflow/counts/run`, { input: Array(count).fill('x') }))
      .body;
    await expect
      .poll(async () => (await server.get(`${BASE}/runs/${called.run_id}`)).body, { timeout: 5000 })
      .toMatchObject({ status: 'rejected', reason: 'invalid_input' });
    const history = (await server.get(`${BASE}/runs/${called.run_id}/history?order=desc`)).body;
    expect(history.events[0].data.rejection.issue_count).toBe(count);
  });

  test('holds each event after its cause, with every member of the metadata that applies', async () => {
    const run = (
      await server.post(
        `${BASE}/definitions/computation/large/run`,
        { input: { size: 3000 } },
        { traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01` },
      )
    ).body;
    const { events } = (await server.get(`${BASE}/runs/${run.run_id}/history`)).body;
    const [started, ended] = events;
    expect(started.metadata).toEqual({
      stream: `run-${run.run_id}`,
      position: 1,
      global_position: expect.any(Number),
      correlation_id: run.run_id,
      causation_id: null,
      at: run.started_at,
      by: 'developer',
      run_id: run.run_id,
      definition: { type: 'computation', name: 'large', version: 1 },
      trace_id: 'a'.repeat(32),
      span_id: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
    expect(ended.metadata).toMatchObject({ position: 2, causation_id: started.id });
    expect(started.data).toEqual({ attempt: 1, input: { size: 3000 } });
    expect(ended.data).toMatchObject({ attempt: 1, output_bytes: 3002 });
    expect((await server.get(`${BASE}/events/${ended.id}`)).body.data.output).toHaveLength(3000);
    const backwards = (await server.get(`${BASE}/runs/${run.run_id}/history?order=desc&limit=1`)).body;
    expect(backwards).toMatchObject({ events: [{ id: ended.id }], has_more: true });
    const rest = (await server.get(`${BASE}/runs/${run.run_id}/history?order=desc&cursor=${backwards.next_cursor}`))
      .body;
    expect(rest).toMatchObject({ events: [{ id: started.id }], has_more: false });
    expect((await list(`run_id=${run.run_id}&order=asc`)).events).toEqual(events);
    const unknown = `${BASE}/runs/${crypto.randomUUID()}/history?order=desc`;
    expect((await server.get(unknown)).status).toBe(404);
    expect((await server.get(`${unknown}&cursor=${backwards.next_cursor}`)).status).toBe(404);
  });
});

describe('the events of a playbook', () => {
  test('are kept by type and by the time of recording, in either order', async () => {
    clock.advance(60_000);
    const at = new Date(clock.now()).toISOString();
    const first = (await publish({ id: 'first' })).body;
    clock.advance(1);
    await publish({ id: 'second' });
    expect(first.recorded_at).toBe(at);
    const ids = async (query: string) =>
      (await list(query)).events.map(({ data }: { data: { event: { id: string } } }) => data.event.id);
    expect(await ids(`type=event_published&since=${at}&order=asc`)).toEqual(['first', 'second']);
    expect(await ids(`type=event_published&since=${at}`)).toEqual(['second', 'first']);
    const later = new Date(clock.now()).toISOString().replace('Z', '%2B00:00');
    expect(await ids(`type=event_published&since=${later}`)).toEqual(['second']);
    const [day = '', clockTime = ''] = new Date(clock.now())
      .toISOString()
      .replaceAll(/[-:]|000Z$|Z$/g, '')
      .split('T');
    expect(await ids(`type=event_published&since=${day}T${clockTime.replace('.', ',')}Z`)).toEqual(['second']);
    const bare = await list('since=2026-01-31T07:00:00+01:00');
    expect(bare).toMatchObject({
      status: 422,
      errors: [{ pointer: '/since', detail: expect.stringContaining('as %2B') }],
    });
    expect(await ids('type=event_published&since=9999-12-31T23:59:59.999-23:59')).toEqual([]);
    expect(await ids('type=event_published&since=0000-01-01T00:00:00%2B23:59')).toEqual(['second', 'first']);
  });

  test('stay in place on their pages while more are recorded, and a cursor of another list is refused', async () => {
    const page = await list('limit=2');
    await publish({});
    const next = await list(`limit=2&cursor=${page.next_cursor}`);
    expect(next.events[0].metadata.global_position).toBeLessThan(page.events[1].metadata.global_position);
    const other = await server.get(`${BASE}/runs?cursor=${page.next_cursor}`);
    expect(other).toMatchObject({ status: 422, body: { errors: [{ pointer: '/cursor' }] } });
    expect((await server.get(`${BASE}/events?order=asc&cursor=${page.next_cursor}`)).status).toBe(422);
  });
});

describe('an event that is published again', () => {
  /** Which runs the event reached is only known when it is recorded. */
  const asPublishedBefore = ({ reached: _reached, ...published }: Record<string, unknown>) => published;
  const again = async (first: object, second: object): Promise<[Record<string, unknown>, unknown, number]> => {
    const id = crypto.randomUUID();
    const one = await publish({ id, ...first });
    clock.advance(1000);
    const two = await publish({ id, ...second });
    return [one.body, two.body, two.status];
  };

  test.each([
    ['as it was', { data: { a: 1, b: 2 } }, { data: { b: 2, a: 1 } }],
    ['with the version that it has anyway', {}, { specversion: '1.0' }],
    ['without the time that it was given', { time: '2026-01-01T10:00:00Z' }, {}],
    ['with a time, where it was given none', {}, { time: '2020-01-01T00:00:00Z' }],
    [
      'with the same instant in another zone',
      { time: '2026-01-01T10:00:00Z' },
      { time: '2026-01-01T12:00:00.000+02:00' },
    ],
    ['with a leap second for the second after it', { time: '2016-12-31T23:59:60Z' }, { time: '2017-01-01T00:00:00Z' }],
  ])('%s records nothing and answers as the first time', async (_name, first, second) => {
    const [one, two, status] = await again(first, second);
    expect([two, status]).toEqual([asPublishedBefore(one), 200]);
  });

  test.each([
    ['with other data', { data: 1 }, { data: 2 }],
    ['with null for no data', {}, { data: null }],
    ['of another type', {}, { type: 'other' }],
    ['with another time', { time: '2026-01-01T10:00:00Z' }, { time: '2026-01-01T10:00:01Z' }],
    ['with a further attribute', {}, { priority: 1 }],
  ])('%s is a conflict', async (_name, first, second) => {
    expect((await again(first, second))[2]).toBe(409);
  });

  test('of another source, or without an id, is another event', async () => {
    const id = crypto.randomUUID();
    await publish({ id });
    expect((await publish({ id, source: '/elsewhere' })).status).toBe(200);
    const [one, two] = [await publish({}), await publish({})];
    expect(one.body.id).not.toBe(two.body.id);
    expect((await publish({ id: one.body.id })).body).toEqual(asPublishedBefore(one.body));
  });
});

describe('published events are listed by their own type', () => {
  test('in pages, among events of other types', async () => {
    for (const [id, type] of [
      ['1', 'loan.asked'],
      ['2', 'loan.returned'],
      ['3', 'loan.asked'],
      ['4', 'loan.asked'],
    ] as const) {
      await publish({ id: `own-${id}`, type });
    }
    const idsOf = ({ events }: { events: { data: { event: { id: string } } }[] }) =>
      events.map(({ data }) => data.event.id);
    const first = await list('type=loan.asked&limit=2');
    expect(first).toMatchObject({ has_more: true });
    expect(idsOf(first)).toEqual(['own-4', 'own-3']);
    const second = await list(`type=loan.asked&limit=2&cursor=${first.next_cursor}`);
    expect(second).toMatchObject({ has_more: false, next_cursor: null });
    expect(idsOf(second)).toEqual(['own-1']);
    expect(idsOf(await list('type=loan.asked&order=asc&limit=1'))).toEqual(['own-1']);
    expect(await list('type=loan.lost')).toMatchObject({ events: [], has_more: false });
  });

  test('and a page ends after a bounded search, with the cursor of the next one', async () => {
    const base = '/v1/orgs/local/playbooks/many';
    await server.post('/v1/orgs/local/playbooks', { playbook: 'many', name: 'Many' });
    const one = (type: string) => server.post(`${base}/events`, { event: { source: '/desk', type } });
    await one('rare');
    for (let sent = 0; sent < 1000; sent += 50) await Promise.all(Array.from({ length: 50 }, () => one('common')));
    const first = (await server.get(`${base}/events?type=rare`)).body;
    expect(first).toMatchObject({ events: [], has_more: true });
    const second = (await server.get(`${base}/events?type=rare&cursor=${first.next_cursor}`)).body;
    expect(second).toMatchObject({ events: [{ type: 'event_published' }], has_more: false });
  });
});
