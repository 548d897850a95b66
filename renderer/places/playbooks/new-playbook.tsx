import { Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { call } from '../../api/call.ts';
import { issueAt, ProblemError } from '../../api/problem-error.ts';
import { playbookIdOf } from './playbook-id.ts';
import { ActionDialog } from '../../ui/action-dialog.tsx';

export function NewPlaybook({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const [name, setName] = useState('');
  const [id, setId] = useState<string>();
  const [description, setDescription] = useState('');
  const given = { playbook: id ?? playbookIdOf(name), name, description };
  const making = useMutation({
    mutationFn: () => call('create_playbook', given),
    async onSuccess(playbook) {
      await client.invalidateQueries({ queryKey: ['playbooks'] });
      onClose();
      await navigate({ to: '/playbooks/$playbook', params: { playbook: playbook.id } });
    },
  });
  const issue = (pointer: string): string | undefined => issueAt(making.error, pointer);
  const hasIssues = making.error instanceof ProblemError && making.error.problem.errors !== undefined;

  return (
    <ActionDialog
      title="New playbook"
      action="Create"
      isPending={making.isPending}
      error={hasIssues ? null : making.error}
      onAction={() => making.mutate()}
      onClose={onClose}
    >
      <TextInput
        label="Name"
        data-autofocus
        required
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={issue('/name')}
      />
      <TextInput
        label="ID"
        description="Lowercase letters, digits and hyphens. It cannot be changed or reused later."
        required
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        value={given.playbook}
        onChange={(event) => setId(event.currentTarget.value)}
        error={issue('/playbook')}
      />
      <Textarea
        label="Description"
        autosize
        minRows={2}
        value={description}
        onChange={(event) => setDescription(event.currentTarget.value)}
        error={issue('/description')}
      />
    </ActionDialog>
  );
}
