import { Alert, UnstyledButton } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { CircleAlert, Unplug } from 'lucide-react';
import { lazy, Suspense, useEffect, useState } from 'react';
import { ProblemError, UnreachableError } from '../api/problem-error.ts';
import { request } from '../api/call.ts';
import { SessionModuleError } from '../api/session/way.ts';

// The service has responded, so that this can be loaded when it is needed.
const ProblemDetails = lazy(async () => ({ default: (await import('./problem-details.tsx')).ProblemDetails }));

/** An error with a link to its documentation. */
export function ProblemView({ error }: { error: unknown }) {
  if (error instanceof UnreachableError) return <Unreachable error={error} />;
  if (!(error instanceof ProblemError)) {
    return (
      <Alert color="red" icon={<CircleAlert size={18} />} title={titleOf(error)}>
        {isMissingPart(error) ? <MissingPart /> : error instanceof Error ? error.message : String(error)}
      </Alert>
    );
  }
  return (
    <Suspense>
      <ProblemDetails error={error} />
    </Suspense>
  );
}

/** Each browser words it differently, and the style sheet of a part is loaded before its script. */
function isMissingPart(error: unknown): boolean {
  return (
    error instanceof Error &&
    /dynamically imported module|importing a module script|unable to preload css/i.test(error.message)
  );
}

/** The page was opened before the server was updated, and asks for a file of the earlier version. */
function MissingPart() {
  return (
    <>
      The server was probably updated after this page was opened. Reload the page to use the new version. Drafts are
      kept.{' '}
      <UnstyledButton fz="inherit" td="underline" onClick={() => location.reload()}>
        Reload
      </UnstyledButton>
    </>
  );
}

function titleOf(error: unknown): string {
  if (isMissingPart(error)) return 'A part of the studio could not be loaded';
  return error instanceof SessionModuleError ? error.title : 'Error in the studio';
}

/** Milliseconds. */
const RETRY_EVERY = 2_000;

/**
 * Disappears when the service responds again. After a command it stays, since the person has to send the command again.
 */
function Unreachable({ error }: { error: UnreachableError }) {
  const { isRead } = error;
  const client = useQueryClient();
  /** The last error after which the service has responded again. */
  const [resolved, setResolved] = useState<UnreachableError>();
  const isBack = resolved === error;
  useEffect(() => {
    if (isBack) return;
    const timer = setInterval(() => {
      request('/health', { cache: 'no-store' }).then(
        () => setResolved(error),
        () => {},
      );
    }, RETRY_EVERY);
    return () => clearInterval(timer);
  }, [error, isBack]);
  useEffect(() => {
    if (isBack && isRead) void client.invalidateQueries();
  }, [client, isBack, isRead]);
  if (isBack && isRead) return null;
  return (
    <Alert
      color="yellow"
      icon={<Unplug size={18} aria-hidden />}
      title={isBack ? 'The response was lost' : 'Connection lost. Reconnecting…'}
    >
      {isRead
        ? 'This page continues as soon as the service responds.'
        : isBack
          ? 'The connection is back. Send it again: if the service has already received it, it is not carried out twice.'
          : 'The service may have received this before the connection was lost. What you wrote is kept; send it again when the connection is back.'}
    </Alert>
  );
}
