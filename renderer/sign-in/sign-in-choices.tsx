import { Alert, Button, Divider, Stack, Text } from '@mantine/core';
import { CircleAlert } from 'lucide-react';
import { useEffect, useState } from 'react';
import { KeyForm } from './key-form.tsx';
import { session } from '../api/session/session.ts';
import { SessionModuleError } from '../api/session/way.ts';
import { offerOfPage } from '../api/session/way-of-page.ts';

/**
 * The ways to sign in that this server offers.
 * @param error why the last sign-in failed, or ended
 * @param isAgain the page stays as it is: with OpenID Connect, the person signs in in another window
 */
export function SignInChoices({ error: initialError, isAgain = false }: { error?: unknown; isAgain?: boolean }) {
  const { hasKeys = false, openid, sessionModule } = offerOfPage ?? {};
  const [chosen, setChosen] = useState<'openid' | 'session'>();
  const [error, setError] = useState(initialError);
  // A sign-out may fail later.
  useEffect(() => setError(initialError), [initialError]);
  if (openid === undefined && sessionModule === undefined) {
    return hasKeys ? <KeyForm error={error} /> : <NoWay />;
  }

  const signIn = async (way: 'openid' | 'session'): Promise<void> => {
    setChosen(way);
    setError(undefined);
    try {
      await session.signIn(way);
    } catch (failed) {
      setError(failed);
    } finally {
      setChosen(undefined);
    }
  };
  const leavesPage = (way: 'openid' | 'session'): boolean => way === 'openid' && !isAgain;
  const button = (way: 'openid' | 'session', address: string) => (
    // The person may have closed the dialog or the other window: the button opens it again.
    <Button loading={chosen === way && leavesPage(way)} data-autofocus onClick={() => void signIn(way)}>
      Sign in with {new URL(address).host}
    </Button>
  );
  return (
    <Stack>
      {error !== undefined && (
        <Alert color="red" icon={<CircleAlert size={18} aria-hidden />} title={titleOf(error)}>
          {error instanceof Error ? error.message : String(error)}
        </Alert>
      )}
      {openid !== undefined && button('openid', openid.service.issuer)}
      {sessionModule !== undefined && button('session', sessionModule)}
      {(isAgain || sessionModule !== undefined) && (
        <Text size="sm" c="dimmed" role="status">
          {chosen !== undefined && !leavesPage(chosen) && WHERE[chosen]}
        </Text>
      )}
      {hasKeys && (
        <>
          <Divider label="or" />
          <KeyForm isAlternative />
        </>
      )}
    </Stack>
  );
}

const WHERE = {
  openid: 'Sign in in the other window. If you closed it, click the button again.',
  session: 'Sign in in the dialog or the window that opened. If you closed it, click the button again.',
} as const;

function titleOf(error: unknown): string {
  return error instanceof SessionModuleError ? error.title : 'Sign-in failed';
}

function NoWay() {
  return (
    <Text size="sm">
      This server offers no way to sign in to the studio. Its operator can set <code>STUDIO_CLIENT_ID</code> or{' '}
      <code>STUDIO_SESSION_MODULE</code>, or create a key with <code>cuebook keys create</code>.
    </Text>
  );
}
