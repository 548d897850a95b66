import { Skeleton, Stack, Text } from '@mantine/core';
import { Wrench } from 'lucide-react';
import type { ArgumentsCheck, DryRun, ToolCall } from '../../../shared/schemas/index.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { CallResult } from './call-result.tsx';
import { CheckView, DryRunView } from './check-views.tsx';

export type BenchAnswer =
  | { action: 'validate'; answer: ArgumentsCheck }
  | { action: 'dry_run'; answer: DryRun }
  | { action: 'execute'; answer: ToolCall };

export interface BenchResultProps {
  answer: BenchAnswer | undefined;
  error: Error | null;
  isPending: boolean;
}

export function BenchResult({ answer, error, isPending }: BenchResultProps) {
  if (isPending) return <Skeleton height={180} />;
  if (error !== null) {
    return (
      <Stack gap="xs">
        <Text component="h2" fw={650}>
          Refused
        </Text>
        <ProblemView error={error} />
      </Stack>
    );
  }
  if (answer === undefined) {
    return (
      <EmptyState icon={Wrench} title="Not tried yet">
        Fill the arguments in, then let them be checked, ask whether the tool would be called, or call it.
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
      return <CallResult call={answer.answer} />;
  }
}
