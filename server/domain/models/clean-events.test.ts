// Streams with more than their events, and arguments of tool calls that are no text.
import type { ServerResponse } from 'node:http';
import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../../shared/json.ts';
import type { ModelAnswer } from '../../kinds/models.ts';
import {
  anthropic,
  anthropicEvents,
  askProvider,
  events,
  gemini,
  message,
  response,
  responseEvents,
  said,
} from './answers.testing.ts';
import { givenGateway, HELLO } from './gateway.testing.ts';
import { answerEvents, answerJson, chatAnswer, chatChunk } from './models.testing.ts';

const TOOLS = [{ name: 'files__read', description: '', inputSchema: { type: 'object' } }];

describe('given a stream with more than its events', () => {
  const chat = HELLO.map((chunk) => JSON.stringify(chunk));
  const lines = (...all: string[]): string => all.map((line) => `${line}\n`).join('');
  const sent = chat.map((chunk) => `data: ${chunk}\n\n`);
  const FORMS: readonly [string, string][] = [
    ['empty data before, between and behind', `data:\n\ndata: \n\n${sent.join('data:\n\n')}data\n\ndata: [DONE]\n\n`],
    ['comments', `: OPENROUTER PROCESSING\n\n:\n${sent.join(': keep-alive\n\n')}data: [DONE]\n\n`],
    ['keep-alives that are no JSON', sent.join('data: ping\n\ndata: keep-alive\n\n')],
    ['keep-alives that are empty JSON', sent.join('event: ping\ndata: {}\n\ndata: null\n\n')],
    ['carriage returns and line feeds', sent.join('').replaceAll('\n', '\r\n')],
    ['carriage returns alone', sent.join('').replaceAll('\n', '\r')],
    ['no space behind the colon', sent.join('').replaceAll('data: ', 'data:')],
    ['no empty line behind the last event', sent.join('').trimEnd()],
    ['no empty lines', lines(...chat.map((chunk) => `data: ${chunk}`), 'data: [DONE]')],
    ['other fields', sent.map((one, id) => `id: ${id}\nretry: 1000\n${one}`).join('')],
    ['a mark of its byte order', `\uFEFF${sent.join('')}`],
    ['a space behind its end', `${sent.join('')}data: [DONE] \n\n`],
    ['data over several lines', sent.join('').replace('"choices"', '\ndata: "choices"')],
  ];
  const inPieces =
    (text: string, size: number) =>
    async (to: ServerResponse): Promise<void> => {
      to.writeHead(200, { 'content-type': 'text/event-stream' });
      const bytes = Buffer.from(text);
      for (let from = 0; from < bytes.length; from += size) {
        // oxlint-disable-next-line no-await-in-loop -- each piece is a chunk of its own
        await new Promise((resolve) => to.write(bytes.subarray(from, from + size), resolve));
      }
      to.end();
    };
  test.each(FORMS)('a gateway with %s, whole and split anywhere', async (_what, text) => {
    const { ask: askGateway } = await givenGateway(
      [inPieces(text, 1_000_000), inPieces(text, 7)].map((reply) => (to) => void reply(to)),
    );
    const answers: ModelAnswer[] = [await askGateway(), await askGateway()];
    for (const answer of answers)
      expect(answer).toMatchObject({ ok: true, turn: { text: 'Hello.', finishReason: 'stop' } });
  });

  const text = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'Hello.' } };
  const STREAMS: readonly [string, string][] = [
    [
      'openai',
      responseEvents(message(said('Hello.')), [{ type: 'response.output_text.delta', delta: 'Hello.', logprobs: [] }]),
    ],
    [
      'azure',
      responseEvents(message(said('Hello.')), [{ type: 'response.output_text.delta', delta: 'Hello.', logprobs: [] }]),
    ],
    ['xai', responseEvents(message(said('Hello.')), [{ type: 'response.output_text.delta', delta: 'Hello.' }])],
    [
      'anthropic',
      anthropicEvents('end_turn').replace(
        'event: message_delta',
        `${events({ type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } }, text, { type: 'content_block_stop', index: 0 })}event: message_delta`,
      ),
    ],
    ['google', events(gemini({ content: { role: 'model', parts: [{ text: 'Hello.' }] }, finishReason: 'STOP' }))],
    [
      'google-vertex',
      events(gemini({ content: { role: 'model', parts: [{ text: 'Hello.' }] }, finishReason: 'STOP' })),
    ],
    ...['mistral', 'groq', 'deepseek'].map((prefix): [string, string] => [prefix, sent.join('')]),
    [
      'cohere',
      events(
        { type: 'message-start', id: 'm' },
        { type: 'content-start', index: 0, delta: { message: { content: { type: 'text', text: '' } } } },
        { type: 'content-delta', index: 0, delta: { message: { content: { text: 'Hello.' } } } },
        { type: 'content-end', index: 0 },
        {
          type: 'message-end',
          delta: { finish_reason: 'COMPLETE', usage: { tokens: { input_tokens: 1, output_tokens: 1 } } },
        },
      ),
    ],
  ];
  test.each(STREAMS)('%s with keep-alives of each kind', async (prefix, stream) => {
    const noise = ': hello\n\ndata:\n\ndata: \n\nevent: ping\ndata: {}\n\n';
    const { answer } = await askProvider(
      prefix,
      `${noise}${stream.replaceAll('\n\n', `\n\n${noise}`)}`.replaceAll('\n', '\r\n'),
    );
    expect(answer).toMatchObject({ ok: true, turn: { text: 'Hello.', finishReason: 'stop' } });
  });
});

describe('given arguments of a tool call that are no text', () => {
  const call = (more: JsonObject): JsonObject => ({
    id: 'c1',
    type: 'function',
    function: { name: 'files__read', ...more },
  });
  const nested = { path: 'a', arguments: { function: { arguments: { x: 1 } } } };
  test.each<[string, JsonObject, string]>([
    ['an object', { arguments: nested }, JSON.stringify(nested)],
    ['null', { arguments: null }, ''],
    ['missing', {}, ''],
    ['a text', { arguments: '{"path": {"arguments": {}}}' }, '{"path": {"arguments": {}}}'],
  ])('a gateway returns %s', async (_what, more, text) => {
    const { ask: askGateway } = await givenGateway([
      (to) =>
        answerJson(to, 200, chatAnswer({ content: null, tool_calls: [call(more)] }, { finish_reason: 'tool_calls' })),
    ]);
    expect(await askGateway({ tools: TOOLS })).toMatchObject({
      ok: true,
      turn: { toolCalls: [{ tool: 'files__read', arguments: text }] },
    });
  });

  test('a gateway streams an object', async () => {
    const { ask: askGateway } = await givenGateway([
      (to) =>
        answerEvents(
          to,
          chatChunk({ tool_calls: [{ index: 0, ...call({ arguments: nested }) }] }),
          chatChunk({}, { finish_reason: 'tool_calls' }),
        ),
    ]);
    expect(await askGateway({ tools: TOOLS })).toMatchObject({
      ok: true,
      turn: { toolCalls: [{ arguments: JSON.stringify(nested) }] },
    });
  });

  test('what a call itself contains is not changed', async () => {
    const input = { name: 'run', arguments: { a: 1 }, function: { arguments: { b: 2 } } };
    const block = { type: 'tool_use', id: 't1', name: 'files__read', input };
    const { answer } = await askProvider('anthropic', JSON.stringify(anthropic('tool_use', [block])), { tools: TOOLS });
    expect(answer).toMatchObject({ ok: true, turn: { toolCalls: [{ arguments: JSON.stringify(input) }] } });
  });

  test.each(['openai', 'xai'])('%s returns and streams an object', async (prefix) => {
    const item = {
      type: 'function_call',
      id: 'fc_1',
      call_id: 'c1',
      name: 'files__read',
      arguments: { path: 'a' },
      status: 'completed',
    };
    const whole = await askProvider(prefix, JSON.stringify(response([item])), { tools: TOOLS });
    const stream = await askProvider(prefix, responseEvents(item, []), { tools: TOOLS });
    for (const { answer } of [whole, stream]) {
      expect(answer).toMatchObject({
        ok: true,
        turn: { toolCalls: [{ tool: 'files__read', arguments: '{"path":"a"}' }] },
      });
    }
  });
});
