import { Skeleton, Stack, Text } from '@mantine/core';
import { Wrench } from 'lucide-react';
import type { ArgumentsCheck, DryRun, ToolCall } from '../../../shared/api/index.ts';
import { UnreachableError } from '../../api/problem-error.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { CallResult } from './call-result.tsx';
import { CheckView, DryRunView } from './check-views.tsx';

export type Action = BenchAnswer['action'];

export type BenchAnswer =
  | { action: 'validate'; answer: ArgumentsCheck }
  | { action: 'dry_run'; answer: DryRun }
  | { action: 'execute'; answer: ToolCall };

export interface BenchResultProps {
  playbook: string;
  answer: BenchAnswer | undefined;
  error: Error | null;
  /** The last action. */
  asked: Action | undefined;
  isPending: boolean;
}

export function BenchResult({ playbook, answer, error, asked, isPending }: BenchResultProps) {
  if (isPending) return <Skeleton height={180} />;
  if (error !== null) {
    const isLost = error instanceof UnreachableError;
    return (
      <Stack gap="xs">
        <Text component="h2" fw={650}>
          {isLost ? 'No response' : 'Rejected'}
        </Text>
        <ProblemView error={error} />
        {isLost && asked === 'execute' && (
          <Text size="sm">
            Before you call it again, check the executed calls: if the service received this call, it is listed there.
          </Text>
        )}
      </Stack>
    );
  }
  if (answer === undefined) {
    return (
      <EmptyState icon={Wrench} title="Not called yet">
        Fill in the arguments, then validate them, do a dry run, or call the tool.
      </EmptyState>
    );
  }
  switch (answer.action) {
    case 'validate':
      return (
        <Stack gap="xs">
          <Text component="h2" fw={650}>
            Validate
          </Text>
          <CheckView check={answer.answer} />
        </Stack>
      );
    case 'dry_run':
      return <DryRunView dryRun={answer.answer} />;
    case 'execute':
      return <CallResult playbook={playbook} call={answer.answer} />;
  }
}
