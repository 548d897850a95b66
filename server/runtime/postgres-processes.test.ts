// What several servers on one PostgreSQL do for each other. Skipped without one: `npm run test:postgres` starts it.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { POSTGRES_FOR_TESTS } from '../kernel/log/postgres/testing.ts';
import type { TestClient } from '../test/client.ts';
import { type SharedServers, startSharedServers } from '../test/postgres/shared-servers.ts';

const AT = '/v1/orgs/local/playbooks/desk';
const HEAD = "document: { dsl: '1.0.3', namespace: desk, name: w, version: '1.0.0' }\n";
const DEFINITIONS = [
  ['computation', 'double', 'export default ({ n }) => ({ n: n * 2 });\n'],
  ['workflow', 'waiting', `${HEAD}do: [ { nap: { wait: P30D } } ]\n`],
  [
    'recall',
    'count',
    'export const reads = [{ events: {} }];\nexport const initial = 0;\nexport const evolve = (state) => state + 1;\nexport const answer = (state) => state;\n',
  ],
] as const;

describe.runIf(POSTGRES_FOR_TESTS !== undefined)('servers that share a database', () => {
  let servers: SharedServers<'one' | 'other'>;

  const client = (index: number): TestClient => servers.client(index === 0 ? 'one' : 'other');

  beforeAll(async () => {
    servers = await startSharedServers(['one', 'other']);
    await client(0).post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
    for (const [type, name, source] of DEFINITIONS) {
      await client(0).post(`${AT}/definitions/${type}`, { name, source });
    }
  }, 120_000);
  afterAll(async () => {
    await servers.close();
  });

  test('a run is cancelled at the other', async () => {
    const { run_id: runId } = (await client(0).post(`${AT}/definitions/workflow/waiting/run`, {})).body;
    expect((await client(1).post(`${AT}/runs/${runId}/cancel`, {})).status).toBe(200);
    await expect
      .poll(async () => (await client(0).get(`${AT}/runs/${runId}`)).body)
      .toMatchObject({ status: 'rejected', reason: 'cancelled' });
  });

  test('one run id at both at once is one run', async () => {
    const run_id = randomUUID();
    const send = (index: number) =>
      client(index).post(`${AT}/definitions/computation/double/run`, { input: { n: 4 }, run_id });
    const answers = await Promise.all([send(0), send(1), send(0), send(1)]);
    expect(answers.map(({ body }) => body.output)).toEqual(Array.from({ length: 4 }, () => ({ n: 8 })));
    const history = (await client(0).get(`${AT}/runs/${run_id}/history`)).body.events as { type: string }[];
    expect(history.map(({ type }) => type)).toEqual(['run_started', 'run_succeeded']);
  });

  test('a view counts what is published at either once, wherever it is asked', async () => {
    for (let n = 0; n < 10; n += 1) {
      await client(n % 2).post(`${AT}/events`, { event: { source: '/desk', type: 'told' } });
    }
    for (const index of [0, 1, 0]) {
      expect((await client(index).post(`${AT}/definitions/recall/count/run`, {})).body.output).toBe(10);
    }
  });

  test('what is published at one is followed at the other', async () => {
    const leaving = new AbortController();
    const stream = await fetch(`${client(1).address}${AT}/events/follow`, {
      signal: leaving.signal,
    });
    const reader = stream.body?.pipeThrough(new TextDecoderStream()).getReader();
    await client(0).post(`${AT}/events`, { event: { id: 'followed', source: '/desk', type: 'told' } });
    let text = '';
    while (!text.includes('followed')) {
      const { value, done } = (await reader?.read()) ?? { done: true };
      if (done) break;
      text += value ?? '';
    }
    leaving.abort();
    expect(text).toContain('followed');
  });
});
