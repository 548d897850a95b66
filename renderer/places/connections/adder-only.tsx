import { Alert, Button, Text } from '@mantine/core';
import { KeyRound } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import type { Connection } from '../../../shared/api/index.ts';
import { session } from '../../api/session/session.ts';
import { useSession } from '../../api/session/use-session.ts';
import { offerOfPage } from '../../api/session/way-of-page.ts';
import { ProblemView } from '../../ui/problem-view.tsx';

/**
 * Shows its children to those who may approve a connection or enter its credential: where people sign in, only the person
 * who added it, in a session. Others see what to do.
 */
export function AdderOnly({ connection: { added_by: by }, children }: { connection: Connection; children: ReactNode }) {
  const state = useSession();
  if (state.is !== 'signed in') return children;
  const { id, form } = state.caller;
  if (form === 'session' && id === by) return children;
  return (
    <Alert color="yellow" icon={<KeyRound size={18} aria-hidden />} title={`Only ${by} can approve this connection`}>
      {form === 'session' ? (
        <Text size="sm">
          You are signed in as {id}. Send {by} the link; or, if that is you, sign out, and sign in as {by}.
        </Text>
      ) : (
        <SessionNeeded />
      )}
    </Alert>
  );
}

function SessionNeeded() {
  const [error, setError] = useState<unknown>();
  const { sessionModule } = offerOfPage ?? {};
  if (sessionModule === undefined) {
    return (
      <Text size="sm">
        It takes a session of an identity service, which this server does not offer in the studio. Its operator can set{' '}
        <code>STUDIO_SESSION_MODULE</code>. An API key or an access token cannot approve a connection.
      </Text>
    );
  }
  return (
    <>
      <Text size="sm">An API key or an access token cannot approve a connection. Sign in with a session instead.</Text>
      {error !== undefined && <ProblemView error={error} />}
      <Button size="compact-sm" mt="xs" onClick={() => void session.signIn('session').catch(setError)}>
        Sign in with {new URL(sessionModule).host}
      </Button>
    </>
  );
}
