// One server with a chat that delivers its requests, for all tests of a file; its time is a fake clock.
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { createFakeClock, type FakeClock } from '../../lib/clock.ts';
import { startServer, storedRows, temporaryFolder, type TestServer } from '../../test/index.ts';
import { type Chat, serveChat } from './chat.testing.ts';

export const AT = '/v1/orgs/local/playbooks/desk';
export const SECOND = 1000;
export const HOUR = 3_600_000;

export const ASK = `input: { type: object, required: [owner], properties: { owner: { type: string }, channel: { type: string } } }
ask:
  to: "{{ input.owner }}"
  message: "May we?"
  answer: { type: object, required: [approved], properties: { approved: { type: boolean } } }
  expires: P3D
  deliver:
    tool: chat/post_message
    arguments: { channel: "\${ .channel // \\"own\\" }", text: "{{ message }} ({{ request.to }})" }
    conversation: "\${ .thread }"
    answerer: "{{ input.owner }}"
    replies:
      tool: chat/read_thread
      arguments: { thread: "\${ $conversation }" }
      every: PT10S
      messages: "\${ .messages | map({id: .ts, author: .user, text: .text, at: .at}) }"
    telling: { tool: chat/post_reply, arguments: { thread: "\${ $conversation }", text: "{{ telling }}" } }
`;

const TELL = `tell: { to: ops, message: Done., deliver: { tool: chat/post_message, arguments: { channel: own, text: "\${ $message }" } } }\n`;
export let chat: Chat;
export let clock: FakeClock;
export let server: TestServer;
const folder = temporaryFolder();
export const dataDir = folder.path;

beforeAll(async () => {
  clock = createFakeClock();
  chat = await serveChat();
  writeFileSync(path.join(dataDir, 'cuebook.yaml'), JSON.stringify({ tool_servers: { chat: chat.entry } }));
  server = await startServer({ clock, dataDir });
  await server.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
  await save('ask-owner', ASK);
  await save('tell-ops', TELL);
});

beforeEach(() => {
  chat.failing = {};
  chat.refuseWith = undefined;
});

afterEach(async () => {
  // Requests that a test left open must not reach the next one.
  for (const { run_id } of (await server.get(`${AT}/interactions`)).body.interactions) {
    await server.post(`${AT}/runs/${run_id}/cancel`, {});
    await ended(run_id);
  }
});

afterAll(async () => {
  await server.close();
  await chat.close();
  folder.remove();
});

export async function save(name: string, source: string): Promise<void> {
  const saved = await server.post(`${AT}/definitions/interaction`, { name, source });
  expect(saved).toMatchObject({ status: 201, body: { warnings: [] } });
}

/** @param whileStopped what happens between the stop and the next start */
export async function restart(whileStopped: () => void | Promise<void> = () => undefined): Promise<void> {
  await server.close();
  await whileStopped();
  server = await startServer({ clock, dataDir });
}

export const start = async (name: string, input: object = {}): Promise<string> => {
  const { body } = await server.post(`${AT}/definitions/interaction/${name}/run`, { input });
  expect(body).toMatchObject({ status: 'started' });
  return body.run_id;
};

export const get = async (id: string) => (await server.get(`${AT}/runs/${id}`)).body;

export const request = async (id: string) =>
  (await server.get(`${AT}/interactions?limit=100`)).body.interactions.find(
    (one: { run_id: string }) => one.run_id === id,
  );

export const events = async (id: string) => (await server.get(`${AT}/runs/${id}/history?limit=100`)).body.events;

export const typesOf = async (id: string): Promise<string[]> =>
  (await events(id)).map(({ type }: { type: string }) => type);

export const eventsOf = async (id: string, type: string) =>
  (await events(id)).filter((event: { type: string }) => event.type === type);

export async function standing(id: string, wanted: string) {
  await expect.poll(async () => (await request(id))?.standing, { timeout: 5000 }).toBe(wanted);
  return request(id);
}

/** Waits until the request is delivered and its thread was read once, so that later messages are newer than the question. */
export async function delivered(id: string) {
  const found = await standing(id, 'delivered');
  await expect.poll(() => dueAt('request-read', id), { timeout: 5000 }).toBeGreaterThan(clock.now());
  return found;
}

export async function ended(id: string) {
  await expect.poll(async () => (await get(id)).status, { timeout: 5000 }).not.toBe('started');
  return get(id);
}

/** When the run's next task of the kind is due; undefined while it is executed, or if there is none. */
export async function dueAt(kind: string, id: string): Promise<number | undefined> {
  const sql = 'SELECT due_at FROM perform_tasks WHERE kind = $1 AND key LIKE $2 AND claimed_by IS NULL ORDER BY due_at';
  const [row] = await storedRows<{ due_at: number | string }>(dataDir, sql, [kind, `${id}%`]);
  return row === undefined ? undefined : Number(row.due_at);
}

/** Advances the clock to the task and waits until it was executed: deadlines do not pass while calls are in progress. */
export async function runNextTask(kind: string, id: string): Promise<void> {
  await expect.poll(() => dueAt(kind, id), { timeout: 5000 }).toBeDefined();
  const due = Number(await dueAt(kind, id));
  clock.advance(due - clock.now());
  const isDone = async (): Promise<boolean> => {
    const next = await dueAt(kind, id);
    return next === undefined ? hasEnded(kind, id) : next > due;
  };
  await expect.poll(isDone, { timeout: 10_000 }).toBe(true);
}

async function hasEnded(kind: string, id: string): Promise<boolean> {
  const { status } = await get(id);
  return status !== 'started' || (kind === 'request-tell' && (await typesOf(id)).includes('telling_succeeded'));
}

export const readOnce = (id: string): Promise<void> => runNextTask('request-read', id);
