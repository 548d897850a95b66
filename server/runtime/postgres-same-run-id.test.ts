// One run id at two servers on one PostgreSQL, one of which is killed: what same-run-id.test.ts shows of one process.
// Skipped without a PostgreSQL: `npm run test:postgres` starts one.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { answerJson, chatAnswer } from '../domain/models/models.testing.ts';
import { POSTGRES_FOR_TESTS } from '../kernel/log/postgres/testing.ts';
import { type HeldServer, serveHeld } from '../test/held-server.ts';
import { type SharedServers, startSharedServers } from '../test/postgres/shared-servers.ts';

const AT = '/v1/orgs/local/playbooks/desk';

type Name = 'killed' | 'other';

describe.runIf(POSTGRES_FOR_TESTS !== undefined)('one run id at two servers, one of which is killed', () => {
  let provider: HeldServer;
  let servers: SharedServers<Name>;

  beforeEach(async () => {
    provider = await serveHeld((response) => answerJson(response, 200, chatAnswer({ content: 'Hello.' })));
    servers = await startSharedServers<Name>(['killed', 'other'], {
      environment: { MODEL_GATEWAYS: JSON.stringify([{ name: 'local', base_url: provider.address }]) },
    });
    const client = servers.client('other');
    await client.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
    for (const [type, name, source] of [
      ['computation', 'double', 'export default ({ n }) => ({ n: n * 2 });\n'],
      ['reasoning', 'greet', '---\nmodel: local/small\n---\nSay hello.\n'],
    ] as const) {
      await client.post(`${AT}/definitions/${type}`, { name, source });
    }
  }, 120_000);
  afterEach(async () => {
    await servers.close();
    await provider.close();
  });

  const run = (name: Name, of: string, body: object) => servers.client(name).post(`${AT}/definitions/${of}/run`, body);
  const historyOf = async (runId: string): Promise<string[]> =>
    (await servers.client('other').get(`${AT}/runs/${runId}/history`)).body.events.map(
      ({ type }: { type: string }) => type,
    );
  async function kill(): Promise<void> {
    await servers.server('killed').end('SIGKILL');
    await servers.leaveLease('killed', -1);
  }

  /** Keeps the commits of the playbook waiting until it is called. */
  async function holdCommits(): Promise<() => Promise<void>> {
    const [{ schema } = { schema: '' }] = await servers.rows<{ schema: string }>(
      `SELECT n.nspname AS schema FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
       WHERE c.oid = '@playbook_queues'::regclass`,
    );
    const holder = new pg.Client({ connectionString: POSTGRES_FOR_TESTS });
    await holder.connect();
    await holder.query(`BEGIN; SELECT 1 FROM ${schema}.playbook_queues WHERE playbook = 'desk' FOR UPDATE`);
    return () => holder.end();
  }

  test('while an ending waits for its commit, then each request gets the one run', { timeout: 120_000 }, async () => {
    const fields = { input: { n: 2 }, run_id: randomUUID() };
    const release = await holdCommits();
    const cutOff = run('killed', 'computation/double', fields).catch(() => 'cut off');
    await expect
      .poll(() =>
        servers.rows(`SELECT 1 FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND application_name = 'killed'`),
      )
      .not.toEqual([]);
    await kill();
    await release();
    expect(await cutOff).toBe('cut off');
    const answers = await Promise.all([1, 2].map(() => run('other', 'computation/double', fields)));
    expect(answers.map(({ body }) => [body.status, body.output, body.attempt])).toEqual([
      ['succeeded', { n: 4 }, 1],
      ['succeeded', { n: 4 }, 1],
    ]);
    expect(await historyOf(fields.run_id)).toEqual(['run_started', 'run_succeeded']);
    expect((await run('other', 'computation/double', { ...fields, input: { n: 5 } })).status).toBe(409);
  });

  test('after a start that was recorded by itself, then each request gets the one new attempt', {
    timeout: 120_000,
  }, async () => {
    const fields = { run_id: randomUUID() };
    const cutOff = run('killed', 'reasoning/greet', fields).catch(() => 'cut off');
    await expect.poll(() => provider.asked.length).toBe(1);
    expect(await historyOf(fields.run_id)).toEqual(['run_started']);
    await kill();
    expect(await cutOff).toBe('cut off');
    const requests = [1, 2].map(() => run('other', 'reasoning/greet', fields));
    await expect.poll(() => provider.asked.length, { timeout: 40_000 }).toBe(2);
    provider.release();
    const answers = await Promise.all(requests);
    expect(answers.map(({ body }) => [body.status, body.output, body.attempt])).toEqual([
      ['succeeded', { text: 'Hello.' }, 2],
      ['succeeded', { text: 'Hello.' }, 2],
    ]);
    expect(await historyOf(fields.run_id)).toEqual(['run_started', 'run_failed', 'run_started', 'run_succeeded']);
    expect(provider.asked).toHaveLength(2);
  });
});
