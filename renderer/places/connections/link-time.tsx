import { Clock } from 'lucide-react';
import { useNow } from '../../ui/use-now.ts';
import { linkEnd } from './link-parts.ts';

export function useLinkIsOpen(connection: { added_at: string }): boolean {
  return useNow() < linkEnd(connection);
}

/** How long the link is open still. It is not read aloud each second. */
export function LinkTime({ connection }: { connection: { added_at: string } }) {
  const left = Math.max(0, Math.ceil((linkEnd(connection) - useNow()) / 1_000));
  const words = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`;
  return (
    <span className="connection-status number" role="timer" aria-label={`The link is open for ${words}`}>
      <Clock size={15} aria-hidden style={{ color: 'var(--cue-quiet)' }} />
      {left === 0 ? 'The link is over' : `${words} left`}
    </span>
  );
}
