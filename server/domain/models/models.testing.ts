// Models over real settings and a real provider on the loopback, for tests.
import type { IncomingMessage, ServerResponse } from 'node:http';
import pino from 'pino';
import { onTestFinished } from 'vitest';
import type { JsonObject } from '../../../shared/json.ts';
import { type Clock, systemClock } from '../../lib/clock.ts';
import type { HttpClient } from '../../lib/http-client/index.ts';
import { createTextWork } from '../../lib/text-work/index.ts';
import { createTelemetry } from '../../lib/telemetry/index.ts';
import type { ModelAnswer, ModelRequest } from '../../kinds/models.ts';
import { readSettings } from '../../settings/index.ts';
import { CANARY_PROMPT, refuseCanaries, temporaryFolder } from '../../test/index.ts';
import { Models, listProvidersWithKeys } from './index.ts';

export interface SteeredClock extends Clock {
  /** The waits before further attempts that were asked for: they are over at once, and time stands where it was. */
  waits: number[];
  /** Moves the time on and wakes what became due. */
  skip(milliseconds: number): void;
}

/** Those that are planned, and the shortest that a provider can ask for. */
const ATTEMPT_WAITS = [1000, 2000, 4000];

/** The system's clock, but that nothing has to be waited for: no test depends on how fast its machine is. */
export function steeredClock(): SteeredClock {
  let skipped = 0;
  const pending = new Set<{ at: number; wake: () => void; callOff: () => void }>();
  const waits: number[] = [];
  const now = (): number => Date.now() + skipped;
  function wakeAfter(remaining: number, wake: () => void): () => void {
    const wait = ATTEMPT_WAITS.find((milliseconds) => remaining <= milliseconds && remaining > milliseconds - 100);
    if (wait !== undefined) {
      waits.push(wait);
      const soon = setImmediate(wake);
      return () => clearImmediate(soon);
    }
    const entry = { at: now() + remaining, wake, callOff: () => undefined as void };
    const forget = (): void => void pending.delete(entry);
    entry.callOff = systemClock.wakeAfter(remaining, () => {
      forget();
      wake();
    });
    pending.add(entry);
    return () => {
      entry.callOff();
      forget();
    };
  }
  return {
    waits,
    now,
    wakeAt: (at, wake) => wakeAfter(at - now(), wake),
    elapsed: () => systemClock.elapsed() + skipped,
    wakeAfter,
    skip(milliseconds) {
      skipped += milliseconds;
      for (const entry of [...pending].toSorted((a, b) => a.at - b.at)) {
        if (entry.at > now() || !pending.delete(entry)) continue;
        entry.callOff();
        entry.wake();
      }
    },
  };
}

export interface ModelsWorld {
  models: Models;
  logged: JsonObject[];
  ask: (model: string, request?: Partial<ModelRequest>) => Promise<ModelAnswer>;
}

export function givenModels(
  environment: Record<string, string>,
  given: { clock?: Clock; client?: HttpClient } = {},
): ModelsWorld {
  const { clock = systemClock } = given;
  const folder = temporaryFolder();
  const settings = readSettings({ ...environment, DATA_DIR: folder.path }, {}, listProvidersWithKeys);
  const logged: JsonObject[] = [];
  const textWork = createTextWork();
  const models = new Models({
    settings: settings.models,
    textWork,
    clock,
    logger: pino({ level: 'debug' }, { write: (line: string) => void logged.push(JSON.parse(line) as JsonObject) }),
    telemetry: createTelemetry({ endpoint: undefined, version: 'test', onError: () => undefined }),
    ...(given.client === undefined ? {} : { client: given.client }),
  });
  onTestFinished(async () => {
    models.close();
    await textWork.close();
    folder.remove();
    refuseCanaries(JSON.stringify(logged), 'the log');
  });
  return {
    models,
    logged,
    ask: (model, request = {}) =>
      models.ask({
        org: 'local',
        playbook: 'desk',
        runId: 'run-1',
        model,
        messages: [{ role: 'user', text: CANARY_PROMPT }],
        quoted: [CANARY_PROMPT],
        schema: undefined,
        tools: [],
        settings: { maxOutputTokens: 1024 },
        providerOptions: {},
        signal: new AbortController().signal,
        ...request,
      }),
  };
}

export function chatAnswer(message: JsonObject, more: JsonObject = {}): JsonObject {
  return {
    id: 'chat-1',
    object: 'chat.completion',
    created: 1,
    model: 'reported-model',
    choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', ...message }, ...more }],
    usage: {
      prompt_tokens: 10,
      completion_tokens: 5,
      total_tokens: 15,
      prompt_tokens_details: { cached_tokens: 4 },
    },
  };
}

/** A piece of a streamed answer. */
export function chatChunk(delta: JsonObject, more: JsonObject = {}): JsonObject {
  const choice = { index: 0, finish_reason: null, delta, ...more };
  return { id: 'chat-1', object: 'chat.completion.chunk', created: 1, model: 'reported-model', choices: [choice] };
}

export const CHAT_END = chatChunk({}, { finish_reason: 'stop' });
export const CHAT_USAGE: JsonObject = { ...chatChunk({}), choices: [], usage: chatAnswer({})['usage'] ?? {} };

/** Writes events of a stream, which stays open. */
export function writeEvents(response: ServerResponse, ...events: readonly JsonObject[]): void {
  if (!response.headersSent) response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const event of events) response.write(`data: ${JSON.stringify(event)}\n\n`);
}

export function answerEvents(response: ServerResponse, ...events: readonly JsonObject[]): void {
  writeEvents(response, ...events);
  response.end('data: [DONE]\n\n');
}

export function answerJson(response: ServerResponse, status: number, body: unknown, headers = {}): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(typeof body === 'string' ? body : JSON.stringify(body));
}

export async function bodyOf(request: IncomingMessage): Promise<JsonObject> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text === '' ? {} : (JSON.parse(text) as JsonObject);
}
