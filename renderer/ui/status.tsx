import {
  Bug,
  CircleCheck,
  CircleDashed,
  CircleDot,
  CircleMinus,
  CircleSlash,
  CircleX,
  ClockAlert,
  type LucideIcon,
  MailX,
  OctagonAlert,
} from 'lucide-react';
import { type Outcome, type OutcomeFields, outcomeOf, type OutcomeTone } from '../../shared/outcome-words.ts';

/** One icon for each word, so that status never depends on colour alone. */
const ICONS: Readonly<Record<Outcome['word'], LucideIcon>> = {
  Running: CircleDot,
  Waiting: CircleDashed,
  Succeeded: CircleCheck,
  'Invalid input': OctagonAlert,
  Cancelled: CircleMinus,
  Expired: ClockAlert,
  Undelivered: MailX,
  'Program error': Bug,
  Refused: CircleSlash,
  Failed: CircleX,
};

const COLOURS: Readonly<Record<OutcomeTone, string>> = {
  blue: 'var(--cue-busy)',
  'hollow-blue': 'var(--cue-busy)',
  green: 'var(--cue-good)',
  amber: 'var(--cue-warn)',
  grey: 'var(--cue-quiet)',
  red: 'var(--cue-bad)',
};

export interface OutcomeLook extends Outcome {
  icon: LucideIcon;
  /** As CSS writes it. */
  colour: string;
}

export function outcomeLook(run: OutcomeFields): OutcomeLook {
  const outcome = outcomeOf(run);
  return { ...outcome, icon: ICONS[outcome.word], colour: COLOURS[outcome.tone] };
}

/** How a run stands or ended, in one word, with what it waits for or why it was refused. */
export function Status({ run }: { run: OutcomeFields }) {
  const { word, about, icon: Icon, colour } = outcomeLook(run);
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
