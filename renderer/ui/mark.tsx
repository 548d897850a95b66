import { CircleAlert, CircleCheck, CircleHelp, CircleX, type LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

export type Sense = 'good' | 'bad' | 'warn' | 'quiet';

const ICONS: Readonly<Record<Sense, LucideIcon>> = {
  good: CircleCheck,
  bad: CircleX,
  warn: CircleAlert,
  quiet: CircleHelp,
};

/** A state as an icon and text, never as a colour alone. */
export function Mark({ sense, icon, children }: { sense: Sense; icon?: LucideIcon; children: ReactNode }) {
  const Icon = icon ?? ICONS[sense];
  return (
    <span className="mark">
      <Icon size={16} aria-hidden style={{ color: `var(--cue-${sense})` }} />
      <span>{children}</span>
    </span>
  );
}
