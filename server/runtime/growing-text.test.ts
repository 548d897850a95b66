// Watching the text that a model writes: over HTTP for anyone who may read the playbook, over MCP for the caller who runs
// the function. Nothing but the output is recorded.
import { describe, expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../../shared/json.ts';
import { type HeldModel, serveHeldModel } from '../domain/models/held-model.testing.ts';
import { answerEvents, chatChunk, CHAT_END, steeredClock, writeEvents } from '../domain/models/models.testing.ts';
import { newClient, oldClient } from '../interfaces/mcp/mcp.testing.ts';
import { followText } from '../test/follow-text.ts';
import { CANARY_KEY, startServer, type TestServer } from '../test/index.ts';

const DESK = '/v1/orgs/local/playbooks/desk';
const RUN_ID = '0192b3a4-5c6d-7e8f-9a0b-1c2d3e4f5a6b';

interface World extends Pick<HeldModel, 'asked'> {
  server: TestServer;
}

async function given(): Promise<World> {
  const provider = await serveHeldModel();
  const gateway = { name: 'local', base_url: provider.address, api_key: CANARY_KEY };
  const server = await startServer({
    clock: steeredClock(),
    environment: { MODEL_GATEWAYS: JSON.stringify([gateway]) },
  });
  onTestFinished(async () => {
    await server.close();
    await provider.close();
  });
  await server.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
  const source = '---\nmodel: local/m\nexpose: true\n---\nSay hello.\n';
  await server.post(`${DESK}/definitions/reasoning`, { name: 'hello', source });
  return { server, asked: provider.asked };
}

const follow = ({ address }: TestServer, signal?: AbortSignal) =>
  followText(`${address}${DESK}/runs/${RUN_ID}/follow`, signal);

const run = ({ server }: World) => server.post(`${DESK}/definitions/reasoning/hello/run`, { run_id: RUN_ID });
const says = (content: string): JsonObject => chatChunk({ content });

describe('given a run whose model writes, when it is followed over HTTP', () => {
  test('every follower gets the text in pieces, without the key, until the run ends', async () => {
    const world = await given();
    const running = run(world);
    const model = await world.asked();
    writeEvents(model, says('Hello '));
    const first = await follow(world.server);
    expect((await first.next()).value).toEqual({ from: 0, text: 'Hello ' });
    writeEvents(model, says(`you, ${CANARY_KEY.slice(0, 5)}`));
    expect((await first.next()).value).toEqual({ from: 6, text: 'you, ' });
    const second = await follow(world.server);
    expect((await second.next()).value).toEqual({ from: 0, text: 'Hello you, ' });
    answerEvents(model, says(`${CANARY_KEY.slice(5)}.`), CHAT_END);
    const text = 'Hello you, [redacted].';
    expect((await running).body).toMatchObject({ status: 'succeeded', output: { text } });
    for (const following of [first, second]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other is as good
      for await (const piece of following) expect(text.slice(piece.from)).toBe(piece.text);
    }
    const history = await world.server.get(`${DESK}/runs/${RUN_ID}/history`);
    expect(history.body.events.map(({ type }: { type: string }) => type)).toEqual(['run_started', 'run_succeeded']);
  });

  test('a retry starts the text over', async () => {
    const world = await given();
    const running = run(world);
    const model = await world.asked();
    writeEvents(model, says('Hel'));
    const following = await follow(world.server);
    expect((await following.next()).value).toEqual({ from: 0, text: 'Hel' });
    model.destroy();
    expect((await following.next()).value).toEqual({ from: 0, text: '' });
    answerEvents(await world.asked(), says('Hello.'), CHAT_END);
    expect((await following.next()).value).toEqual({ from: 0, text: 'Hello.' });
    await running;
    expect(await following.next()).toMatchObject({ done: true });
  });

  test('a run that has ended streams nothing, and an unknown run is not found', async () => {
    const world = await given();
    const unknown = await world.server.get(`${DESK}/runs/${RUN_ID}/follow`);
    expect(unknown).toMatchObject({ status: 404, body: { reason: 'not_found' } });
    const running = run(world);
    answerEvents(await world.asked(), says('Hello.'), CHAT_END);
    await running;
    expect(await (await follow(world.server)).next()).toMatchObject({ done: true });
  });

  test('a follower who disconnects does not affect the run', async () => {
    const world = await given();
    const running = run(world);
    const model = await world.asked();
    writeEvents(model, says('Hel'));
    const leaving = new AbortController();
    const following = await follow(world.server, leaving.signal);
    await following.next();
    leaving.abort();
    await expect(following.next()).rejects.toMatchObject({ name: 'AbortError' });
    answerEvents(model, says('lo.'), CHAT_END);
    expect((await running).body).toMatchObject({ output: { text: 'Hello.' } });
  });
});

describe.each([
  ['2026-07-28', newClient],
  ['2025-11-25', oldClient],
])('given an MCP client of %s that asks for progress', (_revision, connect) => {
  test.each([
    ['run_definition', { playbook: 'desk', type: 'reasoning', name: 'hello' }, '/mcp'],
    ['reasoning_hello', {}, '/orgs/local/playbooks/desk/mcp'],
  ])('progress shows the end of the text while %s runs', async (tool, args, path) => {
    const world = await given();
    const client = await connect(world.server, path);
    const messages: (string | undefined)[] = [];
    const told = Promise.withResolvers<void>();
    const calling = client.call(tool, args, {
      onprogress({ message }) {
        messages.push(message);
        if (message?.includes('you') === true) told.resolve();
      },
    });
    const model = await world.asked();
    writeEvents(model, says(`${'long '.repeat(100)}${'😀'.repeat(150)}\nHello `));
    writeEvents(model, says(`you, ${CANARY_KEY} `));
    await told.promise;
    answerEvents(model, CHAT_END);
    expect(await calling).toMatchObject({ isError: false });
    await client.close();
    for (const message of messages) expect(message?.length).toBeLessThan(300);
    expect(messages.filter((message) => message?.isWellFormed() !== true)).toEqual([]);
    expect(messages.at(-1)).toMatch(/^The model writes: …😀+ Hello you, (?:\[redacted\])?$/u);
    expect(messages.join('')).not.toContain(CANARY_KEY);
  });
});
