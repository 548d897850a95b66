// Reads an answer's body: unpacked, and bounded while it is unpacked.
//
// 1. No more than the bound is ever held, however much a small packed body would unpack to.
// 2. The packed bytes are bounded too: a body that never yields anything ends as well.
import type { IncomingMessage } from 'node:http';
import { pipeline, Readable, type Transform } from 'node:stream';
import { createBrotliDecompress, createGunzip, createInflate, createInflateRaw } from 'node:zlib';
import { KIB } from '../../../shared/product.ts';
import { codeOf, MOSTLY_FRAMES } from './reasons.ts';
import { AnswerBroken, failed } from './request.ts';

/** What the client can unpack, as it declares to servers. */
export const ACCEPTED_ENCODINGS = 'gzip, deflate, br';
/** Bodies packed more than this often are nobody's honest answer. */
const MOST_LAYERS = 2;

export type BodyReading =
  | { ok: true; body: Uint8Array }
  | { ok: false; because: 'too_large' | 'unreadable'; detail: string };

const UNKNOWN_PACKING = 'The content encoding of the body is not supported; use gzip, deflate or br.';
const DAMAGED = 'The compressed body is corrupt.';
/** The first byte of `deflate` in the form that the standard means. */
const ZLIB_FORM = Buffer.from([0x08]);

/** Reads the body of a response that has one. Rejects when the connection breaks off. */
export async function readBody(response: IncomingMessage, maxBytes: number): Promise<BodyReading> {
  const encodings = encodingsOf(response.headers['content-encoding']);
  if (encodings === undefined) {
    return unreadable(UNKNOWN_PACKING);
  }
  if (Number(response.headers['content-length']) > maxBytes) return tooLarge(maxBytes);
  const packed = await collect(piecesOf(response), maxBytes);
  if (packed === undefined) return tooLarge(maxBytes);
  let body = packed;
  for (const encoding of body.length === 0 ? [] : encodings.toReversed()) {
    let unpacked: Buffer | undefined;
    try {
      // oxlint-disable-next-line no-await-in-loop -- each layer holds the next
      unpacked = await collect(feed(unpacking(encoding, body), body), maxBytes);
    } catch {
      return unreadable(DAMAGED);
    }
    if (unpacked === undefined) return tooLarge(maxBytes);
    body = unpacked;
  }
  return { ok: true, body };
}

/** The unpacked body as it comes. Throws AnswerBroken, or why the connection broke off. */
export async function* unpackedStream(response: IncomingMessage, maxBytes: number): AsyncGenerator<Uint8Array> {
  const encodings = encodingsOf(response.headers['content-encoding']);
  if (encodings === undefined) throw new AnswerBroken(failed('unreadable', UNKNOWN_PACKING));
  if (encodings.length === 0) return yield* bounded(piecesOf(response), maxBytes);
  const layers = encodings.toReversed().map((encoding) => unpacking(encoding, ZLIB_FORM));
  const unpacked = layers.reduce<Readable>(
    (packed, layer) => pipeline(packed, layer, () => undefined),
    Readable.from(bounded(piecesOf(response), maxBytes)),
  );
  try {
    yield* bounded(unpacked, maxBytes);
  } catch (error) {
    const isDamaged = /^(?:Z_|ERR_BROTLI|ERR__ERROR)/.test(codeOf(error));
    throw isDamaged ? new AnswerBroken(failed('unreadable', DAMAGED)) : error;
  }
}

/** Bytes on the wire beside the body. A chunk of one byte takes six of them, and the time of a large one. */
const MOST_FRAME_BYTES = 256 * KIB;
const FRAMES_TO_BODY = 4;

/** The body as it comes: each piece is all that has come meanwhile. Throws where nearly all of it is frames of chunks. */
export async function* piecesOf(response: IncomingMessage): AsyncGenerator<Buffer> {
  const { socket } = response;
  const before = socket.bytesRead;
  let length = 0;
  for await (const piece of response as AsyncIterable<Buffer>) {
    length += piece.length;
    const frames = socket.bytesRead - before - length;
    if (frames > MOST_FRAME_BYTES && frames > length * FRAMES_TO_BODY) {
      throw Object.assign(new Error('The chunks of the answer are too small.'), { code: MOSTLY_FRAMES });
    }
    yield piece;
  }
}

async function* bounded(stream: AsyncIterable<unknown>, maxBytes: number): AsyncGenerator<Uint8Array> {
  let length = 0;
  for await (const chunk of stream) {
    length += (chunk as Buffer).length;
    if (length > maxBytes) throw new AnswerBroken(failed('too_large', tooLargeWords(maxBytes)));
    yield chunk as Buffer;
  }
}

/** All bytes of a stream; undefined when there are more than the bound. The stream is ended either way. */
async function collect(stream: AsyncIterable<unknown>, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of stream) {
    length += (chunk as Buffer).length;
    if (length > maxBytes) return undefined;
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks, length);
}

function feed(stream: Transform, bytes: Buffer): Transform {
  stream.end(bytes);
  return stream;
}

type Encoding = 'gzip' | 'deflate' | 'br';

function encodingsOf(header: string | undefined): Encoding[] | undefined {
  const names = (header ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '' && name !== 'identity')
    .map((name) => (name === 'x-gzip' ? 'gzip' : name));
  const isKnown = names.every((name) => name === 'gzip' || name === 'deflate' || name === 'br');
  return isKnown && names.length <= MOST_LAYERS ? names : undefined;
}

function unpacking(encoding: Encoding, bytes: Buffer): Transform {
  switch (encoding) {
    case 'gzip':
      return createGunzip();
    case 'br':
      return createBrotliDecompress();
    case 'deflate':
      // The standard means zlib's format, whose first byte says so; many servers send the bare stream.
      return ((bytes[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw();
  }
}

function tooLarge(maxBytes: number): BodyReading {
  return { ok: false, because: 'too_large', detail: tooLargeWords(maxBytes) };
}

function tooLargeWords(maxBytes: number): string {
  const most = maxBytes >= 1024 * 1024 ? `${maxBytes / 1024 / 1024} MiB` : `${maxBytes} bytes`;
  return `The body of the response has more than ${most}.`;
}

function unreadable(detail: string): BodyReading {
  return { ok: false, because: 'unreadable', detail };
}
