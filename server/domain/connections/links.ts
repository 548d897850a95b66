// The link by which a person opens the connect page: valid once, for ten minutes. Only the SHA-256 digest of its
// token is stored.
import { createHash, timingSafeEqual } from 'node:crypto';
import { randomBytes } from '../../lib/random.ts';
import type { OpenConnectLink } from './sql.ts';

const LIFE_MS = 600_000;
const TOKEN_BYTES = 32;

export function makeLink(now: number): { token: string; link: OpenConnectLink } {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  return { token, link: { token_sha256: digestOf(token).toString('hex'), expires_at: now + LIFE_MS } };
}

/** Whether the token is that of a link which is still open. */
export function opens(link: OpenConnectLink | undefined, token: string, now: number): boolean {
  if (link === undefined || now >= link.expires_at) return false;
  return timingSafeEqual(digestOf(token), Buffer.from(link.token_sha256, 'hex'));
}

function digestOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}
