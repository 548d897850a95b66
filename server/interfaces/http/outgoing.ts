// What responses hold in memory until their clients have read them.
//
// 1. All together hold at most `MOST_HELD`. Beyond that, the caller whose responses hold the most loses the one of them
//    that was read from least lately: its connection is closed. So a caller that reads nothing ends its own responses.
// 2. A response is sent in pieces, each once the one before was taken; only its source counts as held.
import type { ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';
import { KIB, MIB } from '../../../shared/product.ts';
import { createYielder } from '../../lib/event-loop.ts';
import { networkOf } from '../../lib/http-client/index.ts';

const MOST_HELD = 256 * MIB;
const PIECE_BYTES = 64 * KIB;

export interface Outgoing {
  /** Counts bytes until the response is closed. @param owner the caller, or an address */
  hold: (response: ServerResponse, owner: string, bytes: number) => void;
  /** A piece of the response was taken. */
  moved: (response: ServerResponse) => void;
}

declare module 'fastify' {
  interface FastifyInstance {
    outgoing: Outgoing;
  }
}

interface Held {
  owner: string;
  bytes: number;
}

export function createOutgoing(most = MOST_HELD): Outgoing {
  /** Those that were read from least lately come first. */
  const held = new Map<ServerResponse, Held>();
  const byOwner = new Map<string, number>();
  let total = 0;

  function count(owner: string, bytes: number): void {
    total += bytes;
    const own = (byOwner.get(owner) ?? 0) + bytes;
    if (own === 0) byOwner.delete(owner);
    else byOwner.set(owner, own);
  }

  function release(response: ServerResponse): void {
    const { owner, bytes } = held.get(response) ?? { owner: '', bytes: 0 };
    if (held.delete(response)) count(owner, -bytes);
  }

  function endOne(): void {
    const [largest] = [...byOwner].toSorted(([, a], [, b]) => b - a);
    const [response] = [...held].find(([, { owner }]) => owner === largest?.[0]) ?? [];
    if (response === undefined) return;
    release(response);
    response.destroy();
  }

  return {
    hold(response, owner, bytes) {
      if (response.destroyed) return;
      const before = held.get(response);
      if (before === undefined) response.once('close', () => release(response));
      held.set(response, { owner, bytes: bytes + (before?.bytes ?? 0) });
      count(owner, bytes);
      while (total > most) endOne();
    },
    moved(response) {
      const one = held.get(response);
      if (one === undefined) return;
      held.delete(response);
      held.set(response, one);
    },
  };
}

/** Counts what the response to a request holds. */
export function holdFor({ server, raw, request }: FastifyReply, bytes: number): void {
  const { caller, ip } = request;
  const isKnown = caller !== null && caller !== undefined;
  server.outgoing.hold(raw, isKnown ? `${caller.org ?? ''} ${caller.id}` : networkOf(ip), bytes);
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
    server.outgoing.moved(raw);
  }
}

/** Views of the bytes, so that each is written once the one before was taken. */
export function* piecesOf(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES);
}
