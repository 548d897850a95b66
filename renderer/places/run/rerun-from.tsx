import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { RunWithRecord } from '../../../shared/api/index.ts';
import { call } from '../../api/call.ts';
import { ProblemView } from '../../ui/problem-view.tsx';
import type { Span } from './spans.ts';

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
  const place = iterations.length === 0 ? '' : `, iteration ${iterations.join('.')}`;
  return (
    <Modal opened onClose={onClose} title={`Run again from ${span.label}${place}`} centered>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          starting.mutate();
        }}
      >
        <Stack>
          <Text size="sm">
            This starts a new run of version {run.definition_version} with the recorded results of the steps before{' '}
            <b>{span.label}</b>. The step and everything after it run again, including calls of tools and models.
          </Text>
          {starting.error !== null && <ProblemView error={starting.error} />}
          <Group justify="flex-end">
            <Button variant="default" onClick={onClose}>
              Cancel
            </Button>
            <Button type="submit" data-autofocus loading={starting.isPending}>
              Run again
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}
