import { Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { RunWithRecord } from '../../../shared/api/index.ts';
import { call } from '../../api/call.ts';
import type { Span } from './spans.ts';
import { ActionDialog } from '../../ui/action-dialog.tsx';

export interface RerunFromProps {
  playbook: string;
  run: RunWithRecord;
  /** The step to begin with. */
  span: Span;
  onClose: () => void;
}

/** Asks before a run is run again from a step, and opens the new run. */
export function RerunFrom({ playbook, run, span, onClose }: RerunFromProps) {
  const navigate = useNavigate();
  const { step = '', iterations = [] } = span.visit ?? {};
  const starting = useMutation({
    mutationFn: () =>
      call('rerun', {
        playbook,
        run_id: run.run_id,
        step,
        ...(iterations.length === 0 ? {} : { iterations }),
      }),
    async onSuccess({ run_id: runId }) {
      onClose();
      await navigate({ to: '/playbooks/$playbook/runs/$runId', params: { playbook, runId } });
    },
  });
  const iteration = iterations.length === 0 ? '' : `, iteration ${iterations.join('.')}`;
  return (
    <ActionDialog
      title={`Run again from ${span.label}${iteration}`}
      action="Run again"
      focus="action"
      isPending={starting.isPending}
      error={starting.error}
      onAction={() => starting.mutate()}
      onClose={onClose}
    >
      <Text size="sm">
        This starts a new run of version {run.definition_version} with the recorded results of the steps before{' '}
        <b>{span.label}</b>. The step and everything after it run again, including calls of tools and models.
      </Text>
    </ActionDialog>
  );
}
