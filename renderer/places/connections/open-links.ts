// Links of connections that were added here, for as long as the page is open: nowhere else are their tokens kept.
import type { AddedConnection } from '../../../shared/schemas/index.ts';

const LINKS = new Map<string, string>();

export function keepLink({ id, connect }: AddedConnection): void {
  LINKS.set(id, connect.url);
}

export function linkOf(id: string): string | undefined {
  return LINKS.get(id);
}

export function dropLink(id: string): void {
  LINKS.delete(id);
}

/** What the link's address holds, for the page in this studio. */
export function searchOf(url: string): { server: string; org: string; connection: string; token: string } {
  const query = new URL(url).searchParams;
  const text = (name: string): string => query.get(name) ?? '';
  return { server: text('server'), org: text('org'), connection: text('connection'), token: text('token') };
}

/** Milliseconds that a link is open from when its connection was added. */
const LIFE = 600_000;

export function linkEnd({ added_at }: { added_at: string }): number {
  return Date.parse(added_at) + LIFE;
}
