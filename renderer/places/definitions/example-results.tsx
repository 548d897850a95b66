// The examples of the document in the editor, run by the service: a mark for each, and where an output differs.
import { Button, Skeleton, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { CircleCheck, CircleMinus, CircleX, FlaskConical } from 'lucide-react';
import type { TestedDefinition } from '../../../shared/api/index.ts';
import { call } from '../../api/call.ts';
import type { DefinitionKey } from '../../api/queries.ts';
import { IfMay } from '../../sign-in/if-may.tsx';
import { InlineCode } from '../../ui/inline-code.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';

export type Examples = ReturnType<typeof useExamples>;

type Example = TestedDefinition['examples'][number];

/** Runs the examples of a text when it is asked to. */
export function useExamples({ playbook, type }: Pick<DefinitionKey, 'playbook' | 'type'>) {
  return useMutation({ mutationFn: (source: string) => call('test_definition', { playbook, type, source }) });
}

/** @param isDisabled the document has issues */
export function RunExamples({
  examples,
  isDisabled,
  onRun,
}: {
  examples: Examples;
  isDisabled: boolean;
  onRun: () => void;
}) {
  return (
    <IfMay call="test_definition">
      <Button
        size="xs"
        variant="default"
        leftSection={<FlaskConical size={14} aria-hidden />}
        disabled={isDisabled}
        loading={examples.isPending}
        onClick={onRun}
      >
        Run examples
      </Button>
    </IfMay>
  );
}

/** @param text the current text, which may have changed since the examples were run */
export function ExampleResults({ examples, text }: { examples: Examples; text: string }) {
  const { data, error, isPending, variables } = examples;
  if (isPending) return <Skeleton height={120} m={16} />;
  if (error !== null) return <ProblemView error={error} />;
  if (data === undefined) return null;
  return (
    <div className="examples">
      <Text size="sm" role="status">
        {summary(data)}
        {variables !== text && ' The source has changed since.'}
      </Text>
      <ul aria-label="Examples">
        {data.examples.map((example, index) => (
          // Names may repeat.
          <ExampleEntry key={`${index} ${example.name}`} example={example} />
        ))}
      </ul>
    </div>
  );
}

function summary({ valid, passed, failed, not_run: notRun }: TestedDefinition): string {
  if (!valid) return 'Fix the issues first.';
  if (passed + failed + notRun === 0) return 'The document has no examples. Add some under examples.';
  const counts = [`${passed} passed`, `${failed} failed`, ...(notRun === 0 ? [] : [`${notRun} not run`])];
  return `${counts.join(', ')}.`;
}

function ExampleEntry({ example: { name, status, detail, differences = [] } }: { example: Example }) {
  return (
    <li>
      <ExampleMark status={status} />
      <div>
        {name}
        {detail !== undefined && (
          <Text size="sm" c="dimmed" className="example-detail">
            <InlineCode>{detail}</InlineCode>
          </Text>
        )}
        {differences.length > 0 && (
          <table aria-label={`Differences of ${name}`}>
            <thead>
              <tr>
                <th>At</th>
                <th>Expected</th>
                <th>Returned</th>
              </tr>
            </thead>
            <tbody>
              {differences.map(({ pointer, expected = 'nothing', returned = 'nothing' }) => (
                <tr key={pointer}>
                  <td>{pointer === '' ? 'output' : <code>{pointer}</code>}</td>
                  <td className="example-expected">
                    <code>{expected}</code>
                  </td>
                  <td className="example-returned">
                    <code>{returned}</code>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
    </li>
  );
}

function ExampleMark({ status }: Pick<Example, 'status'>) {
  switch (status) {
    case 'passed':
      return <CircleCheck size={15} style={{ color: 'var(--cue-good)' }} role="img" aria-label="Passed" />;
    case 'failed':
      return <CircleX size={15} style={{ color: 'var(--cue-bad)' }} role="img" aria-label="Failed" />;
    case 'not_run':
      return <CircleMinus size={15} style={{ color: 'var(--cue-warn)' }} role="img" aria-label="Not run" />;
  }
}
