// Links of connections that were added here, for as long as the page is open: nowhere else are their tokens kept.
import type { AddedConnection } from '../../../shared/api/index.ts';

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
