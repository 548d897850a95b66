import { Skeleton } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { CircleCheck } from 'lucide-react';
import { useNewEntries } from '../../ui/use-new-entries.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { type Column, LiveList } from '../../ui/live-list.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { answeredCells } from './inbox-cells.tsx';
import { answeredQuery } from './past-requests-query.ts';
import type { RequestEvent } from './past-requests-query.ts';
import { type InboxListProps, ROW_HEIGHT, useMore } from './inbox-list.ts';

const COLUMNS: readonly Column[] = [
  { title: 'Question', width: 'minmax(170px, 2.6fr)' },
  { title: 'To', width: 'minmax(100px, 1fr)' },
  { title: 'Answer', width: 'minmax(150px, 2.4fr)' },
  { title: 'By', width: 'minmax(110px, 1.4fr)' },
  { title: 'Answered', width: '140px' },
];

export function AnsweredList({ playbook, parties }: InboxListProps) {
  const query = answeredQuery(playbook, parties);
  const answered = useInfiniteQuery(query);
  const entries = answered.data?.pages.flatMap((page) => page.entries) ?? [];
  // Only the run says whom the request was for, so the page is read again and filtered.
  const entering = useNewEntries(
    query.queryKey,
    () => entries.map(({ event }) => event.id),
    ({ id, type }) => (type === 'request_answered' ? id : undefined),
  );
  const more = useMore(answered, entries.length === 0);

  if (answered.data === undefined && answered.error !== null) return <ProblemView error={answered.error} />;
  if (answered.isPending || (entries.length === 0 && answered.hasNextPage)) return <Skeleton height={320} />;
  if (entries.length === 0) {
    return (
      <EmptyState icon={CircleCheck} title="No answered questions yet">
        Answers are listed here with who gave them and when, whether in the studio, through an agent or as a reply.
      </EmptyState>
    );
  }
  return (
    <LiveList<RequestEvent>
      label="Answered requests"
      columns={COLUMNS}
      items={entries}
      keyOf={({ event }) => event.id}
      cells={(entry) => answeredCells(playbook, entry)}
      rowHeight={ROW_HEIGHT}
      paging={{ ...entering, hasMore: answered.hasNextPage, onEnd: more }}
    />
  );
}
