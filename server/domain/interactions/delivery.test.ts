import { expect, test } from 'vitest';
import type { JsonObject } from '../../../shared/json.ts';
import { openLog } from '../../runtime/open-stores.ts';
import { readSettings } from '../../settings/index.ts';
import { storedRows } from '../../test/index.ts';
import { toolError } from './chat.testing.ts';
import { interactionProjection } from './projection.ts';
import {
  AT,
  SECOND,
  HOUR,
  ASK,
  chat,
  clock,
  server,
  dataDir,
  save,
  restart,
  start,
  get,
  request,
  events,
  typesOf,
  eventsOf,
  standing,
  delivered,
  ended,
  dueAt,
  runNextTask,
  readOnce,
} from './delivery.testing.ts';

test('a question is delivered, a wrong reply is refused with a reason, and a right reply is accepted, across restarts', async () => {
  const id = await start('ask-owner', { owner: 'ada' });
  const { conversation, ...found } = await delivered(id);
  expect(found).toMatchObject({
    delivery: { server: 'chat', tool: 'post_message' },
    attempts: 1,
    answerer: 'ada',
    reply_refusals: 0,
  });
  expect(chat.thread(conversation).map(({ text }) => text)).toEqual(['May we? (ada)']);
  await restart();

  chat.write(conversation, 'eve', 'yes');
  chat.write(conversation, 'ada', 'What is it about?');
  await readOnce(id);
  await expect.poll(() => chat.thread(conversation).at(-1)?.user, { timeout: 5000 }).toBe('cuebook');
  expect(chat.thread(conversation).at(-1)?.text).toContain(
    'was not accepted as an answer. The answer must be yes or no.',
  );
  expect(await request(id)).toMatchObject({ standing: 'delivered', reply_refusals: 1 });
  await expect.poll(async () => (await typesOf(id)).includes('telling_succeeded'), { timeout: 5000 }).toBe(true);
  await restart();

  chat.write(conversation, 'ada', 'Yes');
  await readOnce(id);
  expect(await ended(id)).toMatchObject({ status: 'succeeded', output: { approved: true } });
  expect(await typesOf(id)).toEqual([
    'run_started',
    'interaction_requested',
    'run_deferred',
    'delivery_started',
    'delivery_succeeded',
    'replies_read',
    'reply_refused',
    'telling_started',
    'telling_succeeded',
    'replies_read',
    'request_answered',
    'run_succeeded',
  ]);
  const [fact] = await eventsOf(id, 'request_answered');
  expect(fact).toMatchObject({
    data: { answered_by: 'playbook:desk', answer: { approved: true }, reply: expect.any(String) },
    metadata: { by: 'playbook:desk' },
  });
  expect(JSON.stringify(await events(id))).not.toContain('What is it about');
  const [attempt] = await eventsOf(id, 'delivery_started');
  expect(attempt.data).toMatchObject({
    attempt: 1,
    server: 'chat',
    tool: 'post_message',
    arguments_bytes: expect.any(Number),
    arguments_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
  });
});

test('a question without an answer expires, even if the service was down in the meantime', async () => {
  const id = await start('ask-owner', { owner: 'late' });
  const { conversation } = await delivered(id);
  await restart(() => clock.advance(73 * HOUR));
  expect(await ended(id)).toMatchObject({ status: 'rejected', reason: 'unanswered', kind: 'expired' });
  expect(await request(id)).toBeUndefined();
  chat.write(conversation, 'late', 'yes');
  const again = await server.post(`${AT}/definitions/interaction/ask-owner/run`, {
    run_id: id,
    input: { owner: 'late' },
  });
  expect(again).toMatchObject({ status: 410, body: { kind: 'expired', run_id: id } });
  expect((await server.post(`${AT}/runs/${id}/answer`, { answer: { approved: true } })).status).toBe(409);
});

test('while its machine sleeps a conversation is not read; afterwards it is read at once, and a reply counts', async () => {
  const id = await start('ask-owner', { owner: 'sleeper' });
  const { conversation } = await delivered(id);
  const before = chat.calls('read_thread');
  clock.jump(8 * HOUR);
  await expect.poll(() => chat.calls('read_thread'), { timeout: 5000 }).toBe(before + 1);
  // The next reading is due, and comes once.
  await expect.poll(() => dueAt('request-read', id), { timeout: 5000 }).toBeGreaterThan(clock.now());
  chat.write(conversation, 'sleeper', 'yes');
  await readOnce(id);
  expect(await ended(id)).toMatchObject({ status: 'succeeded', output: { approved: true } });
  expect(chat.calls('read_thread')).toBe(before + 2);
});

test('a question that expired while its machine slept ends without a restart', async () => {
  const id = await start('ask-owner', { owner: 'away' });
  await delivered(id);
  clock.jump(73 * HOUR);
  expect(await ended(id)).toMatchObject({ status: 'rejected', kind: 'expired' });
});

test('a delivery that waits for its next try is tried once after its machine slept', async () => {
  chat.failing['post_message'] = toolError;
  const before = chat.calls('post_message');
  const id = await start('ask-owner', { owner: 'retried' });
  await expect.poll(() => dueAt('request-deliver', id), { timeout: 5000 }).toBeDefined();
  expect(chat.calls('post_message')).toBe(before + 1);
  chat.failing = {};
  clock.jump(8 * HOUR);
  await standing(id, 'delivered');
  expect(chat.calls('post_message')).toBe(before + 2);
});

test('a delivery that fails is tried again after growing waits, and never before the server asked for', async () => {
  chat.failing['post_message'] = toolError;
  const id = await start('ask-owner', { owner: 'ada' });
  expect(await standing(id, 'retrying')).toMatchObject({ attempts: 1 });
  clock.advance(1999);
  expect(await request(id)).toMatchObject({ attempts: 1 });
  clock.advance(1);
  await expect.poll(async () => (await request(id)).attempts, { timeout: 5000 }).toBe(2);
  await standing(id, 'retrying');
  clock.advance(3999);
  expect(chat.calls('post_message')).toBeGreaterThan(0);
  expect(await request(id)).toMatchObject({ attempts: 2, standing: 'retrying' });
  chat.refuseWith = { status: 429, headers: { 'retry-after': '120' } };
  clock.advance(1);
  await expect.poll(async () => (await request(id)).attempts, { timeout: 5000 }).toBe(3);
  await standing(id, 'retrying');
  const failures = await eventsOf(id, 'delivery_failed');
  expect(failures.map(({ data }: { data: object }) => data)).toMatchObject([
    { attempt: 1, because: 'tool_error', detail: 'The chat is full.' },
    { attempt: 2, because: 'tool_error' },
    { attempt: 3, because: 'rate_limited', retry_after_ms: 120_000 },
  ]);
  chat.refuseWith = undefined;
  chat.failing = {};
  clock.advance(119 * SECOND);
  expect(await request(id)).toMatchObject({ attempts: 3, standing: 'retrying' });
  clock.advance(SECOND);
  expect(await delivered(id)).toMatchObject({ attempts: 4 });
});

test('a question that cannot be delivered for a day is undelivered and can be answered in the inbox', async () => {
  chat.refuseWith = { status: 500, headers: {} };
  const id = await start('ask-owner', { owner: 'ada' });
  await standing(id, 'retrying');
  clock.advance(24 * HOUR);
  await standing(id, 'undelivered');
  expect((await eventsOf(id, 'delivery_failed')).at(-1)).toMatchObject({ data: { gave_up: true, because: 'failing' } });
  await server.post(`${AT}/runs/${id}/answer`, { answer: { approved: false } });
  expect(await ended(id)).toMatchObject({ output: { approved: false } });
});

test('a delivery that waits for its next try is dropped when its question is answered or cancelled', async () => {
  chat.failing['post_message'] = toolError;
  const close = { answer: { answer: { approved: true } }, cancel: {} };
  for (const [way, body] of Object.entries(close)) {
    const id = await start('ask-owner', { owner: 'ada' });
    await standing(id, 'retrying');
    expect(await dueAt('request-deliver', id)).toBeGreaterThan(clock.now());
    await server.post(`${AT}/runs/${id}/${way}`, body);
    await ended(id);
    expect(await dueAt('request-deliver', id)).toBeUndefined();
  }
});

test('a notification is delivered, or ends unanswered as undelivered after a day', async () => {
  const notice = await start('tell-ops');
  expect(await ended(notice)).toMatchObject({
    status: 'succeeded',
    output: { delivered: true },
    record: { to: 'ops', message: 'Done.', takes_answer: false },
  });
  chat.failing['post_message'] = toolError;
  const failing = await start('tell-ops');
  expect(await standing(failing, 'retrying')).toMatchObject({ takes_answer: false, answer_schema: null });
  expect((await server.post(`${AT}/runs/${failing}/answer`, { answer: 1 })).status).toBe(409);
  clock.advance(24 * HOUR);
  expect(await ended(failing)).toMatchObject({ status: 'rejected', reason: 'unanswered', kind: 'undelivered' });
});

test('a delivery whose answer names no conversation is not made again', async () => {
  chat.failing['post_message'] = async () => ({ content: [], structuredContent: { somewhere: 1 } });
  const before = chat.calls('post_message');
  const id = await start('ask-owner', { owner: 'ada' });
  await standing(id, 'undelivered');
  expect(await eventsOf(id, 'delivery_refused')).toMatchObject([{ data: { because: 'unworkable' } }]);
  clock.advance(HOUR);
  expect(chat.calls('post_message')).toBe(before + 1);
});

test('a delivery whose answer is too large is not made again', async () => {
  chat.failing['post_message'] = async () => ({ content: [{ type: 'text', text: 'x'.repeat(5_000_000) }] });
  const id = await start('ask-owner', { owner: 'ada' });
  await standing(id, 'undelivered');
  expect(await eventsOf(id, 'delivery_failed')).toMatchObject([{ data: { because: 'too_large', gave_up: true } }]);
});

test('in a conversation that others share, older replies and those that answered others do not count', async () => {
  const past = new Date(clock.now() - HOUR).toISOString();
  chat.write('shared', 'ada', 'yes', past);
  const first = await start('ask-owner', { owner: 'ada', channel: 'shared' });
  await delivered(first);
  await readOnce(first);
  expect(await request(first)).toMatchObject({ standing: 'delivered', reply_refusals: 0 });
  chat.write('shared', 'ada', 'no', new Date(clock.now() + 1000).toISOString());
  await readOnce(first);
  expect(await ended(first)).toMatchObject({ output: { approved: false } });
  const second = await start('ask-owner', { owner: 'ada', channel: 'shared' });
  await delivered(second);
  chat.write('shared', 'ada', 'yes');
  await readOnce(second);
  expect(await ended(second)).toMatchObject({ output: { approved: true } });
  const third = await start('ask-owner', { owner: 'ada', channel: 'shared' });
  await delivered(third);
  await readOnce(third);
  expect(await request(third)).toMatchObject({ standing: 'delivered', reply_refusals: 0 });
});

test('of two questions read at the same time in one conversation, one takes the reply and the other waits for the next', async () => {
  const ids = [await start('ask-owner', { owner: 'eli', channel: 'shared' })];
  ids.push(await start('ask-owner', { owner: 'eli', channel: 'shared' }));
  for (const id of ids) await delivered(id);
  const bothRead = Promise.withResolvers<void>();
  let readings = 0;
  chat.failing['read_thread'] = async () => {
    readings += 1;
    if (readings === 2) bothRead.resolve();
    await bothRead.promise;
    return { content: [], structuredContent: { messages: chat.thread('shared') as unknown as JsonObject[] } };
  };
  chat.write('shared', 'eli', 'yes');
  const due = await Promise.all(ids.map(async (id) => Number(await dueAt('request-read', id))));
  clock.advance(Math.max(...due) - clock.now());
  const open = async (): Promise<string[]> => {
    const states = await Promise.all(ids.map(get));
    return states.filter(({ status }) => status === 'started').map(({ run_id }) => run_id);
  };
  await expect.poll(async () => (await open()).length, { timeout: 5000 }).toBe(1);
  const [remaining = ''] = await open();
  await expect.poll(() => dueAt('request-read', remaining), { timeout: 5000 }).toBeGreaterThan(clock.now());
  chat.failing = {};
  chat.write('shared', 'eli', 'no');
  await readOnce(remaining);
  expect(await ended(remaining)).toMatchObject({ output: { approved: false } });
  const takers = await Promise.all(ids.map((id) => eventsOf(id, 'request_answered')));
  expect(new Set(takers.map(([{ data }]) => data.reply)).size).toBe(2);
});

test('of messages without a time, those that stand in the conversation before the question answer nothing, over a restart', async () => {
  chat.write('shared', 'bob', 'yes');
  chat.failing['read_thread'] = toolError;
  const id = await start('ask-owner', { owner: 'bob', channel: 'shared' });
  await expect.poll(async () => typesOf(id), { timeout: 5000 }).toContain('reading_failed');
  chat.failing = {};
  await readOnce(id);
  expect((await eventsOf(id, 'replies_read')).map(({ data }: { data: object }) => data)).toMatchObject([
    { replies: 0, passed_over: 1 },
  ]);
  await restart();
  await readOnce(id);
  expect(await request(id)).toMatchObject({ standing: 'delivered', reply_refusals: 0 });
  chat.write('shared', 'bob', 'no');
  await readOnce(id);
  expect(await ended(id)).toMatchObject({ output: { approved: false } });
});

test('of many wrong replies each is refused once, and three get a reason', async () => {
  const id = await start('ask-owner', { owner: 'ada' });
  const { conversation } = await delivered(id);
  for (const text of ['a', 'b', 'c', 'd', 'e']) chat.write(conversation, 'ada', text);
  await readOnce(id);
  await expect.poll(async () => (await eventsOf(id, 'telling_succeeded')).length, { timeout: 5000 }).toBe(3);
  await readOnce(id);
  await readOnce(id);
  expect(await request(id)).toMatchObject({ reply_refusals: 5 });
  expect((await eventsOf(id, 'reply_refused')).length).toBe(5);
  expect((await eventsOf(id, 'replies_read')).map(({ data }: { data: { replies: number } }) => data.replies)).toEqual([
    5,
  ]);
  expect(chat.thread(conversation).filter(({ user }) => user === 'cuebook')).toHaveLength(4);
});

test('a reading and a telling that fail are recorded and tried again', async () => {
  const id = await start('ask-owner', { owner: 'ada' });
  const { conversation } = await delivered(id);
  chat.failing['read_thread'] = async () => ({ content: [], structuredContent: { messages: [{ text: 'nobody' }] } });
  await readOnce(id);
  await expect.poll(async () => (await eventsOf(id, 'reading_failed')).length, { timeout: 5000 }).toBe(1);
  expect(await eventsOf(id, 'reading_failed')).toMatchObject([
    { data: { because: 'unworkable', tool: 'read_thread' } },
  ]);
  chat.failing = { post_reply: toolError };
  chat.write(conversation, 'ada', 'maybe');
  await readOnce(id);
  await expect.poll(async () => (await eventsOf(id, 'telling_failed')).length, { timeout: 5000 }).toBe(1);
  chat.failing = {};
  await runNextTask('request-tell', id);
  expect(await eventsOf(id, 'telling_succeeded')).toMatchObject([{ data: { attempt: 2, about: 'reply_refused_1' } }]);
});

test('a question ends as unworkable when the server died three times while it read the conversation', async () => {
  const id = await start('ask-owner', { owner: 'ada' });
  await delivered(id);
  let reads = 0;
  await restart(async () => {
    await storedRows(dataDir, `UPDATE perform_tasks SET deaths = 3 WHERE kind = 'request-read'`);
    reads = chat.calls('read_thread');
  });
  clock.advance(Number(await dueAt('request-read', id)) - clock.now());
  expect(await ended(id)).toMatchObject({ status: 'rejected', reason: 'conflict', kind: 'unworkable' });
  expect(chat.calls('read_thread')).toBe(reads);
});

test('a question that is cancelled during its delivery ends as cancelled, and the delivery is still recorded', async () => {
  const held = Promise.withResolvers<void>();
  chat.failing['post_message'] = async () => {
    await held.promise;
    return { content: [], structuredContent: { thread: 'x' } };
  };
  const id = await start('ask-owner', { owner: 'ada' });
  await standing(id, 'delivering');
  await server.post(`${AT}/runs/${id}/cancel`, {});
  expect(await ended(id)).toMatchObject({ reason: 'cancelled', kind: 'requested' });
  held.resolve();
  await expect.poll(async () => (await typesOf(id)).at(-1), { timeout: 5000 }).toBe('delivery_succeeded');
});

test('the read tables of requests are what a rebuild from the log gives', async () => {
  const id = await start('ask-owner', { owner: 'ada' });
  const { conversation } = await delivered(id);
  chat.write(conversation, 'ada', 'hm');
  await readOnce(id);
  await expect.poll(async () => (await eventsOf(id, 'telling_succeeded')).length, { timeout: 5000 }).toBe(1);
  await restart(async () => {
    const log = openLog(readSettings({ DATA_DIR: dataDir }), clock, (sentence) => expect.fail(sentence));
    const tables = ['runs', ...interactionProjection.tables];
    const dump = () =>
      log.read((tx) => Promise.all(tables.map((table) => tx.all(`SELECT * FROM ${table} ORDER BY 1, 2, 3`))));
    const before = await dump();
    expect(before.map((rows) => rows.length > 0)).toEqual(tables.map(() => true));
    await log.rebuild();
    expect(await dump()).toEqual(before);
    await log.close();
  });
});

test('of more open requests than there may be, none is put', async () => {
  const setOpen = (open: number): Promise<unknown> =>
    storedRows(dataDir, 'UPDATE request_counts SET open = $1', [open]);
  await setOpen(9999);
  const last = await start('ask-owner', { owner: 'ada' });
  const refused = await server.post(`${AT}/definitions/interaction/ask-owner/run`, { input: { owner: 'ada' } });
  expect(refused).toMatchObject({ status: 503, body: { reason: 'unavailable', kind: 'requests_full' } });
  expect(await typesOf(refused.body.run_id)).toEqual(['run_started', 'run_rejected']);
  await server.post(`${AT}/runs/${last}/answer`, { answer: { approved: true } });
  const again = { input: { owner: 'ada' }, run_id: refused.body.run_id };
  const next = await server.post(`${AT}/definitions/interaction/ask-owner/run`, again);
  expect(next.body).toMatchObject({ status: 'started', attempt: 2 });
  await server.post(`${AT}/runs/${next.body.run_id}/answer`, { answer: { approved: true } });
  await setOpen(0);
});

test('the events of a tool of a connection name the connection, and the open request does not', async () => {
  const ORG = '/v1/orgs/local';
  const connection = { name: 'people', kind: 'mcp', entry: { url: chat.entry['url'] }, credential: { kind: 'none' } };
  const { id: connectionId, connect } = (await server.post(`${ORG}/connections`, connection)).body;
  const token = new URL(connect.url).searchParams.get('token');
  await server.post(`${ORG}/connections/${connectionId}/approve`, { token });
  await save('ask-over-connection', ASK.replaceAll('chat/', 'people/'));
  const id = await start('ask-over-connection', { owner: 'cleo' });
  const { delivery, conversation } = await delivered(id);
  expect(delivery).toEqual({ server: 'people', tool: 'post_message' });
  chat.write(conversation, 'cleo', 'no idea', new Date(clock.now()).toISOString());
  await readOnce(id);
  await expect.poll(() => typesOf(id), { timeout: 5000 }).toContain('telling_succeeded');
  await server.send('DELETE', `${ORG}/connections/${connectionId}`);
  await readOnce(id);
  const named = { server: 'people', connection_id: connectionId };
  expect((await eventsOf(id, 'interaction_requested'))[0].data.delivery).toEqual({ ...named, tool: 'post_message' });
  for (const type of ['delivery_started', 'replies_read', 'telling_started']) {
    expect((await eventsOf(id, type))[0].data).toMatchObject(named);
  }
  expect((await eventsOf(id, 'reading_failed'))[0].data).not.toHaveProperty('connection_id');
});
