// Answers in the protocols of OpenAI's Responses API, Gemini and Anthropic, and providers that send them.
import { expect } from 'vitest';
import type { Json, JsonObject } from '../../../shared/json.ts';
import type { ModelRequest } from '../../kinds/models.ts';
import { serveHttp } from '../../lib/http-client/testing.ts';
import { environmentOf } from './families.testing.ts';
import { givenModels, steeredClock } from './models.testing.ts';

export const SAID = 'canary of what the model said 4811';

/** Asks a built-in provider that sends this text: one event after the other, or JSON. */
export async function askProvider(prefix: string, text: string, request: Partial<ModelRequest> = {}) {
  let asked = 0;
  const url = await serveHttp((_request, response) => {
    asked += 1;
    const type = /^\s*[[{]/.test(text) ? 'application/json' : 'text/event-stream';
    response.writeHead(200, { 'content-type': type }).end(text);
  });
  const world = givenModels(environmentOf(prefix, url.origin), { clock: steeredClock() });
  const answer = await world.ask(`${prefix}/m`, request);
  expect(JSON.stringify([answer.ok ? '' : answer.fault, world.logged])).not.toContain(SAID);
  return { answer, logged: world.logged, asked: () => asked };
}

export const events = (...values: JsonObject[]): string =>
  values.map((value) => `event: ${String(value['type'] ?? 'message')}\ndata: ${JSON.stringify(value)}\n\n`).join('');

/** An answer of OpenAI's Responses API, and the same as events. */
export const response = (output: Json, more: JsonObject = {}): JsonObject => ({
  id: 'resp_1',
  object: 'response',
  created_at: 1,
  model: 'm',
  status: 'completed',
  output,
  usage: { input_tokens: 1, output_tokens: 1, total_tokens: 2 },
  ...more,
});
export const message = (...content: JsonObject[]): JsonObject => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  status: 'completed',
  content,
});
export const said = (text: string): JsonObject => ({ type: 'output_text', text, annotations: [] });

export function responseEvents(item: JsonObject, parts: readonly JsonObject[]): string {
  const at = { item_id: 'msg_1', output_index: 0, content_index: 0 };
  return events(
    { type: 'response.created', response: response([], { status: 'in_progress' }) },
    { type: 'response.output_item.added', output_index: 0, item: { ...item, content: [], status: 'in_progress' } },
    ...parts.map((part) => ({ ...at, ...part })),
    { type: 'response.output_item.done', output_index: 0, item },
    { type: 'response.completed', response: response([item]) },
  );
}

export const gemini = (candidate: JsonObject, more: JsonObject = {}): JsonObject => ({
  candidates: [{ index: 0, ...candidate }],
  usageMetadata: { promptTokenCount: 1, totalTokenCount: 1 },
  ...more,
});
export const anthropic = (stop: string, content: JsonObject[] = []): JsonObject => ({
  type: 'message',
  id: 'msg_1',
  role: 'assistant',
  model: 'm',
  content,
  stop_reason: stop,
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
});
export const anthropicEvents = (stop: string): string =>
  events(
    { type: 'message_start', message: { ...anthropic(stop), stop_reason: null } },
    { type: 'message_delta', delta: { stop_reason: stop, stop_sequence: null }, usage: { output_tokens: 1 } },
    { type: 'message_stop' },
  );
