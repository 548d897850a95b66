import { Alert, Anchor, List, Text } from '@mantine/core';
import { CircleAlert, Unplug } from 'lucide-react';
import { ProblemError, UnreachableError } from '../api/problem-error.ts';
import { Said } from './said.tsx';

/** An error in words, with the link to what the service says about it. */
export function ProblemView({ error }: { error: unknown }) {
  if (error instanceof UnreachableError) {
    return (
      <Alert color="yellow" icon={<Unplug size={18} />} title="The service does not answer">
        {error.isOfReading
          ? 'It may have been stopped. This goes on by itself as soon as it answers again.'
          : 'It may have been stopped, before or after it took this. What you wrote is kept; send it again as soon as it answers.'}
      </Alert>
    );
  }
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
        <Said>{detail}</Said>
      </Text>
      {listed.length > 0 && (
        <List size="sm" mt={6}>
          {listed.map((one) => (
            <List.Item key={`${one.pointer} ${one.detail}`}>
              <Said>{one.detail}</Said> {one.pointer !== '' && <code>{one.pointer}</code>}
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
