import { Alert, Button, Group, Skeleton, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { CircleAlert, RotateCw } from 'lucide-react';
import type { Connection } from '../../../shared/api/index.ts';
import { ProblemView } from '../../ui/problem-view.tsx';
import { Names } from './facts.tsx';
import { readinessQuery } from './service.ts';
import { TO_DO } from './words.ts';

/** How many tools are named; the tools page lists all. */
const MOST_NAMED = 12;

/** Whether the tools of a connection can be used now, and if not, why and what to do. */
export function Readiness({ org, connection }: { org: string; connection: Connection }) {
  const readiness = useQuery(readinessQuery(org, connection));
  const again = (
    <Button
      size="compact-xs"
      variant="default"
      leftSection={<RotateCw size={13} aria-hidden />}
      loading={readiness.isFetching}
      onClick={() => void readiness.refetch()}
    >
      Check again
    </Button>
  );
  if (readiness.error !== null) return <ProblemView error={readiness.error} />;
  if (readiness.data === undefined) return <Skeleton height={72} aria-label="Checking the server" />;
  const { server, tools } = readiness.data;
  if (server === null || server.unavailable !== undefined) {
    const because = server?.because ?? 'connection_not_allowed';
    return (
      <Alert color="yellow" icon={<CircleAlert size={18} />} title="Tools unavailable">
        <Text size="sm">{server?.unavailable ?? 'The service does not list this connection.'}</Text>
        <Text size="sm" mt={6}>
          {TO_DO[because]}
        </Text>
        <Group mt="xs">{again}</Group>
      </Alert>
    );
  }
  const names = tools.slice(0, MOST_NAMED).map(({ tool }) => `${connection.name}/${tool}`);
  const more = (server.tool_count ?? 0) - names.length;
  return (
    <div className="connection-ready">
      <Group justify="space-between" mb={6}>
        <Text size="sm" fw={600}>
          {toolsWords(server.tool_count ?? 0)}, ready to use
        </Text>
        {again}
      </Group>
      <Names names={names} />
      {more > 0 && names.length > 0 && (
        <Text size="xs" c="dimmed" mt={4}>
          and {more} more
        </Text>
      )}
    </div>
  );
}

/** The same in a cell of the list. */
export function ReadinessCell({ org, connection }: { org: string; connection: Connection }) {
  const { data, error, isPending } = useQuery({
    ...readinessQuery(org, connection),
    enabled: connection.status === 'connected',
  });
  if (connection.status !== 'connected') return null;
  if (isPending) return <Skeleton height={12} width={60} />;
  if (error !== null || data.server === null || data.server.unavailable !== undefined) {
    return (
      <span className="connection-status">
        <CircleAlert size={15} aria-hidden style={{ color: 'var(--cue-warn)' }} />
        {(data?.server?.because ?? 'unknown').replace('connection_', '').replaceAll('_', ' ')}
      </span>
    );
  }
  return <>{toolsWords(data.server.tool_count ?? 0)}</>;
}

function toolsWords(count: number): string {
  return count === 1 ? '1 tool' : `${count} tools`;
}
