import { Button, Group, Modal, Stack, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CircleStop } from 'lucide-react';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { runQuery } from '../../api/queries.ts';
import { ProblemView } from '../../ui/problem-view.tsx';

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
      <Modal opened={isAsking} onClose={() => setAsking(false)} title="Cancel the run" centered>
        <form
          onSubmit={(event) => {
            event.preventDefault();
            cancelling.mutate();
          }}
        >
          <Stack>
            <TextInput
              label="Reason"
              description="Recorded in the run's history."
              data-autofocus
              maxLength={1024}
              value={reason}
              onChange={(event) => setReason(event.currentTarget.value)}
            />
            {cancelling.error !== null && <ProblemView error={cancelling.error} />}
            <Group justify="flex-end">
              <Button variant="default" onClick={() => setAsking(false)}>
                Keep running
              </Button>
              <Button type="submit" color="red" loading={cancelling.isPending}>
                Cancel the run
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
