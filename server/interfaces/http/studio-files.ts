// The studio as static files: the page at `/`, and what it loads from `/assets/`.
import { createReadStream } from 'node:fs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { notFound } from '../../lib/rejection.ts';
import { entityTag, isKnown } from './public-routes.ts';

export interface StudioFiles {
  /** HTML. */
  page: string;
  /**
   * What `/assets/NAME` serves. A name holds a digest of what the file holds, so that it never changes; that of the
   * bundle (`.mcpb`) holds a version alone.
   */
  assets: ReadonlyMap<string, Asset>;
  /** The asset that leads from a connect link to the page in the studio; undefined where there is no studio. */
  connectScript?: string | undefined;
}

export interface Asset {
  file: string;
  mediaType: string;
  bytes: number;
}

/**
 * What the page may do: load scripts, styles and workers of its own origin and talk to it. Styles may stand in the
 * page as well: the editor and the components write theirs at run time.
 */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "worker-src 'self'",
  "connect-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "font-src 'self' data:",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export function givePage(request: FastifyRequest, reply: FastifyReply, studio: StudioFiles): FastifyReply {
  const tag = entityTag(studio.page);
  // A new version has a new page: it is asked for every time, and its assets never again.
  reply.headers({
    etag: tag,
    'cache-control': 'no-cache',
    'content-security-policy': POLICY,
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  });
  if (isKnown(request, tag)) return reply.code(304).send();
  return reply.type('text/html; charset=utf-8').send(Buffer.from(studio.page));
}

export function giveAsset(request: FastifyRequest, reply: FastifyReply, studio: StudioFiles): FastifyReply {
  const { name = '' } = request.params as { name?: string };
  const asset = studio.assets.get(name);
  if (asset === undefined) throw notFound('The studio has no such file; load its page again.');
  return reply
    .headers({
      'cache-control': name.endsWith('.mcpb') ? 'no-cache' : 'public, max-age=31536000, immutable',
      'content-length': asset.bytes,
      // A worker runs under the policy that its own script came with.
      'content-security-policy': POLICY,
      'x-content-type-options': 'nosniff',
    })
    .type(asset.mediaType)
    .send(request.method === 'HEAD' ? undefined : createReadStream(asset.file));
}
