// Interactions that call a tool, and what a kill leaves of calls and deliveries.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../shared/json.ts';
import { ENDLESS } from '../../lib/schemas/endless.testing.ts';
import {
  createTestClient,
  startServer,
  startServerProcess,
  temporaryFolder,
  type TestClient,
} from '../../test/index.ts';
import { type Chat, serveChat, toolError } from './chat.testing.ts';

/** The tests of `npm run test:postgres` start processes on SQLite: the killed one would have another store. */
const ON_POSTGRES = process.env['POSTGRES_FOR_TESTS'] !== undefined;

const AT = '/v1/orgs/local/playbooks/desk';
const folder = temporaryFolder();
let chat: Chat;
let server: TestClient & { close(): Promise<void> };

const POST = 'tool: chat/post_reply, arguments: { thread: "${ .thread }", text: "Hello {{ input.name }}" }';
const SOURCES: Record<string, string> = {
  'post-reply': `call: { ${POST} }`,
  'post-listed': `call: { ${POST}, endings: [tool_error, server_failure] }`,
  'post-shaped': `output: { type: object, required: [sum] }\ncall: { ${POST} }`,
  'post-costly': `output: ${JSON.stringify(ENDLESS)}\ncall: { ${POST} }`,
  'read-thread': 'call: { tool: chat/read_thread, arguments: { thread: "${ .thread }" } }',
  'call-denied': 'call: { tool: chat/post_message }',
  'call-unlisted': 'call: { tool: chat/read_nothing }',
  'call-unknown': 'call: { tool: elsewhere/do }',
  'ask-ada': `ask:
  to: ada
  message: May we?
  answer: { type: object, required: [approved], properties: { approved: { type: boolean } } }
  deliver:
    tool: chat/post_reply
    arguments: { thread: asked, text: "\${ $message }" }
    conversation: '\${ "asked" }'
    answerer: ada
    replies:
      tool: chat/read_thread
      arguments: { thread: "\${ $conversation }" }
      messages: "\${ .messages | map({id: .ts, author: .user, text: .text, at: .at}) }"
    telling: { tool: chat/post_reply, arguments: { thread: asked, text: "\${ $telling }" } }
`,
  'tell-ops': 'tell: { to: ops, message: m, deliver: { tool: chat/post_reply, arguments: { thread: told, text: m } } }',
};

beforeAll(async () => {
  chat = await serveChat();
  const entry = { ...chat.entry, allowed: ['post_reply', 'read_*'] };
  writeFileSync(path.join(folder.path, 'cuebook.yaml'), JSON.stringify({ tool_servers: { chat: entry } }));
  server = await startServer({ dataDir: folder.path });
  await server.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
  for (const [name, source] of Object.entries(SOURCES)) await save('interaction', name, source);
  const flow = `document: { dsl: '1.0.3', namespace: desk, name: w, version: '1.0.0' }
do: [ { post: { call: interaction/post-reply, with: { thread: flow, name: Flo } } } ]`;
  await save('workflow', 'post-flow', flow);
});
beforeEach(() => {
  chat.failing = {};
});
afterAll(async () => {
  await server.close();
  await chat.close();
  folder.remove();
});

async function save(type: string, name: string, source: string): Promise<void> {
  expect(await server.post(`${AT}/definitions/${type}`, { name, source })).toMatchObject({ status: 201 });
}

const INPUT = { thread: 't', name: 'Ada' };
const run = (name: string, more: JsonObject = {}, on: TestClient = server) =>
  on.post(`${AT}/definitions/interaction/${name}/run`, { input: INPUT, ...more });
const events = async (id: string, on: TestClient = server) => (await on.get(`${AT}/runs/${id}/history`)).body.events;
const typesOf = async (id: string, on: TestClient = server): Promise<string[]> =>
  (await events(id, on)).map(({ type }: { type: string }) => type);
const get = async (id: string, on: TestClient = server) => (await on.get(`${AT}/runs/${id}`)).body;
const resultOf = (result: JsonObject) => async () => ({ content: [], ...result });
const text = (words: string): JsonObject => ({ content: [{ type: 'text', text: words }] });

describe('the output of a call', () => {
  test.each([
    ['structured content', { structuredContent: { n: 1 }, ...text('words') }, { n: 1 }],
    ['JSON text', text('{"n":2}'), { n: 2 }],
    ['any other text', text('Posted.'), { text: 'Posted.' }],
    ['a text that is long', text('x'.repeat(100_000)), { text: 'x'.repeat(100_000) }],
    ['nothing', {}, { text: '' }],
  ])('is %s', async (_name, result, output) => {
    chat.failing['post_reply'] = resultOf(result);
    const { body } = await run('post-reply');
    expect(body).toMatchObject({ status: 'succeeded', output });
    expect(await typesOf(body.run_id)).toEqual([
      'run_started',
      'tool_call_started',
      'tool_call_answered',
      'run_succeeded',
    ]);
    expect((await events(body.run_id))[1]).toMatchObject({
      data: { attempt: 1, server: 'chat', tool: 'post_reply', arguments: { thread: 't', text: 'Hello Ada' } },
    });
    expect(await get(body.run_id)).toMatchObject({ record: { tool: 'chat/post_reply', outcome: 'result' } });
  });

  test('takes what the record leaves of 1 MiB, to the byte; one byte more is unworkable', async () => {
    const room = 1_048_576 - JSON.stringify({ tool: 'chat/post_reply', outcome: 'result' }).length;
    const fits = { a: 'x'.repeat(room - JSON.stringify({ a: '' }).length) };
    chat.failing['post_reply'] = resultOf({ structuredContent: fits });
    expect((await run('post-reply')).body).toMatchObject({ status: 'succeeded' });
    chat.failing['post_reply'] = resultOf({ structuredContent: { a: `${fits.a}x` } });
    const past = await run('post-reply');
    expect(past).toMatchObject({ status: 409, body: { reason: 'conflict', kind: 'unworkable' } });
    expect(past.body.detail).toContain(`${room + 1} bytes`);
    const again = await run('post-reply', { run_id: past.body.run_id });
    expect(again).toMatchObject({ status: 409, body: { kind: 'tools_called' } });
  });

  test('is an ending where the document lists it', async () => {
    chat.failing['post_reply'] = toolError;
    expect((await run('post-listed')).body).toMatchObject({
      status: 'succeeded',
      output: { ending: 'tool_error', text: 'The chat is full.' },
    });
  });
});

describe('a call that gives no output', () => {
  test.each([
    ['post-reply', 'an error of a tool', toolError, 409, 'effect_unknown', 'tool_error'],
    [
      'post-reply',
      'a result that is too large',
      resultOf(text('x'.repeat(5_000_000))),
      409,
      'effect_unknown',
      'too_large',
    ],
    ['post-shaped', 'a result that does not fit', undefined, 409, 'effect_unknown', 'output_invalid'],
    ['post-costly', 'a result that cannot be checked in time', undefined, 409, 'effect_unknown', 'unworkable'],
    ['read-thread', 'an error of a tool that reads', toolError, 503, 'tools_unfinished', 'tool_error'],
  ])('%s after %s', async (name, _why, failing, status, kind, because) => {
    chat.failing['post_reply'] = failing;
    chat.failing['read_thread'] = failing;
    const first = await run(name);
    expect(first).toMatchObject({ status, body: { kind, because, type: expect.stringMatching(`/${kind}$`) } });
    expect(first.headers.get('retry-after')).toBeNull();
    const again = await run(name, { run_id: first.body.run_id });
    expect(again).toMatchObject({ status: 409, body: { kind: 'tools_called', run_id: first.body.run_id } });
    expect(again.body.because).toBe(kind === 'tools_unfinished' ? 'only_read' : undefined);
  });

  test.each([
    ['call-denied', 'tool_not_offered', 'tool_not_allowed'],
    ['call-unlisted', 'tool_not_offered', 'tool_not_listed'],
    ['call-unknown', 'tool_not_offered', 'tool_server_not_configured'],
  ])('%s was refused before it was sent, and is attempted again', async (name, kind, because) => {
    const first = await run(name);
    expect(first).toMatchObject({ status: 503, body: { kind, because } });
    const id = first.body.run_id;
    expect(await run(name, { run_id: id })).toMatchObject({ status: 503, body: { kind } });
    expect(await typesOf(id)).toEqual(['run_started', 'run_rejected', 'run_started', 'run_rejected']);
  });

  test('because its arguments cannot be worked out calls nothing', async () => {
    const before = chat.calls('post_reply');
    const { body } = await run('post-reply', { input: { thread: 't' } });
    expect(body).toMatchObject({ status: 409, kind: 'unworkable' });
    expect(chat.calls('post_reply')).toBe(before);
  });
});

test('while a call is in progress, its run id is not joined, and a caller that goes away changes nothing', async () => {
  const held = Promise.withResolvers<void>();
  chat.failing['post_reply'] = async () => {
    await held.promise;
    return text('late');
  };
  const before = chat.calls('post_reply');
  const id = crypto.randomUUID();
  const leaving = new AbortController();
  const gone = server
    .send('POST', `${AT}/definitions/interaction/post-reply/run`, {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ input: INPUT, run_id: id }),
      signal: leaving.signal,
    })
    .catch(() => 'gone');
  await expect.poll(() => chat.calls('post_reply'), { timeout: 5000 }).toBe(before + 1);
  expect(await run('post-reply', { run_id: id })).toMatchObject({ status: 409, body: { kind: 'tools_called' } });
  expect((await server.post(`${AT}/runs/${id}/cancel`, {})).status).toBe(409);
  leaving.abort();
  expect(await gone).toBe('gone');
  held.resolve();
  await expect.poll(async () => (await get(id)).output, { timeout: 5000 }).toEqual({ text: 'late' });
  expect(chat.calls('post_reply')).toBe(before + 1);
});

test.skipIf(ON_POSTGRES)(
  'given a server that is killed in the middle, then no call is made twice, and a delivery is made again',
  async () => {
    await server.close();
    const held = Promise.withResolvers<void>();
    chat.failing['post_reply'] = async () => {
      await held.promise;
      return text('late');
    };
    const before = chat.calls('post_reply');
    const readBefore = chat.calls('read_thread');
    const killed = await startServerProcess(folder.path);
    const client = await createTestClient(killed.address);
    const [called, read] = [crypto.randomUUID(), crypto.randomUUID()];
    chat.failing['read_thread'] = chat.failing['post_reply'];
    for (const [name, id] of [
      ['post-reply', called],
      ['read-thread', read],
    ] as const) {
      void run(name, { run_id: id }, client).catch(() => undefined);
    }
    const flow = (await client.post(`${AT}/definitions/workflow/post-flow/run`, {})).body.run_id;
    const runId = (await run('tell-ops', {}, client)).body.run_id;
    const calls = () => [chat.calls('post_reply'), chat.calls('read_thread')];
    await expect.poll(calls, { timeout: 15_000 }).toEqual([before + 3, readBefore + 1]);
    expect(await killed.end('SIGKILL')).toBeNull();
    chat.failing = {};
    held.resolve();

    server = await startServer({ dataDir: folder.path });
    expect(await get(called)).toMatchObject({ status: 'rejected', reason: 'conflict', kind: 'effect_unknown' });
    expect(await get(read)).toMatchObject({ status: 'rejected', reason: 'unavailable', kind: 'tools_unfinished' });
    expect(await typesOf(called)).toEqual(['run_started', 'tool_call_started', 'run_rejected']);
    expect(await run('post-reply', { run_id: called })).toMatchObject({ status: 409, body: { kind: 'tools_called' } });
    await expect.poll(async () => (await get(runId)).output, { timeout: 15_000 }).toEqual({ delivered: true });
    expect(await typesOf(runId)).toEqual([
      'run_started',
      'interaction_requested',
      'run_deferred',
      'delivery_started',
      'delivery_failed',
      'delivery_started',
      'delivery_succeeded',
      'run_succeeded',
    ]);
    await expect.poll(async () => (await get(flow)).status, { timeout: 5000 }).toBe('failed');
    expect(JSON.stringify(await get(flow))).toContain('tools_called');
    // One by the caller, one by the workflow, and two of the delivery.
    expect(chat.calls('post_reply')).toBe(before + 4);
  },
  60_000,
);

test.skipIf(ON_POSTGRES)(
  'given a server that is killed while it delivers and tells for requests that were closed meanwhile, then each try has its end',
  async () => {
    await server.close();
    const before = chat.calls('post_reply');
    const reading = Promise.withResolvers<void>();
    const posting = Promise.withResolvers<void>();
    chat.failing['read_thread'] = async () => {
      await reading.promise;
      const reply = { ts: 'r', user: 'ada', text: 'What?', at: new Date().toISOString() };
      return { content: [], structuredContent: { messages: [reply] } };
    };
    const killed = await startServerProcess(folder.path);
    const client = await createTestClient(killed.address);
    const runId = (await run('ask-ada', {}, client)).body.run_id;
    await expect.poll(() => typesOf(runId, client), { timeout: 10_000 }).toContain('delivery_succeeded');
    chat.failing['post_reply'] = async () => {
      await posting.promise;
      return text('late');
    };
    reading.resolve();
    const asked = (await run('ask-ada', {}, client)).body.run_id;
    await expect.poll(() => chat.calls('post_reply'), { timeout: 10_000 }).toBe(before + 3);
    await client.post(`${AT}/runs/${runId}/answer`, { answer: { approved: true } });
    await client.post(`${AT}/runs/${asked}/cancel`, {});
    await expect.poll(async () => (await get(asked, client)).status, { timeout: 5000 }).toBe('rejected');
    expect(await killed.end('SIGKILL')).toBeNull();
    chat.failing = {};
    posting.resolve();

    server = await startServer({ dataDir: folder.path });
    const lastOf = async (id: string) => (await events(id)).at(-1);
    await expect
      .poll(() => lastOf(asked), { timeout: 5000 })
      .toMatchObject({
        type: 'delivery_failed',
        data: { attempt: 1, because: 'interrupted', gave_up: true },
      });
    await expect
      .poll(() => lastOf(runId), { timeout: 5000 })
      .toMatchObject({
        type: 'telling_failed',
        data: { attempt: 1, because: 'interrupted', gave_up: true },
      });
    expect((await typesOf(runId)).slice(-5)).toEqual([
      'reply_refused',
      'telling_started',
      'request_answered',
      'run_succeeded',
      'telling_failed',
    ]);
    expect(chat.calls('post_reply')).toBe(before + 3);
  },
  60_000,
);
