import { Alert, Anchor, Text } from '@mantine/core';
import { CircleAlert } from 'lucide-react';
import type { ProblemError } from '../api/problem-error.ts';
import { useSession } from '../api/session/use-session.ts';
import { InlineCode } from './inline-code.tsx';
import { IssueList } from './issue-list.tsx';

/** What the service says about a refused request, with a link to its documentation. */
export function ProblemDetails({ error }: { error: ProblemError }) {
  const { title, detail, errors = [], instance } = error.problem;
  // A single error repeats the detail.
  const listed = errors.length === 1 && errors[0]?.detail === detail ? [] : errors;
  return (
    <Alert color="red" icon={<CircleAlert size={18} />} title={title}>
      <Text size="sm">
        <InlineCode>{detail}</InlineCode>
      </Text>
      <IssueList issues={listed} />
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
