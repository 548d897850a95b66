import { type ComponentType, lazy, Suspense } from 'react';
import type { Place } from './places.ts';

const BADGES: { [To in Place['to']]?: ComponentType<{ playbook: string }> } = {
  '/playbooks/$playbook/inbox': lazy(async () => ({
    default: (await import('../places/inbox/inbox-sign.tsx')).InboxSign,
  })),
};

/** The badge of a page in the navigation, such as the number of open questions. */
export function NavBadge({ to, playbook }: { to: Place['to']; playbook: string }) {
  const Badge = BADGES[to];
  if (Badge === undefined) return null;
  return (
    // Not role="status", whose text would not be part of the name of the link.
    <span style={{ display: 'flex', marginLeft: 'auto' }} aria-live="polite" aria-atomic>
      <Suspense>
        <Badge playbook={playbook} />
      </Suspense>
    </span>
  );
}
