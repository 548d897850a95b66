import { Alert, Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CircleCheck, Trash2 } from 'lucide-react';
import { PageTitle } from '../../ui/page-title.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { ConnectionStatus } from './facts.tsx';
import { Facts } from './facts.tsx';
import { Back } from './no-link.tsx';
import { Readiness } from './readiness.tsx';
import { connectionQuery } from './service.ts';

/** The result of a connect link. */
export function ConnectResult({ org, id, playbook }: { org: string; id: string; playbook: string | undefined }) {
  const { data: connection, error } = useQuery(connectionQuery(org, id));
  if (error !== null) return <ProblemView error={error} />;
  if (connection === undefined) return <Skeleton height={240} />;
  const { name, status, asked_by: agent } = connection;
  const isConnected = status === 'connected';
  return (
    <>
      <PageTitle title={isConnected ? `${name} is connected` : name}>
        <ConnectionStatus status={status} />
      </PageTitle>
      <Stack>
        {isConnected && (
          <>
            <Alert color="teal" icon={<CircleCheck size={18} />} role="status" title="Done">
              {agent === undefined
                ? 'Functions can now use its tools.'
                : 'The agent can now use its tools. Close this page and return to the agent.'}
            </Alert>
            <Readiness org={org} connection={connection} />
          </>
        )}
        {status === 'removed' && (
          <Alert color="gray" icon={<Trash2 size={18} />} role="status" title="Connection removed">
            Nothing was sent to the server, and no agent can use it.
          </Alert>
        )}
        {status === 'pending' && <Text size="sm">The connection is still waiting for approval. Open its link.</Text>}
        {status === 'broken' && <Text size="sm">{connection.broken}</Text>}
        <Facts connection={connection} />
        <Group>
          <Back playbook={playbook} connection={id} />
        </Group>
      </Stack>
    </>
  );
}
