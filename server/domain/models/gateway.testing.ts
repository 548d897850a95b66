// A gateway on the loopback that answers as a test says.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { JsonObject } from '../../../shared/json.ts';
import type { ModelAnswer, ModelRequest } from '../../kinds/models.ts';
import { serveHttp } from '../../lib/http-client/testing.ts';
import { CANARY_KEY } from '../../test/index.ts';
import { answerEvents, bodyOf, chatChunk, CHAT_END, givenModels, steeredClock } from './models.testing.ts';

export type Reply = (response: ServerResponse, request: IncomingMessage) => void;

/** A gateway that answers with one reply after the other; the last one again and again. */
export async function givenGateway(replies: readonly Reply[], entry: JsonObject = {}) {
  const clock = steeredClock();
  const bodies: JsonObject[] = [];
  const url = await serveHttp((request, response) => {
    void (async () => {
      const asked = bodies.push(await bodyOf(request));
      replies[Math.min(asked, replies.length) - 1]?.(response, request);
    })();
  });
  const gateway = { name: 'local', base_url: String(url), api_key: CANARY_KEY, ...entry };
  const world = givenModels({ MODEL_GATEWAYS: JSON.stringify([gateway]) }, { clock });
  /** The text passed on, by attempt. */
  const seen: string[] = [];
  const live = {
    begin: () => void seen.push(''),
    add: (text: string) => void (seen[seen.length - 1] += text),
  };
  const ask = (request: Partial<ModelRequest> = {}): Promise<ModelAnswer> => world.ask('local/m', { live, ...request });
  return { ...world, ask, bodies, clock, seen };
}

export const streams =
  (...events: JsonObject[]): Reply =>
  (response) =>
    answerEvents(response, ...events);
export const HELLO = [chatChunk({ role: 'assistant', content: 'Hel' }), chatChunk({ content: 'lo.' }), CHAT_END];
