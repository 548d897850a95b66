// Errors with a status of success, and pages in place of answers.
import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../shared/json.ts';
import { askProvider, events, gemini, response, SAID } from './answers.testing.ts';
import { givenGateway, HELLO } from './gateway.testing.ts';
import { answerJson, chatAnswer, chatChunk } from './models.testing.ts';

describe('given an error with a status of success', () => {
  const failed = (error: JsonObject | null): JsonObject => response([], { status: 'failed', error });
  test.each<[string, string, string, string, number, unknown]>([
    [
      'openai',
      'streams response.failed',
      events(
        { type: 'response.created', response: response([]) },
        { type: 'response.failed', response: failed({ code: 'server_error', message: 'Overloaded.' }) },
      ),
      'provider_unavailable',
      3,
      'Overloaded.',
    ],
    [
      'openai',
      'streams response.failed with an unknown code',
      events(
        { type: 'response.created', response: response([]) },
        { type: 'response.failed', response: failed({ code: 'odd', message: 'It broke.' }) },
      ),
      'provider_unavailable',
      1,
      'It broke.',
    ],
    [
      'openai',
      'returns response.failed',
      JSON.stringify(failed({ code: 'rate_limit_exceeded', message: 'Slow down.' })),
      'rate_limited',
      3,
      'Slow down.',
    ],
    [
      'openai',
      'streams response.failed for the prompt',
      events(
        { type: 'response.created', response: response([]) },
        {
          type: 'response.failed',
          response: failed({
            code: 'invalid_prompt',
            message: 'Invalid prompt: it was flagged as potentially violating our usage policy.',
          }),
        },
      ),
      'content_refused',
      1,
      expect.stringContaining('flagged'),
    ],
    [
      'anthropic',
      'returns an error',
      JSON.stringify({ type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } }),
      'provider_unavailable',
      3,
      'Overloaded',
    ],
    [
      'google',
      'returns a list of one error',
      JSON.stringify([{ error: { code: 429, message: 'Quota.', status: 'RESOURCE_EXHAUSTED' } }]),
      'rate_limited',
      3,
      'Quota.',
    ],
    [
      'google',
      'returns MALFORMED_FUNCTION_CALL',
      JSON.stringify(
        gemini({ finishReason: 'MALFORMED_FUNCTION_CALL', finishMessage: `Malformed function call: ${SAID}` }),
      ),
      'provider_unavailable',
      1,
      'Malformed function call',
    ],
    [
      'google',
      'streams MALFORMED_FUNCTION_CALL',
      events(
        gemini({
          content: {},
          finishReason: 'MALFORMED_FUNCTION_CALL',
          finishMessage: `Malformed function call: ${SAID}`,
        }),
      ),
      'provider_unavailable',
      1,
      'Malformed function call',
    ],
    [
      'google',
      'streams OTHER and nothing else',
      events(gemini({ content: {}, finishReason: 'OTHER' })),
      'provider_unavailable',
      1,
      null,
    ],
    [
      'groq',
      'streams a call that it does not take',
      events({
        error: { message: 'Failed to call a function.', type: 'invalid_request_error', code: 'tool_use_failed' },
      }),
      'definition_invalid',
      1,
      'Failed to call a function.',
    ],
    ['google', 'returns no candidate', JSON.stringify({ usageMetadata: {} }), 'provider_unavailable', 1, null],
    [
      'mistral',
      'returns the reason error',
      JSON.stringify(chatAnswer({ content: SAID }, { finish_reason: 'error' })),
      'provider_unavailable',
      1,
      null,
    ],
  ])('%s %s', async (prefix, _what, text, kind, times, words) => {
    const { answer, logged, asked } = await askProvider(prefix, text);
    expect(answer).toMatchObject({ ok: false, fault: { kind } });
    expect(answer.ok ? '' : answer.fault.detail).not.toMatch(/cannot be read|change the definition/);
    expect(logged).toMatchObject([{ kind, status: 200, provider_message: words }]);
    expect(asked()).toBe(times);
  });

  test.each<[string, JsonObject, string, unknown]>([
    ['an object', { error: { message: 'No such thing.', code: 'odd' } }, 'provider_unavailable', 'No such thing.'],
    ['a text', { error: 'It is loading.' }, 'provider_unavailable', 'It is loading.'],
    ['words of MiniMax', { base_resp: { status_code: 1, status_msg: 'Busy.' } }, 'provider_unavailable', 'Busy.'],
    ['words of Baidu', { error_code: 17, error_msg: 'Daily limit.' }, 'provider_unavailable', 'Daily limit.'],
    [
      'that its address is wrong',
      { error: 'Unexpected endpoint or method. (POST /chat/completions). Returning 200 anyway' },
      'definition_invalid',
      expect.stringContaining('Unexpected endpoint'),
    ],
    ['a message alone', { detail: 'It is loading.' }, 'provider_unavailable', 'It is loading.'],
    [
      'a status of its own',
      { object: 'error', message: 'Wrong key.', code: 401 },
      'credentials_rejected',
      'Wrong key.',
    ],
    [
      'a choice',
      chatAnswer({ content: '' }, { error: { code: 502, message: 'Down.' }, finish_reason: 'error' }),
      'provider_unavailable',
      'Down.',
    ],
    [
      'one of its own words',
      { error: { message: "model 'x' not found" } },
      'definition_invalid',
      "model 'x' not found",
    ],
  ])('a gateway returns %s', async (_what, body, kind, words) => {
    const { ask: askGateway, logged } = await givenGateway([(to) => answerJson(to, 200, body)]);
    const answer = await askGateway();
    expect(answer).toMatchObject({ ok: false, fault: { kind } });
    expect(answer.ok ? '' : answer.fault.detail).not.toContain('cannot be read');
    expect(logged).toMatchObject([{ status: 200, provider_message: words }]);
  });

  test.each<[string, string, string]>([
    [
      'in a field of its own',
      'error: {"code":500,"message":"No slot.","type":"server_error"}\n\n',
      'provider_unavailable',
    ],
    ['as a bare line', '{"error":{"message":"No slot.","type":"rate_limit_error"}}\n', 'rate_limited'],
    [
      'as a part of a choice',
      `data: ${JSON.stringify(chatChunk({}, { finish_reason: 'error', error: { code: 502, message: 'No slot.' } }))}\n\n`,
      'provider_unavailable',
    ],
    ['that is a text', 'data: {"error":"No slot."}\n\n', 'provider_unavailable'],
    ['that is a detail', 'data: {"detail":"No slot."}\n\n', 'provider_unavailable'],
  ])('a gateway streams one %s', async (_what, text, kind) => {
    const { ask: askGateway, logged } = await givenGateway([
      (to) =>
        to
          .writeHead(200, { 'content-type': 'text/event-stream' })
          .end(`data: ${JSON.stringify(HELLO[0])}\n\n${text}data: [DONE]\n\n`),
    ]);
    expect(await askGateway()).toMatchObject({
      ok: false,
      fault: { kind, detail: expect.stringContaining('ended its answer with') },
    });
    expect(logged).toMatchObject([{ status: 200, provider_message: 'No slot.' }]);
  });
});

test.each(['<!DOCTYPE html><title> Sign in\n here </title>', ' <html><head><title>Sign in here</title>'])(
  'a page %j is reported as one, with its title and a hint for the operator alone',
  async (page) => {
    const { ask: askGateway, logged } = await givenGateway([
      (to) => to.writeHead(200, { 'content-type': 'text/html' }).end(`${page}${SAID}`),
    ]);
    const answer = await askGateway();
    expect(answer).toMatchObject({
      fault: { kind: 'provider_unavailable', detail: expect.stringContaining('a web page') },
    });
    expect(answer.ok ? '' : answer.fault.detail).not.toContain('Sign in');
    expect(logged).toMatchObject([{ provider_message: 'Sign in here', hint: expect.stringContaining('HTML page') }]);
    expect(JSON.stringify(logged)).not.toContain(SAID);
  },
);

test('a test of a model gets no advice to change a definition', async () => {
  const bodies = [
    { error: { message: 'Odd.' } },
    { error: { message: 'the request exceeds the available context size', type: 'exceed_context_size_error' } },
  ];
  const { ask: askGateway } = await givenGateway(
    bodies.map((body) => (to: ServerResponse) => answerJson(to, 400, body)),
  );
  expect(await askGateway({ isTest: true })).toMatchObject({
    fault: { detail: 'The model provider local returned 400 (Bad Request): it does not accept the request.' },
  });
  expect(await askGateway({ isTest: true })).toMatchObject({
    fault: { kind: 'request_too_long', detail: expect.stringContaining('give the model a larger context') },
  });
});

test('a request that is larger than the rate is not sent again', async () => {
  const message = 'Request too large for m on tokens per min (TPM): Limit 10, Requested 20.';
  const { ask: askGateway, bodies } = await givenGateway([
    (to) => answerJson(to, 429, { error: { message, code: 'rate_limit_exceeded' } }),
  ]);
  expect(await askGateway()).toMatchObject({ fault: { kind: 'request_too_long' } });
  expect(bodies).toHaveLength(1);
});

test.each<[number, string, RegExp]>([
  [403, 'credentials_rejected', /it sent a web page, so a proxy may refuse in its place/],
  [400, 'definition_invalid', /it sent a web page; ask the operator/],
  [502, 'provider_unavailable', /returned 502 \(Bad Gateway\); try again later/],
])('a page with status %i is a hint for the operator', async (status, kind, words) => {
  const { ask: askGateway, logged } = await givenGateway([
    (to) => to.writeHead(status, { 'content-type': 'text/html' }).end('<!DOCTYPE html><title>Just a moment</title>'),
  ]);
  expect(await askGateway()).toMatchObject({ fault: { kind, detail: expect.stringMatching(words) } });
  expect(logged).toMatchObject([{ hint: expect.stringContaining('HTML page') }]);
});

test.each(['', '0', 'data: [DONE]\n\n'])('an answer %j says that it has no end', async (text) => {
  const { ask: askGateway, logged } = await givenGateway([(to) => to.writeHead(200).end(text)]);
  expect(await askGateway()).toMatchObject({ fault: { kind: 'provider_unavailable' } });
  expect(logged).toMatchObject([{ hint: expect.stringContaining('without a reason to finish') }]);
});
