import { Button, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CircleStop } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { runQuery } from '../../api/queries.ts';
import { ActionDialog } from '../../ui/action-dialog.tsx';

export function CancelRun({ playbook, runId }: { playbook: string; runId: string }) {
  const client = useQueryClient();
  const [isAsking, setAsking] = useState(false);
  const [reason, setReason] = useState('');
  const cancelling = useMutation({
    mutationFn: () => call('cancel_run', { playbook, run_id: runId, reason: reason === '' ? undefined : reason }),
    async onSuccess() {
      setAsking(false);
      await client.invalidateQueries({ queryKey: runQuery(playbook, runId).queryKey });
    },
  });
  return (
    <>
      <Button
        variant="default"
        size="xs"
        leftSection={<CircleStop size={14} aria-hidden />}
        onClick={() => setAsking(true)}
      >
        Cancel
      </Button>
      <ActionDialog
        title="Cancel the run"
        opened={isAsking}
        action="Cancel the run"
        cancel="Keep running"
        isDestructive
        isPending={cancelling.isPending}
        error={cancelling.error}
        onAction={() => cancelling.mutate()}
        onClose={() => setAsking(false)}
      >
        <TextInput
          label="Reason"
          description="Recorded in the run's history."
          data-autofocus
          maxLength={1024}
          value={reason}
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      </ActionDialog>
    </>
  );
}
