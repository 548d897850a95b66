import { ActionIcon, Button, Text } from '@mantine/core';
import { LogOut } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import { signOutOr } from './kept-work.ts';
import { session } from '../api/session/session.ts';
import { useSession } from '../api/session/use-session.ts';

const SignOutDialog = lazy(async () => ({ default: (await import('./sign-out-dialog.tsx')).SignOutDialog }));

/** Who is signed in, the org, and a button to sign out. Nothing in local mode. */
export function SignedInAs() {
  const state = useSession();
  const [isAsking, setAsking] = useState(false);
  if (state.is !== 'signed in') return null;
  const { id, org } = state.caller;
  return (
    <div className="signed-in">
      <div className="signed-in-words">
        <Text size="sm" fw={600} truncate title={id}>
          {id}
        </Text>
        <Text size="xs" c="dimmed" truncate title={org}>
          {org}
        </Text>
      </div>
      <ActionIcon
        variant="subtle"
        color="gray"
        onClick={() => signOutOr(() => setAsking(true))}
        title="Sign out"
        aria-label="Sign out"
      >
        <LogOut size={17} />
      </ActionIcon>
      {isAsking && (
        <Suspense fallback={null}>
          <SignOutDialog opened onClose={() => setAsking(false)} />
        </Suspense>
      )}
    </div>
  );
}

/** Shown above the page while requests wait for a sign-in and the dialog is closed. */
export function SignInNeeded() {
  const state = useSession();
  const isShown = state.is === 'signed in' && state.refused?.isAsking === false;
  return (
    <div role="status">
      {isShown && (
        <div className="lost">
          <strong>You are signed out.</strong> What you wrote is kept, and what you sent is waiting.{' '}
          <Button size="compact-xs" variant="default" onClick={() => session.setAsking(true)}>
            Sign in again
          </Button>
        </div>
      )}
    </div>
  );
}
