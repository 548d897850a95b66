// Routes without a caller: they return the same to everyone.
import { createHash } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { ANY_METHOD } from './bare-server.ts';
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
  const tag = entityTag(content);
  reply.header('etag', tag).header('cache-control', 'public, max-age=300');
  return isKnown(request, tag) ? reply.code(304).send() : reply.type(type).send(Buffer.from(content));
}

/** A strong ETag of the content. */
export function entityTag(content: string | Buffer): string {
  return `"${createHash('sha256').update(content).digest('base64url')}"`;
}

/** Whether the client already has the content with this tag (RFC 9110, section 13.1.2). */
export function isKnown(request: FastifyRequest, tag: string): boolean {
  const asked = request.headers['if-none-match'];
  const entries = asked?.split(',').map((entry) => entry.trim().replace(/^W\//, '')) ?? [];
  return entries.some((entry) => entry === '*' || entry === tag);
}
