import { Skeleton, Text } from '@mantine/core';
import { useCallback, useMemo } from 'react';
import type { EventRecord } from '../../../shared/api/index.ts';
import { changeSearch } from '../../ui/search-params.ts';
import { InlineCode } from '../../ui/inline-code.tsx';
import { type Column, LiveList } from '../../ui/live-list.tsx';
import { RowLink } from '../../ui/list-row.tsx';
import { EventBody } from '../events/event-body.tsx';
import { eventCells } from '../events/event-cells.tsx';
import { FindField } from './find-field.tsx';

const COLUMNS: readonly Column[] = [
  { title: 'Time', width: '124px' },
  { title: 'Type', width: 'minmax(150px, 1fr)' },
  { title: 'What happened', width: 'minmax(240px, 3fr)' },
];

export interface RunHistoryProps {
  playbook: string;
  runId: string;
  /** Of the whole tree. */
  events: readonly EventRecord[] | undefined;
  isPending: boolean;
  find: string | undefined;
  /** The ID of the event that is expanded below its row. */
  opened: string | undefined;
  onFind: (words: string | undefined) => void;
}

export function RunHistory({ playbook, runId, events, isPending, find, opened, onFind }: RunHistoryProps) {
  const all = useMemo(() => eventsBelow(events ?? [], runId), [events, runId]);
  const shown = useMemo(() => eventsWith(all, find), [all, find]);
  const cells = useCallback(
    (event: EventRecord) =>
      eventCells(
        event,
        <RowLink
          from="/playbooks/$playbook/runs/$runId"
          to="/playbooks/$playbook/runs/$runId"
          params={{ playbook, runId }}
          search={(before) => changeSearch(before, { event: event.id === opened ? undefined : event.id })}
          replace
          aria-expanded={event.id === opened}
        >
          <InlineCode>{event.summary}</InlineCode>
        </RowLink>,
      ),
    [playbook, runId, opened],
  );
  if (isPending) return <Skeleton height={240} />;
  return (
    <>
      <div className="run-filter">
        <FindField label="Find an event" value={find} onFind={onFind} />
        <Text size="sm" c="dimmed" role="status" className="number">
          {shown.length === all.length ? '' : `${shown.length.toLocaleString()} of `}
          {all.length === 1 ? '1 event' : `${all.length.toLocaleString()} events`}
        </Text>
      </div>
      <LiveList<EventRecord>
        label="History"
        columns={COLUMNS}
        items={shown}
        keyOf={({ id }) => id}
        cells={cells}
        rowHeight={36}
        isPart
        revealed={opened}
        below={({ id }) => id === opened && <EventBody playbook={playbook} eventId={id} runId={runId} />}
      />
    </>
  );
}

function eventsWith(events: readonly EventRecord[], find: string | undefined): readonly EventRecord[] {
  if (find === undefined) return events;
  const words = find.toLowerCase();
  return events.filter(({ type, summary }) => type.includes(words) || summary.toLowerCase().includes(words));
}

/** The events of a run and of every run that it started. */
function eventsBelow(events: readonly EventRecord[], runId: string): EventRecord[] {
  const below = new Set([runId]);
  return events.filter(({ metadata }) => {
    if (metadata.run_id === undefined) return false;
    if (metadata.called_by !== undefined && below.has(metadata.called_by.run_id)) below.add(metadata.run_id);
    return below.has(metadata.run_id);
  });
}
