// Routes without a caller: they return the same to everyone.
import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { KIB, MIB } from '../../../shared/product.ts';
import { ANY_METHOD } from './bare-server.ts';
import { sendBytes } from './outgoing.ts';
import { refuseOtherMethods } from './routes.ts';

/** Adds a route without Host, Origin and Authorization checks. It supports GET and HEAD. */
export function addPublicRoute(
  app: FastifyInstance,
  url: string,
  handler: (request: FastifyRequest, reply: FastifyReply) => unknown,
): void {
  app.route({
    method: ANY_METHOD,
    url,
    config: { withoutCaller: true },
    handler: async (request, reply) => {
      refuseOtherMethods(request, reply);
      return handler(request, reply);
    },
  });
}

/** Sends bytes that change only on restart: with a strong ETag, five minutes of caching, and 304 (RFC 9110, section 13). */
export function cached(
  request: FastifyRequest,
  reply: FastifyReply,
  type: string,
  content: string | Buffer,
): FastifyReply {
  const { bytes, tag } = sharedContent(content);
  reply.header('etag', tag).header('cache-control', 'public, max-age=300');
  return isKnown(request, tag) ? reply.code(304).send() : sendShared(reply.type(type), bytes);
}

export interface SharedContent {
  bytes: Buffer;
  /** A strong ETag. */
  tag: string;
}

/** Of contents that were sent last: however many clients read one, its bytes are in memory once. */
const contents = new LRUCache<string | Buffer, SharedContent>({
  maxSize: 64 * MIB,
  sizeCalculation: ({ bytes }) => bytes.length + 1,
});

export function sharedContent(content: string | Buffer): SharedContent {
  const known = contents.get(content);
  if (known !== undefined) return known;
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  const made = { bytes, tag: `"${createHash('sha256').update(bytes).digest('base64url')}"` };
  contents.set(content, made);
  return made;
}

/** What a response of shared bytes holds: the pieces on their way. */
const SHARED_BYTES = 128 * KIB;

export function sendShared(reply: FastifyReply, bytes: Buffer): FastifyReply {
  return sendBytes(reply, bytes, SHARED_BYTES);
}

/** Whether the client already has the content with this tag (RFC 9110, section 13.1.2). */
export function isKnown(request: FastifyRequest, tag: string): boolean {
  const asked = request.headers['if-none-match'];
  const entries = asked?.split(',').map((entry) => entry.trim().replace(/^W\//, '')) ?? [];
  return entries.some((entry) => entry === '*' || entry === tag);
}
