import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Analytics } from '../../../shared/schemas/index.ts';
import { createFakeClock, type FakeClock } from '../../lib/clock.ts';
import { startServer, type TestServer } from '../../test/index.ts';

const DAY = 24 * 60 * 60 * 1000;
const BASE = '/v1/orgs/local/playbooks/count';

let clock: FakeClock;
let server: TestServer;
const save = (name: string, source: string) => server.post(`${BASE}/definitions/computation`, { name, source });
const run = (name: string, body: unknown = {}) => server.post(`${BASE}/definitions/computation/${name}/run`, body);
const analytics = async (query = '') => (await server.get(`${BASE}/analytics${query}`)).body;

beforeEach(async () => {
  clock = createFakeClock(Date.UTC(2026, 4, 10, 12));
  server = await startServer({ clock });
  await server.post('/v1/orgs/local/playbooks', { playbook: 'count', name: 'Count' });
  await save('fine', 'export default () => 1;');
  await save('mends', 'export default () => { throw new Error("not yet"); };');
});
afterEach(() => server.close());

describe('analytics', () => {
  test('of nothing are zeros, with an entry for every day', async () => {
    const body = await analytics();
    expect(body).toMatchObject({
      days: 30,
      runs: { total: 0 },
      duration_ms: { p50: null, p95: null },
      by_function: [],
    });
    expect(body.by_day.map(({ day }: { day: string }) => day)).toEqual(
      Array.from({ length: 30 }, (_, index) => new Date(clock.now() - (29 - index) * DAY).toISOString().slice(0, 10)),
    );
  });

  test('count a run on the day on which it first started, once, and only once it has ended', async () => {
    const runId = crypto.randomUUID();
    await run('mends', { run_id: runId });
    clock.advance(DAY);
    await server.put(`${BASE}/definitions/computation/mends`, { source: 'export default () => 2;' });
    await run('mends', { run_id: runId });
    const { runs, by_day } = await analytics('?days=2');
    expect(runs).toEqual({ total: 1, succeeded: 1, failed: 0, rejected: 0 });
    expect(by_day.map((entry: { runs: { total: number } }) => entry.runs.total)).toEqual([1, 0]);
  });

  test('count runs by outcome', async () => {
    await save('picky', "export const input = { type: 'object', required: ['a'] };\nexport default () => 1;");
    await server.post(`${BASE}/definitions/workflow`, {
      name: 'waits',
      source:
        "document: { dsl: '1.0.3', namespace: count, name: waits, version: '1.0.0' }\ndo: [{ hold: { wait: PT1H } }]\n",
    });
    for (const name of ['fine', 'fine', 'mends', 'picky']) await run(name);
    const { body: waits } = await server.post(`${BASE}/definitions/workflow/waits/run`, {});
    await server.post(`${BASE}/runs/${waits.run_id}/cancel`, {});
    await expect.poll(async () => (await analytics()).runs.total, { timeout: 5000 }).toBe(5);
    const none = { expired: 0, undelivered: 0, refused: 0, failed: 0 };
    const { outcomes, by_day } = await analytics('?days=2');
    const counted = { ...none, succeeded: 2, invalid_input: 1, cancelled: 1, program_error: 1 };
    expect(outcomes).toEqual(counted);
    expect(by_day.map((day: Analytics['by_day'][number]) => day.outcomes)).toEqual([
      { ...none, succeeded: 0, invalid_input: 0, cancelled: 0, program_error: 0 },
      counted,
    ]);
  });

  test('leave rejected runs out of durations', async () => {
    await run('mends');
    expect(await analytics()).toMatchObject({ runs: { rejected: 1 }, duration_ms: { p50: null, p95: null } });
  });

  test('name functions by their number of runs, then by name', async () => {
    await save('also', 'export default () => 1;');
    for (const name of ['fine', 'mends', 'also', 'fine']) await run(name);
    expect((await analytics()).by_function).toEqual([
      { type: 'computation', name: 'fine', runs: 2 },
      { type: 'computation', name: 'also', runs: 1 },
      { type: 'computation', name: 'mends', runs: 1 },
    ]);
    expect((await analytics('?type=workflow')).by_function).toEqual([]);
  });

  test('can be read of a retired playbook, and not of an unknown one', async () => {
    await run('fine');
    await server.post(`${BASE}/retire`, {});
    expect((await analytics()).runs.total).toBe(1);
    expect((await server.get('/v1/orgs/local/playbooks/none/analytics')).status).toBe(404);
  });
});
