import { Alert, Anchor, List, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { CircleAlert, Unplug } from 'lucide-react';
import { useEffect, useState } from 'react';
import { ProblemError, UnreachableError } from '../api/problem-error.ts';
import { request } from '../api/call.ts';
import { useSession } from '../sign-in/use-session.ts';
import { SessionModuleError } from '../sign-in/way.ts';
import { InlineCode } from './inline-code.tsx';

/** An error with a link to its documentation. */
export function ProblemView({ error }: { error: unknown }) {
  if (error instanceof UnreachableError) return <Unreachable error={error} />;
  if (!(error instanceof ProblemError)) {
    return (
      <Alert color="red" icon={<CircleAlert size={18} />} title={titleOf(error)}>
        {error instanceof Error ? error.message : String(error)}
      </Alert>
    );
  }
  const { title, detail, errors = [], instance } = error.problem;
  // A single error repeats the detail.
  const listed = errors.length === 1 && errors[0]?.detail === detail ? [] : errors;
  return (
    <Alert color="red" icon={<CircleAlert size={18} />} title={title}>
      <Text size="sm">
        <InlineCode>{detail}</InlineCode>
      </Text>
      {listed.length > 0 && (
        <List size="sm" mt={6}>
          {listed.map((one) => (
            <List.Item key={`${one.pointer} ${one.detail}`}>
              <InlineCode>{one.detail}</InlineCode> {one.pointer !== '' && <code>{one.pointer}</code>}
            </List.Item>
          ))}
        </List>
      )}
      {instance !== undefined && (
        <Text size="xs" mt={6}>
          Log entry: <code>{instance}</code>
        </Text>
      )}
      {error.problemName === 'forbidden' && <CallerPermissions />}
      <Anchor size="xs" href={`/problems/${error.problemName}`} target="_blank" mt={6} display="inline-block">
        Learn more about {error.problemName}
      </Anchor>
    </Alert>
  );
}

function titleOf(error: unknown): string {
  return error instanceof SessionModuleError ? error.title : 'Error in the studio';
}

/** What the caller may do, beside what it was refused. */
function CallerPermissions() {
  const state = useSession();
  if (state.is !== 'signed in') return null;
  const { id, permissions } = state.caller;
  return (
    <Text size="xs" mt={6}>
      You are signed in as <code>{id}</code>
      {permissions.length === 0 ? ' without permissions.' : ` with ${permissions.join(', ')}.`}
    </Text>
  );
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
