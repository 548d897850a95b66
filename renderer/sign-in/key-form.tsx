// The key exists only in its field and in the session, never in component state or a cache.
import { Alert, Button, Checkbox, PasswordInput, Stack } from '@mantine/core';
import { CircleAlert } from 'lucide-react';
import { type SyntheticEvent, useRef, useState } from 'react';
import { KEY_PREFIX } from '../../shared/permissions.ts';
import { ProblemError } from '../api/problem-error.ts';
import { session } from '../api/session/session.ts';

/** The form in which a person pastes an API key. @param isAlternative another way to sign in is above it */
export function KeyForm({ error: initialError, isAlternative = false }: { error?: unknown; isAlternative?: boolean }) {
  const field = useRef<HTMLInputElement>(null);
  const [isKept, setKept] = useState(false);
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState(initialError);

  const submit = async (submitted: SyntheticEvent): Promise<void> => {
    submitted.preventDefault();
    const key = field.current?.value.trim() ?? '';
    setBusy(true);
    try {
      if (!isKeyLike(key)) throw new UnusableKey();
      await session.signIn({ key, isKept });
    } catch (refused) {
      setError(refused);
      field.current?.select();
    } finally {
      setBusy(false);
    }
  };

  const issue = issueOf(error);
  return (
    <form onSubmit={(submitted) => void submit(submitted)}>
      <Stack>
        <PasswordInput
          ref={field}
          label="API key"
          description={
            <>
              The operator of this server creates keys with <code>cuebook keys create</code>.
            </>
          }
          placeholder={`${KEY_PREFIX}…`}
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          error={issue}
          visibilityToggleButtonProps={{ 'aria-label': 'Show the key' }}
        />
        <Checkbox
          label="Keep the key until this tab is closed"
          description="Otherwise, it is forgotten when the page is reloaded."
          checked={isKept}
          onChange={({ currentTarget }) => setKept(currentTarget.checked)}
        />
        {error !== undefined && issue === undefined && (
          <Alert color="red" icon={<CircleAlert size={18} aria-hidden />} title="Sign-in failed">
            {error instanceof Error ? error.message : String(error)}
          </Alert>
        )}
        <Button type="submit" loading={isBusy} variant={isAlternative ? 'default' : 'filled'}>
          {isAlternative ? 'Sign in with the key' : 'Sign in'}
        </Button>
      </Stack>
    </form>
  );
}

class UnusableKey extends Error {}

/** Nothing else can stand in a header. */
function isKeyLike(text: string): boolean {
  return text.startsWith(KEY_PREFIX) && /^[\x21-\x7e]+$/.test(text);
}

/** What is wrong with the key itself. */
function issueOf(error: unknown): string | undefined {
  if (error instanceof UnusableKey) return `Paste a whole key. It begins with ${KEY_PREFIX} and contains no spaces.`;
  const isRefused = error instanceof ProblemError && error.problem.status === 401;
  return isRefused ? 'This key is unknown or was revoked. Use another key of this server.' : undefined;
}
