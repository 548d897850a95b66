// The link on which a person approves a connection: its address, and how long it is valid.
import { Clock } from 'lucide-react';
import type { AddedConnection } from '../../../shared/api/index.ts';
import { useNow } from '../../ui/use-now.ts';

/** Links of the connections added on this page. Their tokens are kept nowhere else. */
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

/** The parameters of a link, for the page in this studio. */
export function searchOf(url: string): { server: string; org: string; connection: string; token: string } {
  const query = new URL(url).searchParams;
  const text = (name: string): string => query.get(name) ?? '';
  return { server: text('server'), org: text('org'), connection: text('connection'), token: text('token') };
}

/** Milliseconds that a link is valid after its connection was added. */
const LIFE = 600_000;

function linkEnd({ added_at }: { added_at: string }): number {
  return Date.parse(added_at) + LIFE;
}

export function useLinkIsOpen(connection: { added_at: string }): boolean {
  return useNow() < linkEnd(connection);
}

/** How long the link is still valid. Screen readers do not announce every second. */
export function LinkTime({ connection }: { connection: { added_at: string } }) {
  const seconds = Math.max(0, Math.ceil((linkEnd(connection) - useNow()) / 1_000));
  const words = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  return (
    <span className="connection-status number" role="timer" aria-label={`The link is valid for ${words}`}>
      <Clock size={15} aria-hidden style={{ color: 'var(--cue-quiet)' }} />
      {seconds === 0 ? 'Link expired' : `${words} left`}
    </span>
  );
}
