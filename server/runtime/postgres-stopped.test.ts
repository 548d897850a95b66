// A server that is stopped for longer than its lease, in the middle of work, and then continued. Skipped without a
// PostgreSQL: `npm run test:postgres` starts one.
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { answerJson, chatAnswer } from '../domain/models/models.testing.ts';
import { POSTGRES_FOR_TESTS } from '../kernel/log/postgres/testing.ts';
import { type HeldServer, serveHeld } from '../test/held-server.ts';
import { temporaryFolder } from '../test/index.ts';
import { type SharedServers, startSharedServers } from '../test/postgres/shared-servers.ts';

const AT = '/v1/orgs/local/playbooks/desk';
const ACT = `document: { dsl: '1.0.3', namespace: desk, name: act, version: '1.0.0' }
do:
  - act: { call: tool, with: { tool: api/act, arguments: { body: { id: '\${ .id }' } } } }
`;
const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Acting', version: '1' },
  paths: {
    '/act': {
      post: {
        operationId: 'act',
        requestBody: { content: { 'application/json': { schema: { type: 'object' } } } },
        responses: {},
      },
    },
  },
};

describe.runIf(POSTGRES_FOR_TESTS !== undefined)('a server that is stopped for longer than its lease', () => {
  const folder = temporaryFolder();
  let tools: HeldServer;
  let provider: HeldServer;
  let servers: SharedServers<'stopped' | 'other'>;

  beforeAll(async () => {
    tools = await serveHeld((response) => answerJson(response, 200, { done: true }));
    provider = await serveHeld((response) => answerJson(response, 200, chatAnswer({ content: 'Hello.' })));
    const document = path.join(folder.path, 'openapi.json');
    writeFileSync(document, JSON.stringify(DOCUMENT));
    servers = await startSharedServers(['stopped', 'other'], {
      config: { tool_servers: { api: { type: 'openapi', document, base_url: tools.address } } },
      environment: {
        MODEL_GATEWAYS: JSON.stringify([{ name: 'local', base_url: provider.address }]),
        ALLOWED_MODELS: JSON.stringify(['local/small']),
      },
    });
    const other = servers.client('other');
    await other.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
    await other.post(`${AT}/definitions/workflow`, { name: 'act', source: ACT });
    const source = '---\nmodel: local/small\n---\nSay hello.\n';
    await other.post(`${AT}/definitions/reasoning`, { name: 'greet', source });
  }, 120_000);
  afterAll(async () => {
    await servers.close();
    await Promise.all([tools.close(), provider.close()]);
    folder.remove();
  });

  const historyOf = async (runId: string): Promise<string[]> =>
    (await servers.client('other').get(`${AT}/runs/${runId}/history`)).body.events.map(
      ({ type }: { type: string }) => type,
    );
  const statusOf = async (runId: string): Promise<string> =>
    (await servers.client('other').get(`${AT}/runs/${runId}`)).body.status;

  test('writes nothing of what it was doing, and continues under another lease', { timeout: 120_000 }, async () => {
    // Given an attempt and a tool call that are in progress in it.
    const [greeting, acting] = [randomUUID(), randomUUID()];
    const greet = (name: 'stopped' | 'other') =>
      servers.client(name).post(`${AT}/definitions/reasoning/greet/run`, { run_id: greeting, input: {} });
    const answered = greet('stopped');
    const act = { run_id: acting, input: { id: acting } };
    await servers.client('stopped').post(`${AT}/definitions/workflow/act/run`, act);
    await expect.poll(() => [provider.asked.length, tools.asked.length]).toEqual([1, 1]);
    const held = await servers.rows<{ holder: string }>(
      `SELECT holder FROM @run_leases UNION ALL SELECT claimed_by FROM @perform_tasks`,
    );
    const holders = new Set(held.map(({ holder }) => holder));
    expect([held.length, holders.size]).toEqual([2, 1]);
    const [lost = ''] = holders;
    expect(await servers.serverOf(lost)).toBe('stopped');

    // When it is stopped, a request for the run waits, and does not wait for longer than the server may be silent.
    process.kill(servers.server('stopped').pid, 'SIGSTOP');
    await servers.leaveLease('stopped', 60);
    const refused = await greet('other');
    expect(refused.status).toBe(503);
    expect(refused.headers.get('retry-after')).toBe('5');

    // When its lease expires, the other one takes over what it was doing.
    await servers.leaveLease('stopped', -1);
    await expect.poll(() => statusOf(greeting)).toBe('failed');
    await expect.poll(() => statusOf(acting)).toBe('rejected');
    const before = [await historyOf(greeting), await historyOf(acting)];

    // When it continues, and gets the answers that it had waited for, it records none of them.
    provider.release();
    tools.release();
    process.kill(servers.server('stopped').pid, 'SIGCONT');
    expect((await answered).status).toBe(503);
    await expect
      .poll(() => servers.rows(`SELECT holder FROM #leases WHERE is_first AND process = 'stopped'`))
      .toHaveLength(2);
    const next = randomUUID();
    await servers.client('stopped').post(`${AT}/definitions/workflow/act/run`, { run_id: next, input: { id: next } });
    await expect.poll(() => tools.asked.length).toBe(2);
    tools.release();
    await expect.poll(() => statusOf(next)).toBe('succeeded');
    expect([await historyOf(greeting), await historyOf(acting)]).toEqual(before);
    const { late, renamed, ofAttempts, byClaim } = await servers.findLateWrites();
    expect(late).toEqual([]);
    expect(renamed).toBe(1);
    expect(ofAttempts).toBeGreaterThan(0);
    expect(byClaim).toBeGreaterThan(0);
    expect(tools.asked.map((text) => (JSON.parse(text) as { id: string }).id)).toEqual([acting, next]);

    // The same request is another attempt now.
    const again = greet('other');
    await expect.poll(() => provider.asked.length).toBe(2);
    provider.release();
    expect((await again).body).toMatchObject({ status: 'succeeded', output: { text: 'Hello.' } });
  });
});
