import { Button, Group, Skeleton } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { BellDot, CheckCheck } from 'lucide-react';
import { useNewEntries } from '../../ui/use-new-entries.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { type Column, LiveList } from '../../ui/live-list.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { noticeCells } from './inbox-cells.tsx';
import { noticesQuery } from './notices-query.ts';
import type { RequestEvent } from './past-requests-query.ts';
import { isFor } from './parties.ts';
import { isRead, type Notice } from './read-marks.ts';
import { type InboxListProps, ROW_HEIGHT, useMore } from './inbox-list.ts';
import { useNoticesRead } from './use-notices-read.ts';

const COLUMNS: readonly Column[] = [
  { title: 'Notice', width: 'minmax(220px, 3fr)' },
  { title: 'To', width: 'minmax(110px, 1fr)' },
  { title: 'Sent', width: '140px' },
];

const noticeOf = ({ event: { metadata } }: RequestEvent): Notice => ({ runId: metadata.run_id ?? '', at: metadata.at });

export function NoticesList({ playbook, parties }: InboxListProps) {
  const query = noticesQuery(playbook, parties);
  const notices = useInfiniteQuery(query);
  const { marks, readUntil } = useNoticesRead(playbook);
  const entries = notices.data?.pages.flatMap((page) => page.entries) ?? [];
  const entering = useNewEntries(
    query.queryKey,
    () => entries.map(({ event }) => event.id),
    ({ id, type, data }) =>
      type === 'interaction_requested' && data['takes_answer'] === false && isFor(parties, data['to']) ? id : undefined,
  );
  const more = useMore(notices, entries.length === 0);

  if (notices.data === undefined && notices.error !== null) return <ProblemView error={notices.error} />;
  if (notices.isPending || (entries.length === 0 && notices.hasNextPage)) return <Skeleton height={320} />;
  const [newest] = entries;
  if (newest === undefined) {
    return (
      <EmptyState icon={BellDot} title="No notices yet">
        An interaction with <code>tell</code> sends a message that needs no answer. Its messages are listed here.
      </EmptyState>
    );
  }
  const unread = entries.filter((entry) => !isRead(marks, noticeOf(entry))).length;
  return (
    <>
      <Group justify="space-between" mb={4} mih={30}>
        <span role="status">{unread === 0 ? 'All read' : `${unread}${notices.hasNextPage ? '+' : ''} unread`}</span>
        {unread > 0 && (
          <Button
            variant="default"
            size="xs"
            leftSection={<CheckCheck size={14} aria-hidden />}
            onClick={() => readUntil(newest.event.metadata.at)}
          >
            Mark all as read
          </Button>
        )}
      </Group>
      <LiveList<RequestEvent>
        label="Notices"
        columns={COLUMNS}
        items={entries}
        keyOf={({ event }) => event.id}
        cells={(entry) => noticeCells(playbook, entry, isRead(marks, noticeOf(entry)))}
        rowHeight={ROW_HEIGHT}
        paging={{ ...entering, hasMore: notices.hasNextPage, onEnd: more }}
      />
    </>
  );
}
