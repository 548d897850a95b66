import { Alert, Anchor, List, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { CircleAlert, Unplug } from 'lucide-react';
import { useEffect, useState } from 'react';
import { ProblemError, UnreachableError } from '../api/problem-error.ts';
import { request } from '../api/call.ts';
import { InlineCode } from './inline-code.tsx';

/** An error in words, with the link to what the service says about it. */
export function ProblemView({ error }: { error: unknown }) {
  if (error instanceof UnreachableError) return <Unreachable error={error} />;
  if (!(error instanceof ProblemError)) {
    return (
      <Alert color="red" icon={<CircleAlert size={18} />} title="The studio failed">
        {error instanceof Error ? error.message : String(error)}
      </Alert>
    );
  }
  const { title, detail, errors = [], instance } = error.problem;
  // One alone is the detail itself.
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
          Entry of the log: <code>{instance}</code>
        </Text>
      )}
      <Anchor size="xs" href={`/problems/${error.problemName}`} target="_blank" mt={6} display="inline-block">
        About {error.problemName}
      </Anchor>
    </Alert>
  );
}

/** Milliseconds. */
const LOOK_AGAIN = 2_000;

/** Disappears when the service responds again. If a response was lost, it stays: the person has to send again. */
function Unreachable({ error }: { error: UnreachableError }) {
  const { isOfReading } = error;
  const client = useQueryClient();
  /** The error that the service has responded since. */
  const [past, setPast] = useState<UnreachableError>();
  const isBack = past === error;
  useEffect(() => {
    if (isBack) return;
    const timer = setInterval(() => {
      request('/health', { cache: 'no-store' }).then(
        () => setPast(error),
        () => {},
      );
    }, LOOK_AGAIN);
    return () => clearInterval(timer);
  }, [error, isBack]);
  useEffect(() => {
    if (isBack && isOfReading) void client.invalidateQueries();
  }, [client, isBack, isOfReading]);
  if (isBack && isOfReading) return null;
  return (
    <Alert
      color="yellow"
      icon={<Unplug size={18} aria-hidden />}
      title={isBack ? 'The response was lost' : 'Connection lost. Reconnecting…'}
    >
      {isOfReading
        ? 'This page continues as soon as the service responds.'
        : isBack
          ? 'The connection is back. Send it again: if the service already received it, it is not done twice.'
          : 'The service may have received this before the connection was lost. What you wrote is kept; send it again when the connection is back.'}
    </Alert>
  );
}
