// Streamed answers: collected, bounded, broken off, refused; and the text as callers see it grow.
import type { ServerResponse } from 'node:http';
import { describe, expect, test, vi } from 'vitest';
import type { JsonObject } from '../../../shared/json.ts';
import { serveHttp } from '../../lib/http-client/testing.ts';
import { yieldToEventLoop } from '../../lib/event-loop.ts';
import { CANARY_KEY, CANARY_PROMPT } from '../../test/index.ts';
import { givenGateway, HELLO, type Reply, streams } from './gateway.testing.ts';
import {
  answerEvents,
  answerJson,
  chatAnswer,
  chatChunk,
  CHAT_END,
  CHAT_USAGE,
  givenModels,
  steeredClock,
  writeEvents,
} from './models.testing.ts';

const KEY = CANARY_KEY;
describe('given an answer that is streamed', () => {
  test('its text is passed on while it grows, and the result is whole', async () => {
    const first = Promise.withResolvers<ServerResponse>();
    const { ask, seen, bodies } = await givenGateway([
      (response) => {
        writeEvents(response, HELLO[0]!);
        first.resolve(response);
      },
    ]);
    const answer = ask();
    const response = await first.promise;
    await expect.poll(() => seen).toEqual(['Hel']);
    answerEvents(response, HELLO[1]!, CHAT_END);
    expect(await answer).toMatchObject({
      ok: true,
      turn: { text: 'Hello.', finishReason: 'stop', reported: 'reported-model', tokens: { input: 0, output: 0 } },
    });
    expect(seen).toEqual(['Hello.']);
    expect(bodies[0]).toMatchObject({ stream: true });
    expect(bodies[0]).not.toHaveProperty('stream_options');
  });

  test('everything else has its turn between its parts, however many arrive at once', async () => {
    const pieces = 2000;
    const { ask, seen } = await givenGateway([
      streams(...Array.from({ length: pieces }, () => chatChunk({ content: 'abc ' })), CHAT_END),
    ]);
    let [now, turns, isOver] = [performance.now(), 0, false];
    // Each part takes as long as work may take without a turn.
    vi.spyOn(performance, 'now').mockImplementation(() => (now += 10));
    const next = (): void => {
      turns += 1;
      if (!isOver) setImmediate(next);
    };
    const asked = ask();
    next();
    expect(await asked).toMatchObject({ ok: true });
    isOver = true;
    vi.restoreAllMocks();
    expect(seen[0]).toHaveLength(4 * pieces);
    const bytes = pieces * JSON.stringify(chatChunk({ content: 'abc ' })).length;
    expect(turns).toBeGreaterThan(bytes / (1024 + 512));
  });

  test('with `include_usage` its tokens are asked for and counted', async () => {
    const { ask, bodies } = await givenGateway([streams(...HELLO, CHAT_USAGE)], { include_usage: true });
    expect(await ask()).toMatchObject({ turn: { tokens: { input: 10, output: 5, cached: 4 } } });
    expect(bodies[0]).toMatchObject({ stream_options: { include_usage: true } });
  });

  test('tool calls are collected from their pieces', async () => {
    const call = (more: JsonObject): JsonObject => chatChunk({ tool_calls: [{ index: 0, ...more }] });
    const { ask } = await givenGateway([
      streams(
        chatChunk({ content: 'Let me see.' }),
        call({ id: 'call-1', type: 'function', function: { name: 'files__read', arguments: '{"pa' } }),
        call({ function: { arguments: 'th":"a"}' } }),
        chatChunk({}, { finish_reason: 'tool_calls' }),
      ),
    ]);
    expect(await ask()).toMatchObject({
      turn: {
        text: 'Let me see.',
        finishReason: 'tool-calls',
        toolCalls: [{ id: 'call-1', tool: 'files__read', arguments: '{"path":"a"}' }],
        raw: { content: [{ type: 'text', text: 'Let me see.' }, { type: 'tool-call' }] },
      },
    });
  });

  test('unknown chunks without content are ignored, others fail the call', async () => {
    const ping = { type: 'ping', id: 'p1' };
    const { ask } = await givenGateway([streams(HELLO[0]!, ping, ...HELLO.slice(1))]);
    expect(await ask()).toMatchObject({ turn: { text: 'Hello.' } });
    const odd = { type: 'more', said: 'a text of the answer' };
    const broken = await givenGateway([streams(HELLO[0]!, odd, ...HELLO.slice(1))]);
    expect(await broken.ask()).toMatchObject({ ok: false, fault: { kind: 'provider_unavailable' } });
    expect(JSON.stringify(broken.logged)).not.toContain('a text of the answer');
  });

  test.each([
    ['content_filter', { ok: false, fault: { kind: 'content_refused' } }],
    ['length', { ok: true, turn: { finishReason: 'length', text: 'Hel' } }],
  ])('it may end with %s', async (reason, answer) => {
    const { ask } = await givenGateway([streams(HELLO[0]!, chatChunk({}, { finish_reason: reason }))]);
    expect(await ask()).toMatchObject(answer);
  });

  test('the connection ends when the caller leaves', async () => {
    const closed = Promise.withResolvers<void>();
    const leaving = new AbortController();
    const { ask, seen } = await givenGateway([
      (response) => {
        response.once('close', () => closed.resolve());
        writeEvents(response, HELLO[0]!);
      },
    ]);
    const answer = ask({ signal: leaving.signal });
    await expect.poll(() => seen).toEqual(['Hel']);
    leaving.abort();
    expect(await answer).toMatchObject({ ok: false, fault: { kind: 'cancelled' } });
    await closed.promise;
  });
});

describe('given a stream that does not end', () => {
  test('a connection that breaks off is retried, and the text starts over', async () => {
    const breaks: Reply = (response) => {
      writeEvents(response, HELLO[0]!);
      response.write('data: {"id"', () => response.destroy());
    };
    const { ask, seen, bodies, clock } = await givenGateway([breaks, breaks, streams(...HELLO)]);
    expect(await ask()).toMatchObject({ ok: true, turn: { text: 'Hello.' } });
    expect(seen).toEqual(['Hel', 'Hel', 'Hello.']);
    expect(bodies).toHaveLength(3);
    expect(clock.waits).toEqual([2000, 4000]);
  });

  test.each<[string, Reply]>([
    ['has no reason to end', streams(HELLO[0]!)],
    ['has a piece that is no JSON', (response) => response.writeHead(200).end('data: {"choices\n\ndata: [DONE]\n\n')],
    ['is empty', (response) => response.writeHead(200, { 'content-type': 'text/event-stream' }).end()],
    ['is words', (response) => response.writeHead(200).end('The server is running.')],
  ])('one that %s is unreadable and is not retried', async (_what, reply) => {
    const { ask, bodies, logged } = await givenGateway([reply]);
    expect(await ask()).toMatchObject({
      ok: false,
      fault: { kind: 'provider_unavailable', detail: expect.stringContaining('cannot be read') },
    });
    expect(bodies).toHaveLength(1);
    expect(logged).toMatchObject([{ status: 200, provider_message: null, hint: expect.any(String) }]);
  });

  test('after the first token the next one must come within a minute, however long the deadline is', async () => {
    const { ask, seen, clock, logged } = await givenGateway([(response) => writeEvents(response, HELLO[0]!)]);
    const answer = ask({ settings: { maxOutputTokens: 100_000 } });
    await expect.poll(() => seen).toEqual(['Hel']);
    clock.skip(60_000);
    expect(await answer).toMatchObject({ ok: false, fault: { kind: 'timed_out' } });
    expect(logged).toMatchObject([{ hint: expect.stringContaining('no token arrived for 60 seconds') }]);
  });

  test('each token restarts the minute, and the deadline still applies', async () => {
    let response: ServerResponse | undefined;
    const { ask, seen, clock, logged } = await givenGateway([
      (one) => {
        response = one;
        writeEvents(one, HELLO[0]!);
      },
    ]);
    const answer = ask();
    await expect.poll(() => seen).toEqual(['Hel']);
    // Far from the minute and from the deadline (85 s): the machine's own time is added.
    clock.skip(35_000);
    writeEvents(response!, HELLO[1]!);
    await expect.poll(() => seen).toEqual(['Hello.']);
    clock.skip(30_000);
    writeEvents(response!, HELLO[1]!);
    await expect.poll(() => seen).toEqual(['Hello.lo.']);
    clock.skip(25_000);
    expect(await answer).toMatchObject({ ok: false, fault: { kind: 'timed_out' } });
    expect(logged).toMatchObject([{ kind: 'timed_out' }]);
    expect(logged[0]).not.toHaveProperty('hint');
  });

  test('before the first token only the deadline applies', async () => {
    const begun = Promise.withResolvers<ServerResponse>();
    const { ask, clock } = await givenGateway([
      (response) => {
        writeEvents(response, chatChunk({ role: 'assistant', content: '' }));
        begun.resolve(response);
      },
    ]);
    let isEnded = false;
    const answer = ask().finally(() => (isEnded = true));
    const response = await begun.promise;
    clock.skip(70_000);
    await yieldToEventLoop();
    expect(isEnded).toBe(false);
    answerEvents(response, ...HELLO);
    expect(await answer).toMatchObject({ ok: true, turn: { text: 'Hello.' } });
  });
});

describe('given an error within a stream', () => {
  const error = (more: JsonObject): JsonObject => ({ error: { message: `No: ${KEY}, ${CANARY_PROMPT}`, ...more } });

  test.each<[JsonObject, string, number]>([
    [error({ code: 'rate_limit_exceeded' }), 'rate_limited', 3],
    [error({ code: 429 }), 'rate_limited', 3],
    [error({ type: 'overloaded_error' }), 'provider_unavailable', 3],
    [error({ code: 502 }), 'provider_unavailable', 3],
    [error({ type: 'server_error' }), 'provider_unavailable', 3],
    [error({ code: 'invalid_api_key' }), 'credentials_rejected', 1],
    [error({ type: 'invalid_request_error', code: 'bad_thing' }), 'definition_invalid', 1],
    [error({ code: 'context_length_exceeded' }), 'request_too_long', 1],
    [error({ code: 'content_filter' }), 'content_refused', 1],
    [error({}), 'provider_unavailable', 1],
    [{ error: 'something' }, 'provider_unavailable', 1],
  ])('%j is %s', async (event, kind, asked) => {
    const { ask, bodies, logged } = await givenGateway([streams(HELLO[0]!, event)], {
      expose_provider_messages: true,
    });
    const answer = await ask();
    expect(answer).toMatchObject({ ok: false, fault: { kind } });
    expect(bodies).toHaveLength(asked);
    expect(logged).toMatchObject([{ kind, status: 200 }]);
    expect(JSON.stringify([answer, logged])).not.toMatch(new RegExp(`${KEY}|${CANARY_PROMPT}`));
  });

  test('the caller sees the code, and the message if the gateway exposes it', async () => {
    const event = { error: { message: 'Too busy.', code: 'overloaded' } };
    const closed = await givenGateway([streams(HELLO[0]!, event)]);
    const message = 'The model provider local ended its answer with an error (code overloaded); try again later.';
    expect(await closed.ask()).toMatchObject({ fault: { detail: message } });
    const open = await givenGateway([streams(event)], { expose_provider_messages: true });
    expect(await open.ask()).toMatchObject({ fault: { detail: `${message} The provider said: Too busy.` } });
  });

  const anthropic = { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } };
  test.each<[string, Record<string, string>, string, JsonObject, string]>([
    ['anthropic', { ANTHROPIC_API_KEY: KEY }, 'ANTHROPIC_BASE_URL', anthropic, 'provider_unavailable'],
    [
      'openai',
      { OPENAI_API_KEY: KEY },
      'OPENAI_BASE_URL',
      { type: 'error', sequence_number: 0, error: { type: 'x', code: 'rate_limit_exceeded', message: 'Slow down' } },
      'rate_limited',
    ],
    [
      'google',
      { GOOGLE_GENERATIVE_AI_API_KEY: KEY },
      'GOOGLE_BASE_URL',
      { error: { code: 503, status: 'UNAVAILABLE', message: 'The model is overloaded.' } },
      'provider_unavailable',
    ],
    [
      'mistral',
      { MISTRAL_API_KEY: KEY },
      'MISTRAL_BASE_URL',
      { object: 'error', error: { type: 'invalid_request_error', message: 'No.' } },
      'definition_invalid',
    ],
  ])('%s reports it in its own protocol', async (prefix, environment, variable, event, kind) => {
    const url = await serveHttp((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(`event: ${String(event['type'] ?? 'message')}\ndata: ${JSON.stringify(event)}\n\n`);
    });
    const given = { ...environment, [variable]: String(url).replace(/\/$/, '') };
    const { ask, logged } = givenModels(given, { clock: steeredClock() });
    expect(await ask(`${prefix}/m`)).toMatchObject({ ok: false, fault: { kind } });
    expect(logged).toMatchObject([{ kind, status: 200 }]);
  });
});

describe('given a gateway that does not stream', () => {
  test('a JSON answer is used as it is, after one request', async () => {
    const { ask, bodies } = await givenGateway([
      (response) => answerJson(response, 200, `\n ${JSON.stringify(chatAnswer({ content: 'Whole.' }))}`),
    ]);
    expect(await ask()).toMatchObject({ ok: true, turn: { text: 'Whole.', tokens: { input: 10, output: 5 } } });
    expect(bodies).toHaveLength(1);
  });

  test.each<[number, JsonObject]>([
    [400, { error: { message: 'stream unsupported' } }],
    [400, { error: { message: 'Your organization must be verified to stream this model.', param: 'stream' } }],
    [501, { detail: 'Streaming is not implemented.' }],
  ])(
    'one that refuses with %i %j is asked for a whole answer, and later calls ask for that directly',
    async (status, refusal) => {
      const { ask, bodies, logged } = await givenGateway([
        (response) => answerJson(response, status, refusal),
        (response) => answerJson(response, 200, chatAnswer({ content: 'Whole.' })),
      ]);
      expect(await ask()).toMatchObject({ ok: true, turn: { text: 'Whole.' } });
      expect(await ask()).toMatchObject({ ok: true, turn: { text: 'Whole.' } });
      expect(bodies.map(({ stream }) => stream)).toEqual([true, undefined, undefined]);
      expect(logged).toEqual([]);
    },
  );
});

test('a key that the gateway echoes is redacted in the result and in the growing text', async () => {
  const text = `Your key is ${KEY}, in a URL ${encodeURIComponent(KEY)}.`;
  const pieces = text.split('').map((content) => chatChunk({ content }));
  const echo = { index: 0, id: `id-${KEY}`, function: { name: 'say', arguments: JSON.stringify({ key: KEY }) } };
  const { ask, seen } = await givenGateway([
    streams(
      chatChunk({ reasoning_content: `Think of ${KEY}.` }),
      ...pieces,
      { ...chatChunk({ tool_calls: [echo] }), model: `m-${KEY}` },
      chatChunk({}, { finish_reason: 'tool_calls' }),
    ),
  ]);
  const answer = await ask();
  expect(answer).toMatchObject({
    turn: {
      text: 'Your key is [redacted], in a URL [redacted].',
      toolCalls: [{ arguments: '{"key":"[redacted]"}' }],
    },
  });
  expect(seen).toEqual(['Your key is [redacted], in a URL [redacted].']);
  expect(JSON.stringify(answer)).not.toContain(KEY);
});

describe('given a large answer', () => {
  const values = (count: number): number[] => Array.from({ length: count }, () => 0);
  const long = 'x'.repeat(100_000);

  test('a worker measures it, whole or in a line of a stream, and it is used', async () => {
    const whole = await givenGateway([
      (response) => answerJson(response, 200, { ...chatAnswer({ content: long }), more: values(40_000) }),
    ]);
    expect(await whole.ask()).toMatchObject({ ok: true, turn: { text: long } });
    const streamed = await givenGateway([
      streams(chatChunk({ content: 'a' }), chatChunk({ content: long }), chatChunk({}, { finish_reason: 'stop' })),
    ]);
    expect(await streamed.ask()).toMatchObject({ ok: true, turn: { text: `a${long}` } });
  });

  test('one that holds too much is not read, whole or in a line of a stream, and not asked for again', async () => {
    const whole = await givenGateway([
      (response) => answerJson(response, 200, { ...chatAnswer({ content: 'a' }), more: values(60_000) }),
    ]);
    const streamed = await givenGateway([
      streams(chatChunk({ content: 'a' }), { ...chatChunk({ content: 'b' }), more: values(60_000) }, CHAT_END),
    ]);
    for (const { ask, logged, bodies } of [whole, streamed]) {
      // oxlint-disable-next-line no-await-in-loop -- one after the other
      expect(await ask()).toMatchObject({ ok: false, fault: { kind: 'provider_unavailable' } });
      expect(logged).toMatchObject([{ hint: 'The answer has more than 50000 values.' }]);
      expect(bodies).toHaveLength(1);
    }
  });

  test('of a refusal the beginning is read', async () => {
    const { ask, logged } = await givenGateway([
      (response) => answerJson(response, 400, { error: { message: `No. ${long}` } }),
    ]);
    expect(await ask()).toMatchObject({ ok: false, fault: { kind: 'definition_invalid' } });
    expect(logged).toMatchObject([{ provider_message: expect.stringMatching(/^\{"error":\{"message":"No\. xxx/) }]);
  });
});
