import { type ComponentType, lazy, Suspense } from 'react';
import type { Place } from './places.ts';

const SIGNS: { [To in Place['to']]?: ComponentType<{ playbook: string }> } = {
  '/playbooks/$playbook/inbox': lazy(async () => ({
    default: (await import('../places/inbox/inbox-sign.tsx')).InboxSign,
  })),
};

/** What stands at the end of a place's line in the navigation, wherever a person is. */
export function NavBadge({ to, playbook }: { to: Place['to']; playbook: string }) {
  const Found = SIGNS[to];
  if (Found === undefined) return null;
  return (
    // No status, which would be no part of the name of its link.
    <span style={{ display: 'flex', marginLeft: 'auto' }} aria-live="polite" aria-atomic>
      <Suspense>
        <Found playbook={playbook} />
      </Suspense>
    </span>
  );
}
