// Work that two servers on one PostgreSQL share, and changes at one that the other must learn of. Skipped without one:
// `npm run test:postgres` starts it.
import { randomUUID } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CANARY, api, serveApi } from '../domain/connections/serving.testing.ts';
import { SECRET } from '../domain/connections/connections.testing.ts';
import { type HeldModel, serveHeldModel } from '../domain/models/held-model.testing.ts';
import {
  answerEvents,
  answerJson,
  CHAT_END,
  chatAnswer,
  chatChunk,
  writeEvents,
} from '../domain/models/models.testing.ts';
import { followText } from '../test/follow-text.ts';
import { POSTGRES_FOR_TESTS } from '../kernel/log/postgres/testing.ts';
import { type HeldServer, serveHeld } from '../test/held-server.ts';
import { type LoopbackServer, serveLoopback, temporaryFolder } from '../test/index.ts';
import { type SharedServers, startSharedServers } from '../test/postgres/shared-servers.ts';

const ORG = '/v1/orgs/local';
const AT = `${ORG}/playbooks/desk`;
const KEY = 'canary-of-the-provider-0123456789';
const workflow = (body: string): string =>
  `document: { dsl: '1.0.3', namespace: desk, name: w, version: '1.0.0' }\n${body}\n`;
const DEFINITIONS = [
  ['reasoning', 'greet', '---\nmodel: local/small\n---\nSay hello.\n'],
  ['reasoning', 'write', '---\nmodel: writing/small\n---\nSay hello.\n'],
  ['reasoning', 'ask-groq', '---\nmodel: groq/small\n---\nSay hello.\n'],
  ['workflow', 'act', workflow('do: [ { act: { call: tool, with: { tool: api/act, arguments: {} } } } ]')],
  [
    'workflow',
    'both',
    workflow(
      'schedule: { on: { all: [ { with: { type: paid } }, { with: { type: packed } } ] } }\ndo: [ { kept: { set: { events: "${ . }" } } } ]',
    ),
  ],
  [
    'recall',
    'count',
    'export const reads = [{ events: { type: "counted" } }];\nexport const initial = 0;\nexport const evolve = (state) => state + 1;\nexport const answer = (state) => state;\n',
  ],
  ['interaction', 'ask', 'ask: { to: ada, message: Which number?, answer: { type: object } }\n'],
  ['workflow', 'asking', workflow('do: [ { ask: { call: interaction/ask } } ]')],
] as const;
const DOCUMENT = {
  openapi: '3.1.0',
  info: { title: 'Acting', version: '1' },
  paths: { '/act': { post: { operationId: 'act', responses: {} } } },
};

type Name = 'one' | 'other';

describe.runIf(POSTGRES_FOR_TESTS !== undefined)('two servers on one database', () => {
  const folder = temporaryFolder();
  let tools: HeldServer;
  let provider: HeldServer;
  let writer: HeldModel;
  let groq: LoopbackServer;
  let servers: SharedServers<Name>;
  /** The keys that the hosted provider was shown. */
  const shown: (string | undefined)[] = [];

  beforeAll(async () => {
    tools = await serveHeld((response) => answerJson(response, 200, { done: true }));
    provider = await serveHeld((response) => answerJson(response, 200, chatAnswer({ content: 'Hello.' })));
    writer = await serveHeldModel();
    groq = await serveLoopback((request, response) => {
      shown.push(request.headers.authorization);
      answerJson(response, 200, chatAnswer({ content: 'Hello from there.' }));
    });
    const document = path.join(folder.path, 'openapi.json');
    writeFileSync(document, JSON.stringify(DOCUMENT));
    servers = await startSharedServers(['one', 'other'], {
      config: { tool_servers: { api: { type: 'openapi', document, base_url: tools.address } } },
      environment: {
        MODEL_GATEWAYS: JSON.stringify([
          { name: 'local', base_url: provider.address },
          { name: 'writing', base_url: writer.address },
        ]),
        GROQ_BASE_URL: groq.address,
      },
    });
    const one = servers.client('one');
    await one.post(`${ORG}/playbooks`, { playbook: 'desk', name: 'Desk' });
    for (const [type, name, source] of DEFINITIONS) {
      const saved = await one.post(`${AT}/definitions/${type}`, { name, source });
      if (saved.status !== 201) throw new Error(`${type}/${name} was not saved: ${saved.text}`);
    }
  }, 120_000);
  afterAll(async () => {
    await servers.close();
    await Promise.all([tools.close(), provider.close(), writer.close(), groq.close()]);
    folder.remove();
  });

  const run = (name: Name, of: string, fields: object = {}) =>
    servers.client(name).post(`${AT}/definitions/${of}/run`, fields);
  const runAt = async (name: Name, runId: string) => (await servers.client(name).get(`${AT}/runs/${runId}`)).body;
  const publish = (name: Name, event: object) =>
    servers.client(name).post(`${AT}/events`, { event: { source: '/desk', ...event } });

  test('a request joins the run that is in progress at the other', async () => {
    const run_id = randomUUID();
    const first = run('one', 'reasoning/greet', { run_id });
    await expect.poll(() => provider.asked.length).toBe(1);
    const [lease] = await servers.rows<{ holder: string }>(`SELECT holder FROM @run_leases`);
    expect(await servers.serverOf(lease?.holder ?? '')).toBe('one');
    let isAnswered = false;
    const joined = run('other', 'reasoning/greet', { run_id }).finally(() => (isAnswered = true));
    const refused = await run('other', 'reasoning/greet', { run_id, input: { other: true } });
    expect(refused.status).toBe(409);
    expect(isAnswered).toBe(false);
    provider.release();
    const answers = await Promise.all([first, joined]);
    expect(answers.map(({ body }) => body.output)).toEqual([{ text: 'Hello.' }, { text: 'Hello.' }]);
    expect(answers[1]?.body).toEqual(answers[0]?.body);
    expect(provider.asked).toHaveLength(1);
  });

  test('what a model writes is followed at both, until the run ends', async () => {
    const run_id = randomUUID();
    const running = run('one', 'reasoning/write', { run_id });
    const model = await writer.asked();
    writeEvents(model, chatChunk({ content: 'Hello ' }));
    const follow = (name: Name) => followText(`${servers.client(name).address}${AT}/runs/${run_id}/follow`);
    const following = { one: await follow('one'), other: await follow('other') };
    for (const pieces of Object.values(following)) {
      expect(await pieces.next()).toEqual({ done: false, value: { from: 0, text: 'Hello ' } });
    }
    writeEvents(model, chatChunk({ content: 'you' }));
    for (const pieces of Object.values(following)) {
      expect(await pieces.next()).toEqual({ done: false, value: { from: 6, text: 'you' } });
    }
    const late = await follow('other');
    expect(await late.next()).toEqual({ done: false, value: { from: 0, text: 'Hello you' } });
    answerEvents(model, chatChunk({ content: '.' }), CHAT_END);
    expect((await running).body.output).toEqual({ text: 'Hello you.' });
    for (const pieces of [...Object.values(following), late]) {
      expect(await pieces.next()).toEqual({ done: false, value: { from: 9, text: '.' } });
      expect(await pieces.next()).toMatchObject({ done: true });
    }
    expect(await (await follow('other')).next()).toMatchObject({ done: true });
  });

  test('a cancel at one breaks off the call that the other carries out', async () => {
    const run_id = randomUUID();
    await run('one', 'workflow/act', { run_id });
    await expect.poll(() => tools.asked.length).toBe(1);
    const [task] = await servers.rows<{ holder: string }>(`SELECT claimed_by AS holder FROM @perform_tasks`);
    expect(await servers.serverOf(task?.holder ?? '')).toBe('one');
    expect(tools.leftBy()).toBe(0);
    expect((await servers.client('other').post(`${AT}/runs/${run_id}/cancel`, {})).status).toBe(200);
    await expect.poll(() => runAt('one', run_id)).toMatchObject({ status: 'rejected', reason: 'cancelled' });
    await expect.poll(() => tools.leftBy()).toBe(1);
  });

  test('events at different servers are gathered for one run', async () => {
    await publish('one', { type: 'paid', id: 'p', data: { n: 1 } });
    await publish('other', { type: 'paid', id: 'q', data: { n: 2 } });
    await publish('other', { type: 'packed', id: 'r', data: { n: 3 } });
    const started = async () =>
      (await servers.client('one').get(`${AT}/runs?name=both`)).body.runs as { run_id: string; status: string }[];
    await expect.poll(started).toMatchObject([{ status: 'succeeded' }]);
    await publish('one', { type: 'packed', id: 's', data: { n: 4 } });
    await expect.poll(started).toMatchObject([{ status: 'succeeded' }, { status: 'succeeded' }]);
    const gathered: number[][] = [];
    for (const { run_id: runId } of await started()) {
      const { output } = (await runAt('other', runId)) as { output: { events: { n: number }[] } };
      gathered.push(output.events.map(({ n }) => n));
    }
    // Which of two events of one type comes first is left open; each is in one run.
    expect(gathered.map(([, packed]) => packed)).toEqual([4, 3]);
    expect(new Set(gathered.map(([paid]) => paid))).toEqual(new Set([1, 2]));
  });

  test('a question that one asks is answered at the other, and both return the answer', async () => {
    const { run_id: runId } = (await run('one', 'workflow/asking')).body;
    const inbox = async (name: Name) => (await servers.client(name).get(`${AT}/interactions`)).body.interactions;
    await expect.poll(() => inbox('other')).toHaveLength(1);
    const [request] = await inbox('other');
    const answer = { answer: { n: 21 } };
    const given = await servers.client('other').post(`${AT}/runs/${request.run_id}/answer`, answer);
    expect(given.status).toBe(200);
    await expect.poll(() => runAt('one', runId)).toMatchObject({ status: 'succeeded', output: { n: 21 } });
    expect(await runAt('other', runId)).toEqual(await runAt('one', runId));
    expect(await inbox('one')).toEqual([]);
    const twice = await servers.client('one').post(`${AT}/runs/${request.run_id}/answer`, { answer: { n: 22 } });
    expect(twice.status).toBe(409);
  });

  test('a key that is given at one is used at the other, and so is its removal', async () => {
    const give = (name: Name, key: string | null) =>
      servers.client(name).put(`${ORG}/model-providers/key`, { provider: 'groq', key });
    const ask = () => run('other', 'reasoning/ask-groq');
    expect((await ask()).status).toBe(503);
    expect((await give('one', KEY)).status).toBe(200);
    await expect.poll(async () => (await ask()).body.output).toEqual({ text: 'Hello from there.' });
    expect(shown.at(-1)).toBe(`Bearer ${KEY}`);
    expect((await give('other', null)).status).toBe(200);
    await expect.poll(async () => (await run('one', 'reasoning/ask-groq')).status).toBe(503);
  });

  test('a connection that is added at one serves at the other, and so is its removal', async () => {
    const { document, seen } = await serveApi();
    const one = servers.client('one');
    const { id, connect } = (await one.post(`${ORG}/connections`, api(document, SECRET))).body;
    const token = new URL(connect.url).searchParams.get('token');
    const given = await one.post(`${ORG}/connections/${id}/credential`, { token, value: CANARY });
    expect(given.body.status).toBe('connected');
    const call = async (name: Name) =>
      (await servers.client(name).post(`${AT}/tool-servers/echo/tools/echo/execute`, {})).body.outcome;
    await expect.poll(() => call('other')).toBe('result');
    expect(seen.at(-1)?.headers['x-api-key']).toBe(CANARY);
    expect((await servers.client('other').send('DELETE', `${ORG}/connections/${id}`)).status).toBe(200);
    await expect.poll(() => call('one')).not.toBe('result');
  });

  // The last one: it kills a server.
  test('a view is kept by one of them, until that one is gone', { timeout: 60_000 }, async () => {
    const folded = async () => {
      const [view] = await servers.rows<{ folded: string }>(`SELECT folded FROM @views WHERE name = 'count'`);
      return Number(view?.folded);
    };
    const keepers = async (): Promise<string[]> => {
      const found = await servers.rows<{ process: string }>(
        `SELECT process FROM #writes WHERE place = 'views' AND change = 'UPDATE' GROUP BY process ORDER BY MIN(n)`,
      );
      return found.map(({ process }) => process);
    };
    for (let n = 0; n < 10; n += 1) await publish(n % 2 === 0 ? 'one' : 'other', { type: 'counted' });
    await expect.poll(folded).toBe(10);
    const [keeper, ...more] = await keepers();
    expect(more).toEqual([]);
    const [gone, stays]: [Name, Name] = keeper === 'one' ? ['one', 'other'] : ['other', 'one'];

    await servers.server(gone).end('SIGKILL');
    await servers.leaveLease(gone, -1);
    for (let n = 0; n < 5; n += 1) await publish(stays, { type: 'counted' });
    await expect.poll(folded).toBe(15);
    expect(await keepers()).toEqual([gone, stays]);
    await servers.start(gone);
    for (const name of [gone, stays]) expect((await run(name, 'recall/count')).body.output).toBe(15);
    expect((await servers.findLateWrites()).late).toEqual([]);
  });
});
