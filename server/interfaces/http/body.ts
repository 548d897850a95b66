import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Issue } from '../../../shared/issues.ts';
import { isJsonObject, type JsonObject } from '../../../shared/json.ts';
import { KIB } from '../../../shared/product.ts';
import { yieldToEventLoop } from '../../lib/event-loop.ts';
import { type JsonBounds, jsonBounds, readJson } from '../../lib/json-bounds.ts';
import { badRequest, Refused } from '../../lib/rejection.ts';
import type { Operation } from '../../operations/index.ts';
import { valuesOf } from './guards.ts';

/** The maximum nesting depth of a body, unless its operation sets another. */
const DEFAULT_DEPTH = 64;

export interface BodyLimits {
  bytes: number;
  json: JsonBounds;
}

/** Counts bytes of a request that are in memory until it is answered. */
export type Hold = (bytes: number) => void;

/** Reading a larger body takes milliseconds, and many of them much memory. */
export const LARGE_BYTES = 32 * KIB;

/** The limits of an operation's bodies, computed once. */
export function bodyLimits({
  depths,
  bodyBytes,
  bodyValues,
}: Pick<Operation, 'depths' | 'bodyBytes' | 'bodyValues'>): BodyLimits {
  return { bytes: bodyBytes, json: jsonBounds(depths, DEFAULT_DEPTH, bodyValues) };
}

export interface Body {
  fields: JsonObject;
  /** Issues found while reading; they are reported after the existence of what the path names is checked. */
  issues: readonly Issue[];
}

export function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** Closes the connection after the response if the body was not read completely. */
export function endUnread({ raw }: FastifyRequest, reply: FastifyReply): void {
  if (!raw.complete && hasBody(raw)) reply.header('connection', 'close');
}

/**
 * Reads the body of a command: JSON in UTF-8, uncompressed; an empty body is `{}`.
 * @param hold counts bytes that are in memory now
 * @param takeTurn waits, once all bytes have arrived, until the request may begin
 * @throws Refused `unsupported_media_type`, `content_too_large` or `bad_request`
 */
export async function readBody(
  request: IncomingMessage,
  limits: BodyLimits,
  { hold, takeTurn }: { hold: Hold; takeTurn: () => Promise<void> | undefined },
): Promise<Body> {
  const bytes = hasBody(request) ? await readBodyBytes(request, limits.bytes, hold) : Buffer.alloc(0);
  const turn = takeTurn();
  if (turn !== undefined) await turn;
  if (bytes.length === 0) return { fields: {}, issues: [] };
  const read = readJson(bytes, limits.json);
  if (!read.ok) {
    throw read.isTooMuch ? new Refused({ reason: 'content_too_large', detail: read.detail }) : badRequest(read.detail);
  }
  // What the operation does with a large body is another part of the main thread's work.
  if (bytes.length > LARGE_BYTES) await yieldToEventLoop();
  if (!isJsonObject(read.value)) throw badRequest('The body must be a JSON object with the fields as its members.');
  return { fields: read.value, issues: read.issues };
}

/** The bytes of a body whose type is JSON. @throws Refused `unsupported_media_type` or `content_too_large` */
export async function readBodyBytes(request: IncomingMessage, most: number, hold: Hold): Promise<Buffer> {
  requireJson(request);
  if (Number(request.headers['content-length'] ?? 0) > most) throw tooLarge(most);
  return readBytes(request, most, hold);
}

function requireJson(request: IncomingMessage): void {
  requireUnencoded(request);
  if (!/^application\/json[ \t]*(;[ \t]*charset[ \t]*=[ \t]*("utf-8"|utf-8)[ \t]*)?$/i.test(contentTypeOf(request))) {
    throw unsupported('The body must be JSON in UTF-8; send it with `Content-Type: application/json`.');
  }
}

/** @throws Refused `unsupported_media_type` for a body that is encoded or compressed */
export function requireUnencoded({ headers }: IncomingMessage): void {
  const transfer = headers['transfer-encoding'];
  if (transfer !== undefined && transfer.trim().toLowerCase() !== 'chunked') {
    throw unsupported('The body has a transfer coding other than chunked; send it with Content-Length, or chunked.');
  }
  const encoding = headers['content-encoding'];
  if (encoding !== undefined && encoding.toLowerCase() !== 'identity') {
    throw unsupported('The body is compressed; send it without Content-Encoding.');
  }
}

/** Empty if there is no Content-Type. @throws Refused `bad_request` if there are several */
export function contentTypeOf(request: IncomingMessage): string {
  const [type = '', ...more] = valuesOf(request, 'content-type');
  if (more.length > 0) throw badRequest('Send exactly one Content-Type header.');
  return type;
}

/** Every chunk costs an object, however small it is; well-behaved clients send several KiB per chunk. */
const MOST_CHUNKS = 16 * 1024;

/** Uses event listeners: an async iterator costs more than all other work on a small body. */
export function readBytes(request: IncomingMessage, most: number, hold: Hold): Promise<Buffer> {
  askForBody(request);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let length = 0;
    request.on('data', (chunk: Buffer) => {
      length += chunk.length;
      if (length > most) reject(tooLarge(most));
      else if (chunks.length === MOST_CHUNKS)
        reject(badRequest(`The body has more than ${MOST_CHUNKS} chunks; send larger chunks.`));
      else chunks.push(chunk);
      if (length > LARGE_BYTES) hold(length - chunk.length > LARGE_BYTES ? chunk.length : length);
    });
    request.on('end', () =>
      resolve(chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks)),
    );
    const gone = (): void => {
      if (!request.complete) reject(clientGone());
    };
    // A reset connection emits an error first.
    request.on('error', gone);
    request.on('close', gone);
  });
}

export function clientGone(): Refused {
  const detail = 'The client closed the connection before its body was read.';
  return new Refused({ reason: 'client_closed_request', detail });
}

export function unsupported(detail: string): Refused {
  return new Refused({ reason: 'unsupported_media_type', detail });
}

export function tooLarge(most: number): Refused {
  return new Refused({
    reason: 'content_too_large',
    detail: `The body is larger than ${most} bytes, the limit of this operation.`,
  });
}

// Expect: 100-continue (RFC 9110, section 10.1.1): the client sends its body only once it is asked to. Node asks
// immediately, before anything can be refused; this server asks when it is about to read the body.
const expecting = new WeakMap<IncomingMessage, ServerResponse>();

/** Handles requests with that header like all others. */
export function deferContinue(server: Server): void {
  server.on('checkContinue', (request: IncomingMessage, response: ServerResponse) => {
    expecting.set(request, response);
    server.emit('request', request, response);
  });
}

/** Must be called before a body is read. */
export function askForBody(request: IncomingMessage): void {
  expecting.get(request)?.writeContinue();
  expecting.delete(request);
}
