// Routes that only give, and give the same to everyone.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { entityTag, isKnown } from './entity-tag.ts';
import { refuseOtherMethods } from './routes.ts';

/** A route that needs no caller: no Host, Origin or Authorization check stands before it. It takes GET and HEAD. */
export function giveToAnyone(
  app: FastifyInstance,
  url: string,
  handler: (request: FastifyRequest, reply: FastifyReply) => unknown,
): void {
  app.route({
    method: app.supportedMethods,
    url,
    config: { withoutCaller: true },
    handler: async (request, reply) => {
      refuseOtherMethods(request, reply);
      return handler(request, reply);
    },
  });
}

/** Answers bytes that change only with a new start: a strong ETag, five minutes of cache, 304 (RFC 9110, section 13). */
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
