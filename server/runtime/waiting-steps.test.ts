// Steps that wait for their turn where only so many may work at once: model providers, tool servers, workers.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest';
import { answerJson, chatAnswer } from '../domain/models/models.testing.ts';
import { createFakeClock, type FakeClock } from '../lib/clock.ts';
import {
  createTestClient,
  startServer,
  startServerProcess,
  temporaryFolder,
  type TestClient,
  type TestServer,
} from '../test/index.ts';
import { type HeldServer, serveHeld } from '../test/held-server.ts';

const AT = '/v1/orgs/local/playbooks/desk';
const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Act', version: '1' },
  paths: {
    '/act/{id}': {
      post: {
        operationId: 'act',
        parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'string' } }],
        responses: {},
      },
    },
  },
};
/** How many may use the provider and the tool server at once. */
const [AT_PROVIDER, AT_TOOLS] = [8, 16];

const folder = temporaryFolder();
/** Paths that the tool server was asked for. */
const acted: string[] = [];
let [provider, tools]: HeldServer[] = [];

beforeAll(async () => {
  provider = await serveHeld((response) => answerJson(response, 200, chatAnswer({ content: 'Hello.' })));
  tools = await serveHeld((response, { url = '' }) => {
    acted.push(url);
    answerJson(response, 200, { done: true });
  });
});
afterAll(async () => {
  await Promise.all([provider?.close(), tools?.close()]);
  folder.remove();
});
beforeEach(() => {
  for (const held of [provider, tools]) if (held !== undefined) held.asked.length = 0;
  acted.length = 0;
});

const asked = (): number[] => [provider?.asked.length ?? 0, tools?.asked.length ?? 0];

function settings(): Record<string, string> {
  const [document, file] = ['openapi.json', 'cuebook.json'].map((name) => path.join(folder.path, name));
  writeFileSync(document ?? '', JSON.stringify(DOCUMENT));
  const host = new URL(tools?.address ?? '').host;
  const config = {
    tool_servers: { api: { type: 'openapi', document, base_url: tools?.address } },
    workflow_http: [{ host }],
    model_gateways: [{ name: 'local', base_url: provider?.address }],
  };
  writeFileSync(file ?? '', JSON.stringify(config));
  return { CONFIG_FILE: file ?? '' };
}

const SOURCES: readonly [type: string, name: string, source: string][] = [
  ['reasoning', 'greet', '---\nmodel: local/small\n---\nSay hello.\n'],
  ['interaction', 'act', `call: { tool: api/act, arguments: { id: '\${ .id }' } }\ninput: { type: object }`],
  ['computation', 'add', 'export default function (input: { n: number }) { return input.n + 1; }'],
  [
    'recall',
    'count',
    `export const reads = [{ events: { type: 'ticket' } }];
export const initial = 0;
export function evolve(state) { return state + 1; }
export function answer(state) { return state; }`,
  ],
  ['workflow', 'inner', workflow([{ one: { set: { n: 1 } } }])],
];

function workflow(steps: object[]): string {
  return JSON.stringify({ document: { dsl: '1.0.3', namespace: 'desk', name: 'w', version: '1.0.0' }, do: steps });
}

/** A fork of so many branches, each with its number. */
function fork(...kinds: [count: number, step: (id: string) => object][]): string {
  const branches = kinds.flatMap(([count, step], kind) =>
    Array.from({ length: count }, (_, n) => {
      const id = `${kind}-${n}`;
      return {
        [id]: {
          try: [{ [`step-${id}`]: step(id) }],
          catch: { as: 'e', do: [{ [`no-${id}`]: { set: '${ $e.detail }' } }] },
        },
      };
    }),
  );
  return workflow([{ all: { fork: { branches } } }]);
}

const call =
  (reference: string, input: (id: string) => object = () => ({})) =>
  (id: string) => ({ call: reference, with: input(id) });
const act = call('interaction/act', (id) => ({ id }));

async function setUp(client: TestClient, source: string): Promise<void> {
  await client.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
  for (const [type, name, own] of [...SOURCES, ['workflow', 'all', source]] as const) {
    const saved = await client.post(`${AT}/definitions/${type}`, { name, source: own });
    if (saved.status !== 201) throw new Error(`It was not saved: ${saved.text}`);
  }
}

const begin = async (client: TestClient): Promise<string> =>
  (await client.post(`${AT}/definitions/workflow/all/run`, {})).body.run_id;

const endOf = async (client: TestClient, runId: string) => {
  await expect
    .poll(
      async () => {
        provider?.release();
        tools?.release();
        return (await client.get(`${AT}/runs/${runId}`)).body.status;
      },
      { timeout: 20_000, interval: 20 },
    )
    .not.toBe('started');
  return (await client.get(`${AT}/runs/${runId}`)).body;
};

const calledBy = async (
  client: TestClient,
  runId: string,
): Promise<{ status: string; kind?: string; name: string }[]> =>
  (await client.get(`${AT}/runs?called_by=${runId}&limit=100`)).body.runs;

async function givenServer(clock: FakeClock, source: string): Promise<TestServer> {
  const server = await startServer({ clock, environment: settings() });
  onTestFinished(async () => {
    const closed = server.close();
    const grace = setInterval(() => clock.advance(1000), 10);
    await closed;
    clearInterval(grace);
  });
  await setUp(server, source);
  return server;
}

test('a fork over every kind of call waits for its turns, and a request is refused after ten seconds', async () => {
  const clock = createFakeClock();
  const http = (id: string) => ({ call: 'http', with: { method: 'get', endpoint: `${tools?.address}/get/${id}` } });
  const tool = (id: string) => ({ call: 'tool', with: { tool: 'api/act', arguments: { id } } });
  const source = fork(
    [30, call('reasoning/greet')],
    [20, act],
    [20, tool],
    [5, http],
    [20, call('computation/add', () => ({ n: 1 }))],
    [5, call('recall/count')],
    [5, call('workflow/inner')],
  );
  const server = await givenServer(clock, source);
  const runId = await begin(server);
  await expect.poll(asked, { timeout: 10_000 }).toEqual([AT_PROVIDER, AT_TOOLS + 5]);
  const request = server.post(`${AT}/definitions/reasoning/greet/run`, { input: {} });
  const began = (): Promise<unknown> =>
    server.get(`${AT}/runs?name=greet&status=started&limit=100`).then(({ body }) => body.runs.length);
  await expect.poll(began, { timeout: 10_000 }).toBe(31);
  clock.advance(11_000);
  expect(await request).toMatchObject({ status: 503, body: { because: 'provider_unavailable' } });
  const { status, output } = await endOf(server, runId);
  expect(status).toBe('succeeded');
  const results: unknown[] = output;
  expect(results.map(String).filter((result) => /busy|again|unavailable/i.test(result))).toEqual([]);
  expect(asked()).toEqual([30, 45]);
  expect((await calledBy(server, runId)).every((run) => run.status === 'succeeded')).toBe(true);
});

test('given a workflow that is cancelled, then what waits for its turn is not called any more', async () => {
  const clock = createFakeClock();
  const server = await givenServer(clock, fork([20, call('reasoning/greet')], [30, act]));
  const runId = await begin(server);
  await expect.poll(asked, { timeout: 10_000 }).toEqual([AT_PROVIDER, AT_TOOLS]);
  await expect.poll(async () => (await calledBy(server, runId)).length).toBe(50);
  expect((await server.post(`${AT}/runs/${runId}/cancel`, {})).status).toBe(200);
  await expect.poll(async () => (await server.get(`${AT}/runs/${runId}`)).body.status).toBe('rejected');
  const called = async (status: string): Promise<number> =>
    (await calledBy(server, runId)).filter((run) => run.status === status).length;
  await expect
    .poll(async () => {
      provider?.release();
      tools?.release();
      return called('started');
    })
    .toBe(0);
  expect(asked()).toEqual([AT_PROVIDER, AT_TOOLS]);
  expect(await called('rejected')).toBe(50 - AT_PROVIDER - AT_TOOLS);
  expect((await calledBy(server, runId)).filter(({ status }) => status === 'rejected')[0]).toMatchObject({
    reason: 'cancelled',
    kind: 'parent_ended',
  });
});

test.each(['SIGKILL', 'SIGTERM'] as const)(
  'given calls that wait for their turn at a %s, then the next start makes them, and none is made twice',
  async (signal) => {
    const data = temporaryFolder();
    onTestFinished(() => data.remove());
    const first = await startServerProcess(data.path, { environment: settings() });
    const client = await createTestClient(first.address);
    const tool = (id: string) => ({ call: 'tool', with: { tool: 'api/act', arguments: { id: `tool-${id}` } } });
    await setUp(client, fork([15, act], [15, tool]));
    const runId = await begin(client);
    await expect.poll(asked, { timeout: 10_000 }).toEqual([0, AT_TOOLS]);
    await expect.poll(async () => (await calledBy(client, runId)).length).toBe(15);
    await first.end(signal);

    const second = await startServerProcess(data.path, { environment: settings() });
    onTestFinished(() => second.end('SIGKILL').then(() => undefined));
    const next = await createTestClient(second.address);
    const { status, output } = await endOf(next, runId);
    expect(status).toBe('succeeded');
    expect(tools?.asked).toHaveLength(30);
    expect(new Set(acted).size).toBe(acted.length);
    expect((output as unknown[]).filter((result) => typeof result === 'object')).toHaveLength(30 - AT_TOOLS);
  },
  60_000,
);
