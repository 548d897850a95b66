import { Text } from '@mantine/core';
import dayjs from 'dayjs';
import type { ReactNode } from 'react';
import { isJsonObject } from '../../../shared/json.ts';
import type { EventRecord } from '../../../shared/api/index.ts';
import { fullTime } from '../../ui/times.tsx';

/** Today's events show milliseconds; older events show the day. */
function timeWords(at: string): string {
  const time = dayjs(at);
  return time.format(time.isSame(dayjs(), 'day') ? 'HH:mm:ss.SSS' : 'D MMM, HH:mm:ss');
}

/** The type that people filter events by: of a published event, its own. */
export function shownType({ type, data }: Pick<EventRecord, 'type' | 'data'>): string {
  const { event } = data;
  const own = type === 'event_published' && isJsonObject(event) ? event['type'] : undefined;
  return typeof own === 'string' ? own : type;
}

/** @param summary the link that opens the event */
export function eventCells(event: EventRecord, summary: ReactNode): ReactNode[] {
  const { at } = event.metadata;
  return [
    <time key="at" dateTime={at} title={fullTime(at)} className="number">
      {timeWords(at)}
    </time>,
    <Text key="type" span ff="monospace" fz={12.5} c="dimmed">
      {shownType(event)}
    </Text>,
    summary,
  ];
}
