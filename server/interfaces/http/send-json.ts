// JSON responses: a small one at once, a large one as a stream that waits for its reader.
import type { FastifyReply } from 'fastify';
import { MIB } from '../../../shared/product.ts';
import { isAsyncIterable, isPlainAndSmall, jsonPieces } from '../../lib/json-pieces.ts';
import { clientGone } from './body.ts';
import { holdFor, sendBytes, sendPieces } from './outgoing.ts';

/** Characters of a response that is sent with its length. */
const MOST_WHOLE = MIB;
/** What a response holds while its beginning is made, and then of lists that are read while they are sent. */
const BEGINNING_BYTES = 2 * MIB;
/** What a larger one holds besides that if its value was made as a whole. No value is much larger. */
const VALUE_BYTES = 6 * MIB;

/** A reply is a promise of its end, so this returns none: each function that passed it on would wait for it. */
export async function sendJson(reply: FastifyReply, answer: unknown): Promise<void> {
  reply.header('cache-control', 'no-store').type('application/json; charset=utf-8');
  if (isPlainAndSmall(answer)) return void sendBytes(reply, Buffer.from(JSON.stringify(answer)));
  holdFor(reply, BEGINNING_BYTES);
  const pieces = jsonPieces(answer);
  const first: string[] = [];
  for (let length = 0; length <= MOST_WHOLE; ) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const next = await pieces.next();
    if (next.done === true) return void sendBytes(reply, Buffer.from(first.join('')), 0);
    first.push(next.value);
    length += next.value.length;
    if (!reply.raw.destroyed) continue;
    // oxlint-disable-next-line no-await-in-loop -- the last time
    await pieces.return(undefined);
    throw clientGone();
  }
  sendPieces(reply, joined(first, pieces), isReadWhileSent(answer) ? 0 : VALUE_BYTES);
}

function isReadWhileSent(answer: unknown): boolean {
  return typeof answer === 'object' && answer !== null && Object.values(answer).some(isAsyncIterable);
}

async function* joined(first: string[], rest: AsyncIterable<string>): AsyncGenerator<string> {
  for (let piece = first.shift(); piece !== undefined; piece = first.shift()) yield piece;
  yield* rest;
}
