// JSON responses: a small one at once, a large one as a stream that waits for its reader.
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { MIB } from '../../../shared/product.ts';
import { isPlainAndSmall, jsonPieces } from '../../lib/json-pieces.ts';

/** Characters of a response that is sent as a whole, with its length. */
const MOST_WHOLE = MIB;

export async function sendJson(reply: FastifyReply, answer: unknown): Promise<FastifyReply> {
  reply.header('cache-control', 'no-store').type('application/json; charset=utf-8');
  if (isPlainAndSmall(answer)) return reply.send(JSON.stringify(answer));
  const pieces = jsonPieces(answer);
  const first: string[] = [];
  for (let length = 0; length <= MOST_WHOLE; ) {
    // oxlint-disable-next-line no-await-in-loop -- one after the other
    const next = await pieces.next();
    if (next.done === true) return reply.send(first.join(''));
    first.push(next.value);
    length += next.value.length;
  }
  if (reply.request.method === 'HEAD') {
    await pieces.return(undefined);
    return reply.send('');
  }
  return reply.send(Readable.from(joined(first, pieces), { objectMode: false }));
}

async function* joined(first: readonly string[], rest: AsyncIterable<string>): AsyncGenerator<string> {
  yield* first;
  yield* rest;
}
