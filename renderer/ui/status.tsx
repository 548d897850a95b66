import { CircleCheck, CircleDashed, CircleDot, CircleMinus, CircleSlash, CircleX, type LucideIcon } from 'lucide-react';
import { type StatusFields, type StatusLabel, statusLabelOf, type StatusTone } from '../../shared/status-label.ts';

/** One icon for each word, so that status never depends on colour alone. */
const ICONS: Readonly<Record<StatusLabel['word'], LucideIcon>> = {
  Running: CircleDot,
  Waiting: CircleDashed,
  Succeeded: CircleCheck,
  Rejected: CircleSlash,
  Cancelled: CircleMinus,
  Failed: CircleX,
};

const COLOURS: Readonly<Record<StatusTone, string>> = {
  blue: 'var(--cue-busy)',
  'hollow-blue': 'var(--cue-busy)',
  green: 'var(--cue-good)',
  amber: 'var(--cue-warn)',
  grey: 'var(--cue-quiet)',
  red: 'var(--cue-bad)',
};

export interface StatusBadge extends StatusLabel {
  icon: LucideIcon;
  /** A CSS colour. */
  colour: string;
}

export function statusBadgeOf(run: StatusFields): StatusBadge {
  const label = statusLabelOf(run);
  return { ...label, icon: ICONS[label.word], colour: COLOURS[label.tone] };
}

/** The status of a run, with what it waits for or why it was rejected. */
export function Status({ run }: { run: StatusFields }) {
  const { word, about, icon: Icon, colour } = statusBadgeOf(run);
  return (
    <span style={{ display: 'inline-flex', alignItems: 'center', gap: 6, maxWidth: '100%', verticalAlign: 'middle' }}>
      <Icon size={16} aria-hidden style={{ color: colour, flexShrink: 0 }} />
      {/* A box that is too wide for its cell is clipped; only text gets an ellipsis. */}
      <span className="cell">
        {word}
        {about !== undefined && (
          <span style={{ color: 'var(--mantine-color-dimmed)' }}>
            {word === 'Waiting' ? ' for ' : ': '}
            {about}
          </span>
        )}
      </span>
    </span>
  );
}
