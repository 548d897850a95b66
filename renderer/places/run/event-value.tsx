import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { EventRecord } from '../../../shared/api/index.ts';
import { eventQuery } from '../../api/queries.ts';
import { JsonView } from '../../ui/json/json-view.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';

export interface EventValueProps {
  playbook: string;
  event: EventRecord;
  /** The member of the event's data. */
  member: string;
  label: string;
}

/** A value in an event. Lists of events leave out large values, which are read with the event itself. */
export function EventValue({ playbook, event, member, label }: EventValueProps) {
  const isHere = member in event.data;
  const whole = useQuery({ ...eventQuery(playbook, event.id), enabled: !isHere });
  if (isHere) return <JsonView value={event.data[member]} label={label} />;
  if (whole.error !== null) return <ProblemView error={whole.error} />;
  if (whole.data === undefined) return <Skeleton height={60} />;
  return <JsonView value={whole.data.data[member] ?? null} label={label} />;
}
