import { Skeleton } from '@mantine/core';
import { useMemo } from 'react';
import type { EventRecord } from '../../../shared/schemas/index.ts';
import { type Column, LiveList } from '../../ui/live-list.tsx';
import { eventCells } from '../events/event-cells.tsx';

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
}

export function RunHistory({ playbook, runId, events, isPending }: RunHistoryProps) {
  const shown = useMemo(() => eventsBelow(events ?? [], runId), [events, runId]);
  if (isPending) return <Skeleton height={240} />;
  return (
    <div style={{ height: 'min(560px, 60vh)', display: 'flex' }}>
      <LiveList<EventRecord>
        label="History"
        columns={COLUMNS}
        items={shown}
        keyOf={({ id }) => id}
        cells={(event) => eventCells(playbook, event)}
        rowHeight={36}
        fresh={0}
        onShowFresh={() => {}}
        onAtTop={() => {}}
        onEnd={() => {}}
      />
    </div>
  );
}

/** What the run recorded and every run that it started. */
function eventsBelow(events: readonly EventRecord[], runId: string): EventRecord[] {
  const below = new Set([runId]);
  return events.filter(({ metadata }) => {
    if (metadata.run_id === undefined) return false;
    if (metadata.called_by !== undefined && below.has(metadata.called_by.run_id)) below.add(metadata.run_id);
    return below.has(metadata.run_id);
  });
}
