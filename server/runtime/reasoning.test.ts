// Reasoning functions as a caller meets them: a server, a model provider on the loopback, and a real stdio MCP server.
import { describe, expect, onTestFinished, test } from 'vitest';
import { answerJson, chatAnswer, steeredClock } from '../domain/models/models.testing.ts';
import { CANARY_KEY, CANARY_PROMPT, serveLoopback, startServer } from '../test/index.ts';
import { callsTool, AT, givenServer, fn, TEAM } from './reasoning.testing.ts';

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
