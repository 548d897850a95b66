// What several servers on one PostgreSQL do for each other. Skipped without one: `npm run test:postgres` starts it.
import { randomUUID } from 'node:crypto';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask, POSTGRES_FOR_TESTS } from './kernel/log/postgres/testing.ts';
import { randomHex } from './lib/random.ts';
import { type ServerProcess, startServerProcess, temporaryFolder } from './test/index.ts';
import { createTestClient, type TestClient } from './test/client.ts';
import { type RoundRobin, serveRoundRobin } from './test/chaos/round-robin.ts';

const AT = '/v1/orgs/local/playbooks/desk';
const HEAD = "document: { dsl: '1.0.3', namespace: desk, name: w, version: '1.0.0' }\n";
const DEFINITIONS = [
  ['computation', 'double', 'export default ({ n }) => ({ n: n * 2 });\n'],
  ['interaction', 'ask', 'ask: { to: ada, message: Which number?, answer: { type: object } }\n'],
  ['workflow', 'asking', `${HEAD}do: [ { ask: { call: interaction/ask } } ]\n`],
  ['workflow', 'waiting', `${HEAD}do: [ { nap: { wait: P30D } } ]\n`],
  [
    'recall',
    'count',
    'export const reads = [{ events: {} }];\nexport const initial = 0;\nexport const evolve = (state) => state + 1;\nexport const answer = (state) => state;\n',
  ],
] as const;

describe.runIf(POSTGRES_FOR_TESTS !== undefined)('servers that share a database', () => {
  const schema = `test_${randomHex(8)}`;
  const folders = [temporaryFolder(), temporaryFolder()];
  let servers: ServerProcess[];
  let clients: TestClient[];
  let balancer: RoundRobin;

  const start = (index: number): Promise<ServerProcess> =>
    startServerProcess(folders[index]?.path ?? '', {
      environment: {
        DATABASE_URL: POSTGRES_FOR_TESTS ?? '',
        DATABASE_SCHEMA: schema,
        SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
      },
    });
  const client = (index: number): TestClient => {
    const found = clients[index];
    if (found === undefined) throw new Error('There are two servers.');
    return found;
  };

  beforeAll(async () => {
    balancer = await serveRoundRobin();
    servers = await Promise.all([start(0), start(1)]);
    clients = await Promise.all(servers.map(({ address }) => createTestClient(address)));
    balancer.forwardTo(servers.map(({ address }) => address));
    await client(0).post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
    for (const [type, name, source] of DEFINITIONS) {
      await client(0).post(`${AT}/definitions/${type}`, { name, source });
    }
  }, 120_000);
  afterAll(async () => {
    for (const server of servers) await server.end('SIGTERM');
    await balancer.close();
    await ask(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
    for (const folder of folders) folder.remove();
  });

  test('a question that one asks is answered at the other, and the run ends', async () => {
    const { run_id: runId } = (await client(0).post(`${AT}/definitions/workflow/asking/run`, {})).body;
    const inbox = async () => (await client(1).get(`${AT}/interactions`)).body.interactions;
    await expect.poll(async () => (await inbox()).length).toBe(1);
    const [request] = await inbox();
    expect((await client(1).post(`${AT}/runs/${request.run_id}/answer`, { answer: { n: 21 } })).status).toBe(200);
    await expect.poll(async () => (await client(0).get(`${AT}/runs/${runId}`)).body.status).toBe('succeeded');
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

  test('an MCP client works through a load balancer while processes come and go', { timeout: 120_000 }, async () => {
    const agent = new Client({ name: 'test', version: '1' });
    await agent.connect(new StreamableHTTPClientTransport(new URL(`${balancer.address}/mcp`)));
    const double = async (n: number): Promise<unknown> => {
      const called = await agent.callTool({
        name: 'run_definition',
        arguments: { playbook: 'desk', type: 'computation', name: 'double', input: { n } },
      });
      return (called.structuredContent as { output?: unknown } | undefined)?.output;
    };
    expect([await double(1), await double(2)]).toEqual([{ n: 2 }, { n: 4 }]);
    await servers[1]?.end('SIGKILL');
    expect([await double(3), await double(4)]).toEqual([{ n: 6 }, { n: 8 }]);
    servers[1] = await start(1);
    balancer.forwardTo(servers.map(({ address }) => address));
    expect([await double(5), await double(6)]).toEqual([{ n: 10 }, { n: 12 }]);
    await agent.close();
  });
});
