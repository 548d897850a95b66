// Reasoning functions as a caller meets them: a server, a model provider on the loopback, and a real stdio MCP server.
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { JsonObject } from '../shared/json.ts';
import { createTestClient } from './test/client.ts';
import { answerJson, bodyOf, chatAnswer, steeredClock } from './domain/models/models.testing.ts';
import {
  type Answer,
  CANARY_KEY,
  CANARY_PROMPT,
  CANARY_TEMPLATE,
  serveLoopback,
  startServer,
  startServerProcess,
  temporaryFolder,
} from './test/index.ts';
import { programOf } from './domain/tools/tools.testing.ts';

type Turn = JsonObject | 'silence';

interface Provider {
  address: string;
  bodies: JsonObject[];
  /** Settles when so many requests have come. */
  asked(times: number): Promise<void>;
  /** Settles when somebody who was not answered has gone. */
  gone: Promise<void>;
}

/** Answers with one turn after the other; the last one again and again. */
async function serveTurns(turns: readonly Turn[]): Promise<Provider> {
  const bodies: JsonObject[] = [];
  const waiting: { times: number; resolve: () => void }[] = [];
  const gone = Promise.withResolvers<void>();
  const server = await serveLoopback((request, response) => {
    void (async () => {
      const body = await bodyOf(request);
      const turn = turns[Math.min(bodies.push(body), turns.length) - 1];
      if (turn === 'silence') response.on('close', gone.resolve);
      else answerJson(response, 200, turn);
      for (const { times, resolve } of waiting) if (bodies.length >= times) resolve();
    })();
  });
  onTestFinished(() => server.close());
  return {
    address: server.address,
    bodies,
    gone: gone.promise,
    asked: (times) =>
      bodies.length >= times
        ? Promise.resolve()
        : new Promise((resolve) => void waiting.push({ times, resolve: () => resolve() })),
  };
}

const callsTool = (name: string, args: JsonObject): JsonObject =>
  chatAnswer(
    {
      content: null,
      tool_calls: [{ id: 'call-1', type: 'function', function: { name, arguments: JSON.stringify(args) } }],
    },
    { finish_reason: 'tool_calls' },
  );

interface World {
  address: string;
  provider: Provider;
  get: (path: string) => Promise<Answer>;
  post: (path: string, body: unknown) => Promise<Answer>;
  save: (type: string, name: string, source: string) => Promise<void>;
  run: (name: string, input: JsonObject, runId?: string) => Promise<Answer>;
  record: (runId: string) => Promise<JsonObject>;
  history: (runId: string) => Promise<string[]>;
}

const AT = '/v1/orgs/local/playbooks/desk';

/** A folder that the tool server `files` serves, and settings for it and the provider. */
function settingsFor(provider: Provider, folder: string): Record<string, string> {
  const config = path.join(folder, 'config.yaml');
  writeFileSync(
    config,
    JSON.stringify({
      tool_servers: { files: programOf('server-filesystem', folder) },
      model_gateways: [
        { name: 'local', base_url: provider.address, api_key: '${GATEWAY_KEY}', structured_outputs: true },
      ],
    }),
  );
  return { CONFIG_FILE: config, GATEWAY_KEY: CANARY_KEY };
}

function givenFolder(): string {
  const folder = temporaryFolder();
  onTestFinished(() => folder.remove());
  return folder.path;
}

async function givenServer(turns: readonly Turn[], folder = givenFolder()): Promise<World> {
  const provider = await serveTurns(turns);
  const server = await startServer({ environment: settingsFor(provider, folder) });
  onTestFinished(() => server.close());
  await server.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
  return {
    address: server.address,
    provider,
    get: (at) => server.get(at),
    post: (at, body) => server.post(at, body),
    save: async (type, name, source) => {
      const saved = await server.post(`${AT}/definitions/${type}`, { name, source });
      if (saved.status !== 201) throw new Error(`It was not saved: ${saved.text}`);
    },
    run: (name, input, runId) =>
      server.post(`${AT}/definitions/reasoning/${name}/run`, {
        input,
        ...(runId === undefined ? {} : { run_id: runId }),
      }),
    record: async (runId) => (await server.get(`${AT}/runs/${runId}`)).body.record,
    history: async (runId) =>
      (await server.get(`${AT}/runs/${runId}/history`)).body.events.map(({ type }: { type: string }) => type),
  };
}

const fn = (front: string, body = `Do it for {{ input.who | default: "all" }}. ${CANARY_TEMPLATE}`): string =>
  `---\nmodel: local/m\n${front}\n---\n${body}\n`;
const TEAM = 'output: { type: object, required: [team], properties: { team: { type: string } } }';

describe('given a gateway that echoes its key in an answer', () => {
  test('the key is in no output, record or event, and no tool gets it', async () => {
    const echo = { ...chatAnswer({ content: `{"team":"of ${CANARY_KEY}"}` }), model: `m-${CANARY_KEY}` };
    const read = callsTool('files__read_text_file', { path: `/${CANARY_KEY}` });
    const { save, run, get } = await givenServer([read, echo]);
    await save('reasoning', 'say-it', fn(`${TEAM}\ntools: [files/read_text_file]`));
    const { body } = await run('say-it', {});
    expect(body).toMatchObject({ status: 'succeeded', output: { team: 'of [redacted]' } });
    const shown = await get(`${AT}/runs/${body.run_id}`);
    const history = await get(`${AT}/runs/${body.run_id}/history`);
    expect(shown.body.record.model.reported).toBe('m-[redacted]');
    expect(history.text).toContain('/[redacted]');
    expect(`${shown.text} ${history.text}`).not.toContain(CANARY_KEY);
  });
});

describe('given a model that answers', () => {
  test('a text is the output, and the record says what the call did', async () => {
    const { save, run, record, provider, get } = await givenServer([chatAnswer({ content: 'Done.' })]);
    const config =
      'config: { temperature: 0.5, top_p: 0.9, seed: 7, stop: [END], max_output_tokens: 99, reasoning_effort: low }';
    await save('reasoning', 'say-it', fn(`instructions: "  Be {{ input.tone }}. "\n${config}`));
    const { body } = await run('say-it', { tone: 'brief', who: 'Ada' });
    expect(body).toMatchObject({ status: 'succeeded', output: { text: 'Done.' } });
    expect(provider.bodies[0]).toMatchObject({
      model: 'm',
      max_tokens: 99,
      temperature: 0.5,
      top_p: 0.9,
      seed: 7,
      stop: ['END'],
      reasoning_effort: 'low',
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: `Do it for Ada. ${CANARY_PROMPT}` },
      ],
    });
    const tokens = { input: 10, output: 5, cached: 4 };
    expect(await record(body.run_id)).toEqual({
      model: { requested: 'local/m', resolved: 'local/m', reported: 'reported-model' },
      finish_reason: 'stop',
      tokens,
      steps: [{ finish_reason: 'stop', tokens, duration_ms: expect.any(Number) }],
      duration_ms: expect.any(Number),
    });
    expect((await get(`${AT}/analytics`)).body.tokens).toEqual(tokens);
  });

  test('a shape markdown takes the text, a cut text succeeds, JSON is asked for by its schema', async () => {
    const cut = await givenServer([chatAnswer({ content: '# Hal' }, { finish_reason: 'length' })]);
    await cut.save('reasoning', 'say-it', fn('output: { shape: markdown }'));
    const { body } = await cut.run('say-it', {});
    expect(body).toMatchObject({ status: 'succeeded', output: { markdown: '# Hal' }, output_shape: 'markdown' });
    expect(await cut.record(body.run_id)).toMatchObject({ finish_reason: 'length' });

    const json = await givenServer([chatAnswer({ content: ' {"team": "a"}\n' })]);
    await json.save('reasoning', 'pick', fn(TEAM));
    expect((await json.run('pick', {})).body.output).toEqual({ team: 'a' });
    expect(json.provider.bodies[0]?.['response_format']).toMatchObject({
      type: 'json_schema',
      json_schema: { strict: false, schema: { required: ['team'] } },
    });
  });

  test.each([
    ['{{ input.missing }}', 'The prompt cannot be rendered. Line 1'],
    ['{% if input.no %}x{% endif %}', 'The prompt is empty'],
  ])('a prompt that cannot be rendered is unworkable, and nobody is asked: %s', async (prompt, words) => {
    const { save, run, provider } = await givenServer([chatAnswer({ content: 'Never.' })]);
    await save('reasoning', 'say-it', fn('', prompt));
    const { status, body } = await run('say-it', {});
    expect({ status, kind: body.kind }).toEqual({ status: 409, kind: 'unworkable' });
    expect(body.detail).toContain(words);
    expect(provider.bodies).toEqual([]);
  });

  test('a caller who goes away interrupts the run, and the provider is let go', async () => {
    const { save, provider, address, get } = await givenServer(['silence']);
    await save('reasoning', 'say-it', fn(''));
    const leaving = new AbortController();
    const request = fetch(`${address}${AT}/definitions/reasoning/say-it/run`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '{}',
      signal: leaving.signal,
    }).catch(() => undefined);
    await provider.asked(1);
    leaving.abort();
    await Promise.all([request, provider.gone]);
    const status = async () => (await get(`${AT}/runs`)).body.runs[0].status;
    await expect.poll(status, { timeout: 5000 }).toBe('failed');
    const { body } = await get(`${AT}/runs/${(await get(`${AT}/runs`)).body.runs[0].run_id}`);
    expect(body.detail).toBe('interrupted');
    expect(provider.bodies).toHaveLength(1);
  });

  test('a caller who goes away leaves the run to another who asked for the same', async () => {
    const answering = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const provider = await serveLoopback((_request, response) => {
      asked.resolve();
      void answering.promise.then(() => answerJson(response, 200, chatAnswer({ content: 'Done.' })));
    });
    onTestFinished(() => provider.close());
    const server = await startServer({
      environment: { MODEL_GATEWAYS: JSON.stringify([{ name: 'local', base_url: provider.address }]) },
    });
    onTestFinished(() => server.close());
    await server.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
    await server.post(`${AT}/definitions/reasoning`, { name: 'say-it', source: fn('') });
    const leaving = new AbortController();
    const given = { input: {}, run_id: crypto.randomUUID() };
    const first = fetch(`${server.address}${AT}/definitions/reasoning/say-it/run`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(given),
      signal: leaving.signal,
    }).catch(() => undefined);
    await asked.promise;
    const second = server.post(`${AT}/definitions/reasoning/say-it/run`, given);
    // Whatever was sent before these was taken when they are answered: it waits for its turn to write as they do.
    for (const id of ['a', 'b', 'c']) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other, to take turns
      await server.post(`${AT}/events`, { event: { source: '/test', type: 'turn', id } });
    }
    leaving.abort();
    await first;
    answering.resolve();
    expect((await second).body).toMatchObject({ status: 'succeeded', attempt: 1, output: { text: 'Done.' } });
  });

  test('two more attempts follow a failure, after two seconds and after four', async () => {
    let asked = 0;
    const provider = await serveLoopback((_request, response) => {
      asked += 1;
      answerJson(response, 503, {});
    });
    onTestFinished(() => provider.close());
    const clock = steeredClock();
    const server = await startServer({
      clock,
      environment: {
        MODEL_GATEWAYS: JSON.stringify([{ name: 'local', base_url: provider.address, api_key: CANARY_KEY }]),
      },
    });
    onTestFinished(() => server.close());
    await server.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
    await server.post(`${AT}/definitions/reasoning`, { name: 'say-it', source: fn('') });
    expect((await server.post(`${AT}/definitions/reasoning/say-it/run`, {})).status).toBe(503);
    expect({ asked, waits: clock.waits }).toEqual({ asked: 3, waits: [2000, 4000] });
  });
});

const WORKFLOW = `
document: { dsl: 1.0.3, namespace: test, name: sort, version: 1.0.0 }
do:
  - sort:
      call: reasoning/sort
      with: { who: Ada }
`;

describe('given tools of a real stdio MCP server', () => {
  test('the model calls them within a workflow, each call recorded before it is sent', async () => {
    const folder = givenFolder();
    const [file, out] = [path.join(folder, 'note.txt'), path.join(folder, 'out.txt')];
    writeFileSync(file, 'The team is blue.');
    const { provider, save, history, get, post } = await givenServer(
      [
        callsTool('files__read_text_file', { path: file }),
        callsTool('files__read_text_file', { path: '/etc/hostname' }),
        callsTool('files__no_such_tool', {}),
        callsTool('files__write_file', { path: out, content: 'blue' }),
        chatAnswer({ content: '{"team":"blue"}' }),
      ],
      folder,
    );
    await save('reasoning', 'sort', fn(`tools: [files/read_text_file, files/write_file]\n${TEAM}`));
    await save('workflow', 'sort', WORKFLOW);
    const { body } = await post(`${AT}/definitions/workflow/sort/run`, {});
    await expect
      .poll(async () => (await get(`${AT}/runs/${body.run_id}`)).body.status, { timeout: 20_000 })
      .toBe('succeeded');
    expect((await get(`${AT}/runs/${body.run_id}`)).body.output).toEqual({ team: 'blue' });
    expect(readFileSync(out, 'utf8')).toBe('blue');

    const [run] = (await get(`${AT}/runs?type=reasoning`)).body.runs;
    const call = ['tool_call_started', 'tool_call_answered'];
    expect(await history(run.run_id)).toEqual(['run_started', ...call, ...call, ...call, 'run_succeeded']);
    const tools = ((provider.bodies[0]?.['tools'] ?? []) as JsonObject[]).map(
      ({ function: of }) => (of as JsonObject)['name'],
    );
    expect(tools).toEqual(['files__read_text_file', 'files__write_file']);
    const results = ((provider.bodies[4]?.['messages'] ?? []) as JsonObject[]).filter(({ role }) => role === 'tool');
    expect(results.map(({ content }) => content)).toEqual([
      'The team is blue.',
      expect.stringContaining('Access denied'),
      expect.stringContaining('There is no tool files__no_such_tool'),
      expect.stringContaining('Successfully wrote'),
    ]);
    const record = (await get(`${AT}/runs/${run.run_id}`)).body.record;
    expect(record.tokens).toEqual({ input: 50, output: 25, cached: 20 });
    expect(record.steps.map(({ tool_calls: calls }: { tool_calls?: unknown }) => calls)).toEqual([
      [{ server: 'files', tool: 'read_text_file', outcome: 'result', read_only: true }],
      [{ server: 'files', tool: 'read_text_file', outcome: 'tool_error', read_only: true }],
      undefined,
      [{ server: 'files', tool: 'write_file', outcome: 'result' }],
      undefined,
    ]);
  });

  test.each([
    ['read_text_file', 503, 'tools_unfinished', 'only_read'],
    ['write_file', 409, 'effect_unknown', undefined],
  ])(
    'after a call of %s, a failure of the model ends the run as its effect is known',
    async (tool, status, kind, because) => {
      const folder = givenFolder();
      const file = path.join(folder, 'note.txt');
      writeFileSync(file, 'Read me.');
      const { save, run } = await givenServer(
        [callsTool(`files__${tool}`, { path: file, content: 'x' }), chatAnswer({ content: 'no JSON' })],
        folder,
      );
      await save('reasoning', 'sort', fn(`tools: [files/*]\n${TEAM}`));
      const runId = crypto.randomUUID();
      const ended = await run('sort', {}, runId);
      expect(ended.status).toBe(status);
      expect(ended.body).toMatchObject({ kind, because: 'output_invalid', run_id: runId });
      expect(ended.body.detail).toContain('The answer of the model is not JSON');
      expect(ended.headers.get('retry-after')).toBeNull();
      const again = await run('sort', {}, runId);
      expect(again.status).toBe(409);
      expect(again.body).toMatchObject({ kind: 'tools_called' });
      expect(again.body.because).toBe(because);
    },
  );

  test('an answer that leaves no room for the record is unworkable, also after a call of a tool', async () => {
    const folder = givenFolder();
    const file = path.join(folder, 'note.txt');
    writeFileSync(file, 'Read me.');
    const { save, run } = await givenServer(
      [callsTool('files__read_text_file', { path: file }), chatAnswer({ content: 'x'.repeat(1_048_576) })],
      folder,
    );
    await save('reasoning', 'long', fn('tools: [files/*]'));
    const ended = await run('long', {});
    expect(ended).toMatchObject({ status: 409, body: { reason: 'conflict', kind: 'unworkable' } });
    expect(ended.body.detail).toContain('room for');
    expect((await run('long', {}, ended.body.run_id)).body).toMatchObject({
      kind: 'tools_called',
      because: 'only_read',
    });
  });

  test('used up turns end the run: unworkable before a call, and else as the calls were', async () => {
    const folder = givenFolder();
    const file = path.join(folder, 'note.txt');
    writeFileSync(file, 'Read me.');
    const { save, run, provider } = await givenServer([callsTool('files__read_text_file', { path: file })], folder);
    await save('reasoning', 'once', fn('tools: [files/*]\nconfig: { max_steps: 1 }'));
    await save('reasoning', 'thrice', fn('tools: [files/*]\nconfig: { max_steps: 3 }'));
    expect((await run('once', {})).body).toMatchObject({
      kind: 'unworkable',
      detail: expect.stringContaining('max_steps'),
    });
    expect((await run('thrice', {})).body).toMatchObject({ kind: 'tools_unfinished', because: 'max_steps' });
    expect(provider.bodies).toHaveLength(4);
  });

  test('a tool that the playbook may not use is a warning when saved, and refused before the model is asked', async () => {
    const { post, run, provider } = await givenServer([chatAnswer({ content: 'Never.' })]);
    const source = fn('tools: [files/no_such_tool, nobody/tool]');
    const saved = await post(`${AT}/definitions/reasoning`, { name: 'sort', source });
    expect(saved.body.warnings).toMatchObject([{ pointer: '/source/tools/1', line: 3 }]);
    const runId = crypto.randomUUID();
    for (let attempt = 1; attempt <= 2; attempt += 1) {
      // oxlint-disable-next-line no-await-in-loop -- the second attempt follows the first
      expect((await run('sort', {}, runId)).body).toMatchObject({ reason: 'unavailable', kind: 'tool_not_offered' });
    }
    expect(provider.bodies).toEqual([]);
  });
});

test('given a server that is killed after a call of a tool, then its run and the workflow end without a second call', async () => {
  const folder = givenFolder();
  const out = path.join(folder, 'out.txt');
  const provider = await serveTurns([callsTool('files__write_file', { path: out, content: 'once' }), 'silence']);
  const dataDir = givenFolder();
  const environment = { ...settingsFor(provider, folder), LOG_LEVEL: 'debug' };
  const first = await startServerProcess(dataDir, { environment });
  const client = await createTestClient(first.address);
  await client.post('/v1/orgs/local/playbooks', { playbook: 'desk', name: 'Desk' });
  await client.post(`${AT}/definitions/reasoning`, { name: 'sort', source: fn('tools: [files/write_file]') });
  await client.post(`${AT}/definitions/workflow`, { name: 'sort', source: WORKFLOW });
  const { body } = await client.post(`${AT}/definitions/workflow/sort/run`, {});
  await provider.asked(2);
  await first.end('SIGKILL');
  expect(readFileSync(out, 'utf8')).toBe('once');
  writeFileSync(out, 'kept');

  const second = await startServerProcess(dataDir, { environment });
  onTestFinished(async () => void (await second.end('SIGTERM')));
  const after = await createTestClient(second.address);
  await expect
    .poll(async () => (await after.get(`${AT}/runs/${body.run_id}`)).body.status, { timeout: 30_000 })
    .toBe('failed');
  const [run] = (await after.get(`${AT}/runs?type=reasoning`)).body.runs;
  expect(run).toMatchObject({ status: 'rejected', reason: 'conflict', kind: 'effect_unknown', attempt: 1 });
  const events = (await after.get(`${AT}/runs/${run.run_id}/history`)).body.events;
  expect(events.filter(({ type }: { type: string }) => type === 'tool_call_started')).toHaveLength(1);
  expect(readFileSync(out, 'utf8')).toBe('kept');
  expect((await after.get(`${AT}/runs/${body.run_id}`)).body.detail).toMatch(/called a tool|called tools/);
}, 60_000);
