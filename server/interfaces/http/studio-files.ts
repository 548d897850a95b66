// The studio as static files: the page at `/`, and its assets at `/assets/`.
import { createReadStream } from 'node:fs';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { notFound } from '../../lib/rejection.ts';
import { isKnown, sendShared, sharedContent } from './public-routes.ts';

export interface StudioFiles {
  /** HTML. */
  page: string;
  /**
   * The files at `/assets/NAME`. A name contains a digest of the content, so a file never changes; the name of the bundle
   * (`.mcpb`) contains only a version.
   */
  assets: ReadonlyMap<string, Asset>;
  /** The script that redirects a connect link to the page in the studio; undefined if there is no studio. */
  connectScript?: string | undefined;
  /** Whether people can sign in to the studio with a session of the identity service, which approving a connection takes. */
  offersSessions?: boolean;
  /** Other origins that the page needs to sign people in. */
  signInOrigins?: { scripts: readonly string[]; requests: readonly string[] };
}

export interface Asset {
  file: string;
  mediaType: string;
  bytes: number;
}

/**
 * The page may load scripts, styles and workers from its own origin and send requests to it, and to where people sign
 * in. Inline styles are permitted because the editor and the components add styles at run time.
 */
function policyOf({ signInOrigins: { scripts, requests } = { scripts: [], requests: [] } }: StudioFiles): string {
  return [
    "default-src 'none'",
    ["script-src 'self'", ...scripts].join(' '),
    "worker-src 'self'",
    ["connect-src 'self'", ...requests].join(' '),
    "style-src 'self' 'unsafe-inline'",
    "font-src 'self' data:",
    "img-src 'self' data:",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
}

export function sendPage(request: FastifyRequest, reply: FastifyReply, studio: StudioFiles): FastifyReply {
  const { page } = studio;
  const { bytes, tag } = sharedContent(page);
  // The page is revalidated every time; its assets are cached for ever, because a new version has new names.
  reply.headers({
    etag: tag,
    'cache-control': 'no-cache',
    'content-security-policy': policyOf(studio),
    'cross-origin-opener-policy': 'same-origin',
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  });
  if (isKnown(request, tag)) return reply.code(304).send();
  return sendShared(reply.type('text/html; charset=utf-8'), bytes);
}

export function sendAsset(request: FastifyRequest, reply: FastifyReply, studio: StudioFiles): FastifyReply {
  const { name = '' } = request.params as { name?: string };
  const asset = studio.assets.get(name);
  if (asset === undefined) throw notFound('The studio has no such file; reload the page.');
  return reply
    .headers({
      'cache-control': name.endsWith('.mcpb') ? 'no-cache' : 'public, max-age=31536000, immutable',
      'content-length': asset.bytes,
      // A worker runs under the policy of its own script.
      'content-security-policy': policyOf(studio),
      'x-content-type-options': 'nosniff',
    })
    .type(asset.mediaType)
    .send(request.method === 'HEAD' ? undefined : createReadStream(asset.file));
}
