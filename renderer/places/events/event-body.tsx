import { Group, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { eventQuery } from '../../api/queries.ts';
import { ButtonLink } from '../../ui/links.tsx';
import { curlCopy } from '../../ui/call-copies.ts';
import { CopyAs } from '../../ui/copy-as.tsx';
import { JsonView } from '../../ui/json/json-view.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { ToolContent } from '../../ui/tool-content.tsx';
import { fullTime } from '../../ui/times.tsx';
import { EventRuns } from './event-runs.tsx';

export interface EventBodyProps {
  playbook: string;
  eventId: string;
  /** The run whose page shows the event; it gets no link to itself. */
  runId?: string;
}

/** An event in full, with its data and metadata. */
export function EventBody({ playbook, eventId, runId: here }: EventBodyProps) {
  const { data: event, error } = useQuery(eventQuery(playbook, eventId));
  if (error !== null) return <ProblemView error={error} />;
  if (event === undefined) return <Skeleton height={200} />;
  const { run_id: runId, at, by } = event.metadata;
  return (
    <Stack>
      <Text style={{ overflowWrap: 'anywhere' }}>{event.summary}</Text>
      <Text size="sm" c="dimmed">
        {fullTime(at)}, by {by}
      </Text>
      <Group gap="xs">
        <CopyAs
          copies={[
            curlCopy('get_event', { playbook, event_id: event.id }),
            { name: 'JSON', text: () => JSON.stringify(event, undefined, 2) },
          ]}
        />
        {runId !== undefined && runId !== here && (
          <ButtonLink size="xs" variant="default" to="/playbooks/$playbook/runs/$runId" params={{ playbook, runId }}>
            Open the run
          </ButtonLink>
        )}
      </Group>
      {event.type === 'event_published' && <EventRuns playbook={playbook} eventId={event.id} />}
      {event.type === 'tool_call_answered' && <ToolContent result={event.data['answer']} />}
      <JsonView value={event.data} label="Data" heading={<Part>Data</Part>} />
      <JsonView value={event.metadata} label="Metadata" heading={<Part>Metadata</Part>} />
    </Stack>
  );
}

function Part({ children }: { children: string }) {
  return (
    <Text component="h3" fw={650} size="sm">
      {children}
    </Text>
  );
}
