import { Text } from '@mantine/core';
import dayjs from 'dayjs';
import type { ReactNode } from 'react';
import type { EventRecord } from '../../../shared/api/index.ts';
import { fullTime } from '../../ui/times.tsx';

/** Today's events show milliseconds; older events show the day. */
function timeWords(at: string): string {
  const time = dayjs(at);
  return time.format(time.isSame(dayjs(), 'day') ? 'HH:mm:ss.SSS' : 'D MMM, HH:mm:ss');
}

/** @param summary the link that opens the event */
export function eventCells({ type, metadata: { at } }: EventRecord, summary: ReactNode): ReactNode[] {
  return [
    <time key="at" dateTime={at} title={fullTime(at)} className="number">
      {timeWords(at)}
    </time>,
    <Text key="type" span ff="monospace" fz={12.5} c="dimmed">
      {type}
    </Text>,
    summary,
  ];
}
