// Refusals in the protocol of each provider.
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../shared/json.ts';
import {
  anthropic,
  anthropicEvents,
  askProvider,
  events,
  gemini,
  message,
  response,
  responseEvents,
  SAID,
  said,
} from './answers.testing.ts';
import { givenGateway, streams } from './gateway.testing.ts';
import { answerJson, chatAnswer, chatChunk, CHAT_END } from './models.testing.ts';

const REFUSAL = { type: 'refusal', refusal: SAID };

describe('given a refusal', () => {
  test.each<[string, JsonObject[]]>([
    [
      'of a message',
      [chatChunk({ role: 'assistant', content: '', refusal: '' }), chatChunk({ refusal: SAID }), CHAT_END],
    ],
    ['in pieces', [chatChunk({ refusal: SAID.slice(0, 9) }), chatChunk({ refusal: SAID.slice(9) }), CHAT_END]],
    ['as a part of the content', [chatChunk({ content: [REFUSAL] }), CHAT_END]],
    ['behind some text', [chatChunk({ content: 'Well, ' }), chatChunk({ refusal: SAID }), CHAT_END]],
    ['as a reason to finish', [chatChunk({ content: '' }), chatChunk({}, { finish_reason: 'refusal' })]],
    [
      'as the own reason of a provider behind it',
      [chatChunk({}, { finish_reason: 'stop', native_finish_reason: 'refusal' })],
    ],
    [
      'as a filtered category, without a reason to finish',
      [
        chatChunk({ content: 'Well, ' }),
        chatChunk({}, { content_filter_results: { hate: { filtered: false }, violence: { filtered: true } } }),
      ],
    ],
    ["as Gemini's reason, passed on", [chatChunk({}, { finish_reason: 'SAFETY' })]],
  ])('a gateway streams it %s', async (_what, chunks) => {
    const { ask: askGateway, logged } = await givenGateway([streams(...chunks)]);
    expect(await askGateway()).toMatchObject({
      ok: false,
      fault: { kind: 'content_refused', rejection: { reason: 'invalid_input', issues: [{ pointer: '/input' }] } },
    });
    expect(logged).toMatchObject([{ kind: 'content_refused', status: 200 }]);
    expect(JSON.stringify(logged)).not.toContain(SAID);
  });

  test.each<[string, JsonObject]>([
    ['a message', chatAnswer({ content: null, refusal: SAID })],
    ['a part', chatAnswer({ content: [{ type: 'text', text: 'Well.' }, REFUSAL] })],
    ['a reason', chatAnswer({ content: '' }, { finish_reason: 'content-filter' })],
    ['the reason of another', chatAnswer({ content: '' }, { native_finish_reason: 'SAFETY' })],
  ])('a gateway returns it whole, as %s', async (_what, answer) => {
    const { ask: askGateway, bodies } = await givenGateway([(to) => answerJson(to, 200, answer)]);
    expect(await askGateway({ schema: { type: 'object' } })).toMatchObject({ fault: { kind: 'content_refused' } });
    expect(bodies).toHaveLength(1);
  });

  test('an answer without one has the members of one', async () => {
    const { ask: askGateway } = await givenGateway([
      streams(chatChunk({ role: 'assistant', content: 'Yes.', refusal: null }), CHAT_END),
      (to) => answerJson(to, 200, chatAnswer({ content: 'Yes.', refusal: '' })),
    ]);
    expect(await askGateway()).toMatchObject({ ok: true, turn: { text: 'Yes.' } });
    expect(await askGateway()).toMatchObject({ ok: true, turn: { text: 'Yes.' } });
  });

  const refusing = message(REFUSAL);
  const pieces = [
    { type: 'response.content_part.added', part: { type: 'refusal', refusal: '' } },
    { type: 'response.refusal.delta', delta: SAID },
    { type: 'response.refusal.done', refusal: SAID },
  ];
  test.each<[string, string, string]>([
    ['openai', 'streams a part', responseEvents(refusing, pieces)],
    ['openai', 'returns a part', JSON.stringify(response([refusing]))],
    ['openai', 'returns a part beside text', JSON.stringify(response([message(said('Well.'), REFUSAL)]))],
    [
      'openai',
      'is stopped',
      JSON.stringify(response([], { status: 'incomplete', incomplete_details: { reason: 'content_filter' } })),
    ],
    ['azure', 'streams a part', responseEvents(refusing, pieces)],
    ['xai', 'streams a part', responseEvents(refusing, pieces)],
    ['xai', 'returns a part', JSON.stringify(response([refusing]))],
    ['anthropic', 'streams the reason', anthropicEvents('refusal')],
    ['anthropic', 'returns the reason', JSON.stringify(anthropic('refusal'))],
    ['google', 'streams SAFETY', events(gemini({ finishReason: 'SAFETY' }))],
    ['google', 'returns RECITATION', JSON.stringify(gemini({ finishReason: 'RECITATION' }))],
    ['google', 'returns PROHIBITED_CONTENT', JSON.stringify(gemini({ finishReason: 'PROHIBITED_CONTENT' }))],
    [
      'google',
      'streams a reason that its SDK does not know',
      events(gemini({ finishReason: 'IMAGE_PROHIBITED_CONTENT' })),
    ],
    ['google', 'blocks the prompt', events({ promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: {} })],
    ['google', 'blocks the prompt, whole', JSON.stringify({ promptFeedback: { blockReason: 'PROHIBITED_CONTENT' } })],
    ['google-vertex', 'streams MODEL_ARMOR', events(gemini({ finishReason: 'MODEL_ARMOR' }))],
    [
      'amazon-bedrock',
      'returns the reason',
      JSON.stringify({
        output: { message: { role: 'assistant', content: [{ text: 'No.' }] } },
        stopReason: 'guardrail_intervened',
        usage: { inputTokens: 1, outputTokens: 1, totalTokens: 2 },
      }),
    ],
    [
      'cohere',
      'returns ERROR_TOXIC',
      JSON.stringify({
        message: { role: 'assistant', content: [] },
        finish_reason: 'ERROR_TOXIC',
        usage: { tokens: { input_tokens: 1, output_tokens: 1 } },
      }),
    ],
    ['mistral', 'returns a reason', JSON.stringify(chatAnswer({ content: '' }, { finish_reason: 'content_filter' }))],
    ['groq', 'returns a message', JSON.stringify(chatAnswer({ content: null, refusal: SAID }))],
    ['deepseek', 'streams a message', events(chatChunk({ role: 'assistant', content: null, refusal: SAID }), CHAT_END)],
  ])('%s %s', async (prefix, _what, text) => {
    const { answer, logged } = await askProvider(prefix, text);
    expect(answer).toMatchObject({ ok: false, fault: { kind: 'content_refused' } });
    expect(logged).toMatchObject([{ kind: 'content_refused', hint: expect.any(String) }]);
  });
});
