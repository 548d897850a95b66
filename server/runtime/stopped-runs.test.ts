// The same workflows, left alone, stopped by SIGTERM and killed while a step waits: a stop leaves what a crash leaves, and
// both end as the undisturbed one wherever the contract's rules allow.
import { writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../../shared/json.ts';
import { createFakeClock } from '../lib/clock.ts';
import { STOP_GRACE_MS } from '../kernel/stopping.ts';
import { answerJson, chatAnswer } from '../domain/models/models.testing.ts';
import {
  createTestClient,
  serveLoopback,
  startServer,
  startServerProcess,
  temporaryFolder,
  type TestClient,
} from '../test/index.ts';

const AT = '/v1/orgs/local/playbooks/desk';
const HEAD = "document: { dsl: '1.0.3', namespace: desk, name: w, version: '1.0.0' }\n";
/** Takes about a second of a quiet machine, in few steps. */
const SLOW = `export default () => {
  const needle = 'a'.repeat(1000) + 'b';
  return [1, 2, 3].map((n) => ('a'.repeat(100_000) + n).indexOf(needle));
};
`;
const FUNCTIONS: Record<string, Record<string, string>> = {
  computation: { slow: SLOW },
  reasoning: { slow: '---\nmodel: local/m\n---\nSay something.\n' },
  interaction: {
    'read-slowly': 'call: { tool: api/read }',
    'act-slowly': 'call: { tool: api/act }',
    'ask-ada': 'ask: { to: ada, message: May we?, answer: { type: boolean } }',
  },
};

/** The step of each workflow, and what asks a server for something while it waits. */
const stepsFor = (address: string): Record<string, { step: string; asks?: string }> => ({
  'calls-computation': { step: 'call: computation/slow' },
  'calls-reasoning': { step: 'call: reasoning/slow', asks: '/chat/completions' },
  'calls-reading': { step: 'call: interaction/read-slowly', asks: '/read' },
  'calls-acting': { step: 'call: interaction/act-slowly', asks: '/act' },
  waits: { step: 'wait: PT3S' },
  asks: { step: 'call: interaction/ask-ada' },
  gets: { step: `call: http, with: { method: get, endpoint: '${address}/got' }`, asks: '/got' },
  posts: { step: `call: http, with: { method: post, endpoint: '${address}/posted' }`, asks: '/posted' },
  'reads-itself': { step: 'call: tool, with: { tool: api/read-too }', asks: '/read-too' },
  'acts-itself': { step: 'call: tool, with: { tool: api/act-too }', asks: '/act-too' },
});

interface SlowApi {
  address: string;
  /** Paths in the order in which they were asked for. */
  asked: string[];
  /** Answers from now on. What was asked for before is answered too, unless whoever asked has gone. */
  answer(): void;
}

async function serveSlowly(): Promise<SlowApi> {
  const asked: string[] = [];
  const held: (() => void)[] = [];
  let isAnswering = false;
  const send = (url: string, response: ServerResponse): void =>
    answerJson(response, 200, url === '/chat/completions' ? chatAnswer({ content: 'Done.' }) : { done: url });
  const server = await serveLoopback((request, response) => {
    const url = request.url ?? '';
    request.resume();
    asked.push(url);
    if (isAnswering) send(url, response);
    else held.push(() => send(url, response));
  });
  onTestFinished(() => server.close());
  return {
    address: server.address,
    asked,
    answer() {
      isAnswering = true;
      for (const give of held.splice(0)) give();
    },
  };
}

const operation = (operationId: string) => ({ operationId, responses: {} });

/** Settings whose tool server, model gateway and HTTP host are the slow API. */
function settingsFor(api: SlowApi, dataDir: string): Record<string, string> {
  const document = path.join(dataDir, 'openapi.json');
  const paths = {
    '/read': { get: operation('read') },
    '/act': { post: operation('act') },
    '/read-too': { get: operation('read-too') },
    '/act-too': { post: operation('act-too') },
  };
  writeFileSync(document, JSON.stringify({ openapi: '3.1.0', info: { title: 'Slow', version: '1' }, paths }));
  const config = {
    tool_servers: { api: { type: 'openapi', document, base_url: api.address } },
    workflow_http: [{ host: new URL(api.address).host }],
  };
  writeFileSync(path.join(dataDir, 'cuebook.yaml'), JSON.stringify(config));
  return { MODEL_GATEWAYS: JSON.stringify([{ name: 'local', base_url: api.address }]), LOG_LEVEL: 'error' };
}

async function saveAll(
  client: TestClient,
  names: readonly string[],
  steps: ReturnType<typeof stepsFor>,
): Promise<void> {
  await client.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
  const documents = [
    ...Object.entries(FUNCTIONS).flatMap(([type, all]) =>
      Object.entries(all).map(([name, source]) => ({ type, name, source })),
    ),
    ...names.map((name) => ({ type: 'workflow', name, source: `${HEAD}do: [ { it: { ${steps[name]?.step} } } ]` })),
  ];
  for (const { type, ...body } of documents) {
    expect((await client.post(`${AT}/definitions/${type}`, body)).status, JSON.stringify(body)).toBe(201);
  }
}

async function startAll(client: TestClient, names: readonly string[]): Promise<Map<string, string>> {
  const runs = new Map<string, string>();
  for (const name of names) {
    const { body } = await client.post(`${AT}/definitions/workflow/${name}/run`, {});
    expect(body).toMatchObject({ status: 'started' });
    runs.set(name, body.run_id);
  }
  return runs;
}

/** How each run ended, without what differs from one run to another. */
async function endingsOf(client: TestClient, runs: ReadonlyMap<string, string>): Promise<Record<string, JsonObject>> {
  const endings: Record<string, JsonObject> = {};
  for (const [name, id] of runs) {
    const get = async () => (await client.get(`${AT}/runs/${id}`)).body;
    await expect.poll(async () => (await get()).status, { timeout: 60_000, message: name }).not.toBe('started');
    const { status, output, reason, kind, because, detail } = await get();
    const words = typeof detail === 'string' ? { detail: detail.replaceAll(/[0-9a-f-]{36}/g, 'ID') } : {};
    const parts = { status, output, reason, kind, because, ...words };
    endings[name] = JSON.parse(JSON.stringify(parts).replaceAll(/127\.0\.0\.1:\d+/g, 'HOST')) as JsonObject;
  }
  return endings;
}

async function answerQuestion(client: TestClient, runs: ReadonlyMap<string, string>): Promise<void> {
  const { interactions } = (await client.get(`${AT}/interactions`)).body;
  expect(interactions).toHaveLength(1);
  expect(runs.has('asks')).toBe(true);
  expect(await client.post(`${AT}/runs/${interactions[0].run_id}/answer`, { answer: true })).toMatchObject({
    status: 200,
  });
}

/** Starts every workflow, ends the server so when each step waits, and answers how they ended. */
async function carriedOut(
  signal?: 'SIGTERM' | 'SIGKILL',
): Promise<{ endings: Record<string, JsonObject>; code?: number | null }> {
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  const api = await serveSlowly();
  const environment = settingsFor(api, folder.path);
  const steps = stepsFor(api.address);
  const names = Object.keys(steps);
  let server = await startServerProcess(folder.path, { environment });
  let client = await createTestClient(server.address);
  await saveAll(client, names, steps);
  const runs = await startAll(client, names);
  const expected = Object.values(steps).flatMap(({ asks }) => asks ?? []);
  await expect.poll(() => expected.filter((url) => !api.asked.includes(url)), { timeout: 20_000 }).toEqual([]);
  const open = async () => (await client.get(`${AT}/interactions`)).body.interactions.length;
  await expect.poll(open, { timeout: 20_000 }).toBe(1);
  const code = signal && (await server.end(signal));
  if (signal !== undefined) {
    server = await startServerProcess(folder.path, { environment });
    client = await createTestClient(server.address);
  }
  api.answer();
  await answerQuestion(client, runs);
  const endings = await endingsOf(client, runs);
  await server.end('SIGTERM');
  return code === undefined ? { endings } : { endings, code };
}

// Windows has no signals.
test.skipIf(process.platform === 'win32')(
  'given workflows whose steps wait, then a stop and a kill end them alike, and as nothing does where the rules allow',
  async () => {
    const ways = await Promise.all([carriedOut(), carriedOut('SIGTERM'), carriedOut('SIGKILL')]);
    expect(ways.map(({ code }) => code)).toEqual([undefined, 0, null]);
    const [calm, stopped, killed] = [ways[0].endings, ways[1].endings, ways[2].endings];
    expect(stopped).toEqual(killed);
    const succeeded = Object.fromEntries(Object.keys(calm).map((name) => [name, 'succeeded']));
    const statuses = (endings: Record<string, JsonObject>) =>
      Object.fromEntries(Object.entries(endings).map(([name, { status }]) => [name, status]));
    expect(statuses(calm)).toEqual(succeeded);
    // A call of a tool is made once, and so is an HTTP call other than GET and HEAD.
    const once = {
      'calls-reading': 'failed',
      'calls-acting': 'failed',
      posts: 'rejected',
      'reads-itself': 'rejected',
      'acts-itself': 'rejected',
    };
    const repeatable = Object.entries(calm).filter(([name]) => !(name in once));
    expect(stopped).toMatchObject(Object.fromEntries(repeatable));
    expect(statuses(stopped)).toMatchObject(once);
  },
  180_000,
);

const DAY_MS = 24 * 60 * 60 * 1000;

test('given a computation that has not ended when the grace is over, then the next start carries it out', async () => {
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  const clock = createFakeClock();
  const first = await startServer({ dataDir: folder.path, clock });
  const names = ['calls-computation'];
  await saveAll(first, names, stepsFor('http://127.0.0.1:9'));
  // A program sees when its attempt started: before the stop it would take days, and afterwards it takes no time.
  const source = `export default () =>
    Date.now() < ${clock.now() + DAY_MS} ? 'a'.repeat(2e6).indexOf('a'.repeat(1e6) + 'b') : 7;
`;
  expect((await first.put(`${AT}/definitions/computation/slow`, { source })).status).toBe(200);
  const runs = await startAll(first, names);
  const callers = { run_id: crypto.randomUUID(), input: {} };
  const direct = first.post(`${AT}/definitions/computation/slow/run`, callers);
  const started = async () => {
    // A start is recorded by itself once it has taken 50 ms.
    clock.advance(50);
    return (await first.get(`${AT}/runs?type=computation&status=started`)).body.runs.length;
  };
  await expect.poll(started, { timeout: 20_000 }).toBe(2);
  const closed = first.close();
  clock.advance(STOP_GRACE_MS);
  await closed;
  expect(await direct).toMatchObject({ status: 503, body: { reason: 'unavailable', run_id: callers.run_id } });
  clock.advance(DAY_MS);

  const second = await startServer({ dataDir: folder.path, clock });
  onTestFinished(() => second.close());
  expect(await endingsOf(second, runs)).toMatchObject({ 'calls-computation': { status: 'succeeded' } });
  const again = await second.post(`${AT}/definitions/computation/slow/run`, callers);
  expect(again).toMatchObject({ status: 200, body: { status: 'succeeded', attempt: 2 } });
}, 60_000);
