import { createHash } from 'node:crypto';
import type { FastifyRequest } from 'fastify';

/** A strong tag of the bytes. */
export function entityTag(content: string | Buffer): string {
  return `"${createHash('sha256').update(content).digest('base64url')}"`;
}

/** Whether the client has what the tag names (RFC 9110, section 13.1.2). */
export function isKnown(request: FastifyRequest, tag: string): boolean {
  const asked = request.headers['if-none-match'];
  const entries = asked?.split(',').map((entry) => entry.trim().replace(/^W\//, '')) ?? [];
  return entries.some((entry) => entry === '*' || entry === tag);
}
