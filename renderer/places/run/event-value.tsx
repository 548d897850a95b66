import { Skeleton } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import type { ReactNode } from 'react';
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
  /** Shown in one line with the buttons of the value. */
  heading?: ReactNode;
}

/** A value in an event. Lists of events leave out large values, which are read with the event itself. */
export function EventValue({ playbook, event, member, label, heading }: EventValueProps) {
  const isHere = member in event.data;
  const whole = useQuery({ ...eventQuery(playbook, event.id), enabled: !isHere });
  if (isHere) return <JsonView value={event.data[member]} label={label} heading={heading} />;
  if (whole.data !== undefined) {
    return <JsonView value={whole.data.data[member] ?? null} label={label} heading={heading} />;
  }
  return (
    <>
      {heading}
      {whole.error === null ? <Skeleton height={60} /> : <ProblemView error={whole.error} />}
    </>
  );
}
