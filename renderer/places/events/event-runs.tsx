import { Group, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { Published } from '../../../shared/api/index.ts';
import { latestRunsQuery } from '../../api/queries.ts';
import { RunLink } from '../../ui/run-link.tsx';
import { Status } from '../../ui/status.tsx';

const MOST_RUNS = 20;

export interface EventRunsProps {
  playbook: string;
  /** The recorded event. */
  eventId: string;
  /** What the publication reached, if it has just been published. */
  reached?: Published['reached'];
}

/** The runs that a published event started, and those that it was sent to; updated live. */
export function EventRuns({ playbook, eventId, reached = [] }: EventRunsProps) {
  const { data: runs } = useQuery(latestRunsQuery(playbook, { event: eventId }, MOST_RUNS));
  const known = new Set(runs?.map(({ run_id: runId }) => runId));
  const starting = reached.filter(({ effect, run_id: runId }) => effect === 'starts' && !known.has(runId));
  const receiving = reached.filter(({ effect }) => effect === 'receives');
  if (runs === undefined) return null;
  return (
    <section aria-label="Runs of the event">
      <Text component="h3" fw={650} size="sm" mb={4}>
        Runs
      </Text>
      <Stack gap={4}>
        {runs.map((run) => (
          <Group key={run.run_id} gap={8} wrap="nowrap">
            <Text size="sm">Started</Text>
            <RunLink playbook={playbook} runId={run.run_id} size="sm">
              {run.name}
            </RunLink>
            <Text size="sm" component="span">
              <Status run={run} />
            </Text>
          </Group>
        ))}
        {runs.length === MOST_RUNS && (
          <Text size="xs" c="dimmed">
            The latest {MOST_RUNS} runs.
          </Text>
        )}
        {starting.map(({ run_id: runId, workflow }) => (
          <Text key={runId} size="sm" c="dimmed">
            Matches the trigger of {workflow}: the run starts if its filters accept the event.
          </Text>
        ))}
        {receiving.map(({ run_id: runId }) => (
          <Group key={runId} gap={8} wrap="nowrap">
            <Text size="sm">Sent to</Text>
            <RunLink playbook={playbook} runId={runId} size="sm">
              run {runId.slice(0, 8)}
            </RunLink>
          </Group>
        ))}
        {runs.length + starting.length + receiving.length === 0 && (
          <Text size="sm" c="dimmed">
            The event started no run.
          </Text>
        )}
      </Stack>
    </section>
  );
}
