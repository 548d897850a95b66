import { CircleCheck, CircleDashed, Trash2, CircleX, type LucideIcon } from 'lucide-react';
import type { Connection } from '../../../shared/api/index.ts';

const STATUSES: Readonly<Record<Connection['status'], { icon: LucideIcon; colour: string; word: string }>> = {
  pending: { icon: CircleDashed, colour: 'var(--cue-warn)', word: 'Waiting for approval' },
  connected: { icon: CircleCheck, colour: 'var(--cue-good)', word: 'Connected' },
  broken: { icon: CircleX, colour: 'var(--cue-bad)', word: 'Broken' },
  removed: { icon: Trash2, colour: 'var(--cue-quiet)', word: 'Removed' },
};

export function ConnectionStatus({ status }: { status: Connection['status'] }) {
  const { icon: Icon, colour, word } = STATUSES[status];
  return (
    <span className="connection-status">
      <Icon size={16} aria-hidden style={{ color: colour }} />
      {word}
    </span>
  );
}
