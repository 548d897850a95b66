import { Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import dayjs from 'dayjs';
import type { ReactNode } from 'react';
import type { EventRecord } from '../../../shared/schemas/index.ts';

/** As exact as one needs: of today the milliseconds, of other days the day. */
function timeWords(at: string): string {
  const time = dayjs(at);
  return time.format(time.isSame(dayjs(), 'day') ? 'HH:mm:ss.SSS' : 'D MMM, HH:mm:ss');
}

/** Time, type and summary; the summary opens the event. */
export function eventCells(playbook: string, { id, type, summary, metadata }: EventRecord): ReactNode[] {
  return [
    <time
      key="at"
      dateTime={metadata.at}
      title={dayjs(metadata.at).format('D MMM YYYY, HH:mm:ss.SSS')}
      className="number"
    >
      {timeWords(metadata.at)}
    </time>,
    <Text key="type" span ff="monospace" fz={12.5} c="dimmed">
      {type}
    </Text>,
    <Link
      key="summary"
      to="/playbooks/$playbook/events"
      params={{ playbook }}
      search={(search) => ({ ...search, event: id })}
      className="row-link"
      data-row-link
    >
      {summary}
    </Link>,
  ];
}
