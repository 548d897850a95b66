import { CircleCheck, CircleDot, CircleSlash, CircleX, type LucideIcon } from 'lucide-react';
import type { RunStatus } from '../api/operations.ts';

export const STATUSES: Readonly<Record<RunStatus, { icon: LucideIcon; colour: string; word: string }>> = {
  started: { icon: CircleDot, colour: 'var(--cue-busy)', word: 'Going on' },
  succeeded: { icon: CircleCheck, colour: 'var(--cue-good)', word: 'Succeeded' },
  rejected: { icon: CircleSlash, colour: 'var(--cue-warn)', word: 'Rejected' },
  failed: { icon: CircleX, colour: 'var(--cue-bad)', word: 'Failed' },
};

export function Status({ status, reason }: { status: RunStatus; reason?: string | undefined }) {
  const { icon: Icon, colour, word } = STATUSES[status];
  return (
    <span
      style={{ display: 'inline-flex', alignItems: 'center', gap: 6, verticalAlign: 'middle', whiteSpace: 'nowrap' }}
    >
      <Icon size={16} aria-hidden style={{ color: colour, flexShrink: 0 }} />
      {word}
      {reason !== undefined && (
        <span style={{ color: 'var(--mantine-color-dimmed)' }}>{reason.replaceAll('_', ' ')}</span>
      )}
    </span>
  );
}
