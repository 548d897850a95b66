import { type ComponentType, lazy, Suspense } from 'react';
import type { Place } from './places.ts';

const SIGNS: { [To in Place['to']]?: ComponentType<{ playbook: string }> } = {
  '/playbooks/$playbook/inbox': lazy(async () => ({
    default: (await import('../places/inbox/inbox-sign.tsx')).InboxSign,
  })),
};

/** What stands at the end of a place's line in the navigation, wherever a person is. */
export function Sign({ to, playbook }: { to: Place['to']; playbook: string }) {
  const Found = SIGNS[to];
  return <Suspense>{Found !== undefined && <Found playbook={playbook} />}</Suspense>;
}
