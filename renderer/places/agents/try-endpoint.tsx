import { Alert, Button, Group, Text, Title } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { CircleCheck, PlugZap } from 'lucide-react';
import { CopyAs } from '../../ui/copy-as.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { listTools, listToolsCommand } from './setup.ts';

/** Tests the endpoint with the request of an agent. */
export function TryEndpoint({ endpoint }: { endpoint: string }) {
  const trying = useMutation({ mutationFn: () => listTools(endpoint) });
  return (
    <section className="card" aria-labelledby="try-endpoint" style={{ marginTop: 24 }}>
      <Group justify="space-between" align="flex-start">
        <div style={{ flex: 1, minWidth: 240 }}>
          <Title order={2} fz="md" id="try-endpoint">
            Test the endpoint
          </Title>
          <Text size="sm" c="dimmed" mt={2}>
            Lists the tools of <code>{endpoint}</code>, as an agent does. The actions of an agent appear in the runs and
            events of its playbook.
          </Text>
        </div>
        <Group gap="xs">
          <CopyAs copies={[{ name: 'curl', text: () => listToolsCommand(endpoint) }]} />
          <Button
            size="xs"
            variant="default"
            leftSection={<PlugZap size={14} aria-hidden />}
            loading={trying.isPending}
            onClick={() => trying.mutate()}
          >
            Test
          </Button>
        </Group>
      </Group>
      <div role="status">
        {trying.error !== null && <ProblemView error={trying.error} />}
        {trying.data !== undefined && (
          <Alert color="teal" mt="sm" icon={<CircleCheck size={18} />} title={`Connected: ${trying.data.length} tools`}>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {trying.data.join(', ')}
            </Text>
          </Alert>
        )}
      </div>
    </section>
  );
}
