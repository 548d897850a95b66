// How responses are sent: in pieces, each once the one before was taken. Only the source of a response counts as held.
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { KIB } from '../../../shared/product.ts';
import { createYielder } from '../../lib/event-loop.ts';
import { networkOf } from '../../lib/http-client/index.ts';

const PIECE_BYTES = 64 * KIB;

/** Counts what a request holds until its response was read. */
export function holdFor({ server, raw, request }: FastifyReply, bytes: number): void {
  const { caller, ip } = request;
  const isKnown = caller !== null && caller !== undefined;
  server.heldBytes.hold(raw, isKnown ? `${caller.org ?? ''} ${caller.id}` : networkOf(ip), bytes);
}

/** Sends a response of which so many bytes are held until it is read; absent: its size. Several may share their bytes. */
export function sendBytes(reply: FastifyReply, bytes: Buffer, held = bytes.length): FastifyReply {
  if (bytes.length <= PIECE_BYTES) return reply.send(bytes);
  reply.header('content-length', bytes.length);
  return sendPieces(reply, inTurns(piecesOf(bytes)), held);
}

/** Other work runs between two pieces. */
async function* inTurns(pieces: Iterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const yieldIfLong = createYielder();
  for (const piece of pieces) {
    // oxlint-disable-next-line no-await-in-loop -- between two pieces
    await yieldIfLong();
    yield piece;
  }
}

/** Sends pieces as they are made, no faster than they are read. */
export function sendPieces(
  reply: FastifyReply,
  pieces: AsyncIterable<Uint8Array | string>,
  held: number,
): FastifyReply {
  if (reply.request.method === 'HEAD') return reply.send('');
  if (held > 0) holdFor(reply, held);
  return reply.send(Readable.from(watched(reply, pieces), { objectMode: false }));
}

async function* watched<Piece>({ server, raw }: FastifyReply, pieces: AsyncIterable<Piece>): AsyncGenerator<Piece> {
  for await (const piece of pieces) {
    yield piece;
    server.heldBytes.moved(raw);
  }
}

/** Views of the bytes, so that each is written once the one before was taken. */
export function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}
