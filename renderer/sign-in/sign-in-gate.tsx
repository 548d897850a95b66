import { useQueryClient } from '@tanstack/react-query';
import { lazy, type ReactNode, Suspense, useEffect, useRef, useState } from 'react';
import { session } from '../api/session/session.ts';
import { useSession } from '../api/session/use-session.ts';

const loadDialog = () => import('./sign-in-dialog.tsx');

// Local mode needs neither.
const SignInPage = lazy(async () => ({ default: (await import('./sign-in-page.tsx')).SignInPage }));
const SignInDialog = lazy(async () => ({ default: (await loadDialog()).SignInDialog }));

/** Shows the studio to people who are signed in, and to everybody in local mode. */
export function SignInGate({ children }: { children: ReactNode }) {
  const state = useSession();
  const client = useQueryClient();
  const caller = state.is === 'signed in' ? state.caller : undefined;
  const before = useRef(caller);
  useEffect(() => {
    // Another person, or another key, may see more or less.
    if (caller === undefined) client.clear();
    else if (before.current !== undefined && before.current !== caller) void client.invalidateQueries();
    before.current = caller;
  }, [caller, client]);
  const isSignedIn = caller !== undefined;
  useEffect(() => {
    // In advance: a server that refuses a credential may have been replaced, and without the dialog all work would be lost.
    if (isSignedIn) void loadDialog().catch(() => undefined);
  }, [isSignedIn]);
  useEscape();
  switch (state.is) {
    case 'local':
      return children;
    case 'starting':
      return <Starting />;
    case 'signed out':
      return (
        <Suspense>
          <SignInPage error={state.error} />
        </Suspense>
      );
    case 'signed in':
      return (
        <>
          {children}
          <Suspense>{state.refused !== undefined && <SignInDialog opened={state.refused.isAsking} />}</Suspense>
        </>
      );
  }
}

/** Milliseconds. Most checks of a credential are faster. */
const LONG = 1_000;

/** An identity service may take long to say who is signed in. */
function Starting() {
  const [isLong, setLong] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setLong(true), LONG);
    return () => clearTimeout(timer);
  }, []);
  return <p role="status">{isLong && 'Signing in…'}</p>;
}

/** Closes the sign-in dialog on Escape, and not the dialog below it: this listener is older than any dialog's. */
function useEscape(): void {
  useEffect(() => {
    const close = (event: KeyboardEvent): void => {
      const now = session.state();
      const isOpen = now.is === 'signed in' && now.refused?.isAsking === true;
      if (!isOpen || event.key !== 'Escape' || event.isComposing) return;
      event.stopImmediatePropagation();
      session.setAsking(false);
    };
    window.addEventListener('keydown', close, { capture: true });
    return () => window.removeEventListener('keydown', close, { capture: true });
  }, []);
}
