import { Button, Group, List, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Sparkles } from 'lucide-react';
import { EmptyState } from '../../ui/empty-state.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { ImportButton } from './archive-buttons.tsx';

/** Shown without playbooks: one button creates the sample and starts its first steps. */
export function FirstRun({ onNew }: { onNew: () => void }) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const sample = useMutation({
    async mutationFn() {
      const { makeSample } = await import('./make-sample.ts');
      const playbook = await makeSample();
      await client.invalidateQueries({ queryKey: ['playbooks'] });
      await navigate({ to: '/playbooks/$playbook', params: { playbook } });
    },
  });
  return (
    <EmptyState
      isPage
      icon={Sparkles}
      title="Welcome to Cuebook"
      action={
        <>
          <Group justify="center">
            <Button size="md" loading={sample.isPending} onClick={() => sample.mutate()}>
              Try the sample
            </Button>
            <Button size="md" variant="default" onClick={onNew}>
              New playbook
            </Button>
            <ImportButton size="md" />
          </Group>
          {sample.error !== null && <ProblemView error={sample.error} />}
        </>
      }
    >
      <Text inherit mb="md">
        Small, versioned functions and the workflows that combine them, with a complete history of every run, on your
        own machine.
      </Text>
      <Text inherit mb={4}>
        The sample handles reports of wildlife strikes at airports. It needs no key and no network, and in two minutes
        you will have:
      </Text>
      <List size="sm" ta="start" display="inline-block" my="xs">
        <List.Item>run a function and seen its result</List.Item>
        <List.Item>started a workflow and watched it wait for a person</List.Item>
        <List.Item>answered its question in the inbox and read its history</List.Item>
      </List>
    </EmptyState>
  );
}
