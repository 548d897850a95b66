// Work during which the service dies: it is found, ended and not taken up again, and everything else goes on.
import type { ServerResponse } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { answerJson, chatAnswer } from '../domain/models/models.testing.ts';
import {
  createTestClient,
  serveLoopback,
  type ServerProcess,
  startServerProcess,
  temporaryFolder,
  type TestClient,
} from '../test/index.ts';

const AT = '/v1/orgs/local/playbooks/desk';
const HEAD = "document: { dsl: '1.0.3', namespace: desk, name: w, version: '1.0.0' }\n";
const NAMES = ['gets-deadly', 'thinks-deadly', 'gets-harmless'];

/** What is asked for is held until `answer` says otherwise. */
async function serveHeld() {
  const asked: string[] = [];
  let answer: (url: string, response: ServerResponse) => void = () => undefined;
  const server = await serveLoopback((request, response) => {
    const url = request.url ?? '';
    request.resume();
    asked.push(url);
    answer(url, response);
  });
  onTestFinished(() => server.close());
  return {
    address: server.address,
    asked,
    answerWith(how: typeof answer) {
      answer = how;
    },
  };
}

async function saveAll(client: TestClient, address: string): Promise<void> {
  const steps = {
    'gets-deadly': `call: http, with: { method: get, endpoint: '${address}/deadly' }`,
    'thinks-deadly': 'call: reasoning/deadly',
    'gets-harmless': `call: http, with: { method: get, endpoint: '${address}/harmless' }`,
  };
  await client.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
  const reasoning = { name: 'deadly', source: '---\nmodel: local/m\n---\nSay something.\n' };
  expect((await client.post(`${AT}/definitions/reasoning`, reasoning)).status).toBe(201);
  for (const [name, step] of Object.entries(steps)) {
    const source = `${HEAD}do: [ { it: { ${step} } } ]`;
    expect((await client.post(`${AT}/definitions/workflow`, { name, source })).status).toBe(201);
  }
}

// Windows has no signals.
test.skipIf(process.platform === 'win32')(
  'given work that kills the service, then its runs are ended as unworkable after three deaths each, and others succeed',
  async () => {
    const folder = temporaryFolder();
    onTestFinished(folder.remove);
    const api = await serveHeld();
    writeFileSync(
      path.join(folder.path, 'cuebook.yaml'),
      JSON.stringify({ workflow_http: [{ host: new URL(api.address).host }] }),
    );
    const environment = {
      MODEL_GATEWAYS: JSON.stringify([{ name: 'local', base_url: api.address }]),
      LOG_LEVEL: 'fatal',
    };
    let starting = startServerProcess(folder.path, { environment });
    let server: ServerProcess = await starting;
    onTestFinished(() => server.end('SIGKILL').then(() => undefined));
    let client = await createTestClient(server.address);
    await saveAll(client, api.address);
    const runs = new Map<string, string>();
    for (const name of NAMES) {
      const { body } = await client.post(`${AT}/definitions/workflow/${name}/run`, {});
      runs.set(name, body.run_id);
    }
    await expect.poll(() => new Set(api.asked).size, { timeout: 20_000 }).toBe(3);

    let deaths = 0;
    /** Of this start of the service; what is asked of a dead one counts for nothing. */
    let isDead = false;
    const deadlyAsked = new Set<string>();
    let died = Promise.withResolvers<void>();
    const kill = async (): Promise<void> => {
      if (isDead) return;
      isDead = true;
      deaths += 1;
      await (await starting).end('SIGKILL');
      died.resolve();
    };
    const statusOf = async (name: string): Promise<string> =>
      (await client.get(`${AT}/runs/${runs.get(name)}`)).body.status;
    /** Resolves when every run has ended. */
    const allEnded = async (): Promise<'ended'> => {
      server = await starting;
      client = await createTestClient(server.address);
      for (const name of NAMES) await expect.poll(() => statusOf(name), { timeout: 60_000 }).not.toBe('started');
      return 'ended';
    };
    await kill();
    // As long as everything is carried out at once, the harmless one has no answer either, and both others are begun.
    api.answerWith((url, response) => {
      const isTogether = deaths < 2;
      if (url === '/harmless') {
        if (!isTogether) answerJson(response, 200, { done: true });
        return;
      }
      deadlyAsked.add(url);
      if (!isTogether || deadlyAsked.size === 2) void kill();
    });
    for (let isOver = false; !isOver && deaths < 6; ) {
      died = Promise.withResolvers();
      isDead = false;
      deadlyAsked.clear();
      starting = startServerProcess(folder.path, { environment });
      // What is asked of a server that died meanwhile fails.
      const ended = allEnded().catch((error: unknown) => (isDead ? died.promise : Promise.reject(error)));
      isOver = (await Promise.race([ended, died.promise])) === 'ended';
    }

    // Two deaths of both together, and one of each alone.
    expect(deaths).toBe(4);
    const endingOf = async (name: string) => (await client.get(`${AT}/runs/${runs.get(name)}`)).body;
    expect(await endingOf('gets-harmless')).toMatchObject({ status: 'succeeded', output: { done: true } });
    const unworkable = { status: 'rejected', reason: 'conflict', kind: 'unworkable' };
    const gets = await endingOf('gets-deadly');
    expect(gets).toMatchObject({ ...unworkable, detail: expect.stringContaining('killed three times') });
    const { events } = (await client.get(`${AT}/runs/${runs.get('gets-deadly')}/history`)).body;
    const calls = events
      .map(({ type }: { type: string }) => type)
      .filter((type: string) => type.startsWith('tool_call'));
    expect(calls).toEqual([...Array.from({ length: 3 }, () => 'tool_call_started'), 'tool_call_failed']);
    // The run that it called is the one that is unworkable; the workflow did not catch that.
    const thinks = await endingOf('thinks-deadly');
    expect(thinks).toMatchObject({ status: 'failed', detail: expect.stringContaining('killed three times') });
    const called = (await client.get(`${AT}/runs?type=reasoning`)).body.runs;
    expect(called).toMatchObject([unworkable]);

    api.answerWith((_url, response) => answerJson(response, 200, chatAnswer({ content: 'Fine.' })));
    const again = await client.post(`${AT}/definitions/reasoning/deadly/run`, {});
    expect(again).toMatchObject({ status: 200, body: { status: 'succeeded' } });
  },
  180_000,
);
