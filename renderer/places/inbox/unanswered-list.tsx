import { Skeleton } from '@mantine/core';
import { useInfiniteQuery } from '@tanstack/react-query';
import { ClockAlert } from 'lucide-react';
import { useNewEntries } from '../../ui/use-new-entries.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { type Column, LiveList } from '../../ui/live-list.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { unansweredCells } from './inbox-cells.tsx';
import { type UnansweredRequest, unansweredQuery } from './past-requests-query.ts';
import { type InboxListProps, ROW_HEIGHT, useMore } from './inbox-list.ts';

const COLUMNS: readonly Column[] = [
  { title: 'Question', width: 'minmax(170px, 2.6fr)' },
  { title: 'To', width: 'minmax(100px, 1fr)' },
  { title: 'Status', width: 'minmax(180px, 2.8fr)' },
  { title: 'Ended', width: '140px' },
];

export function UnansweredList({ playbook, parties }: InboxListProps) {
  const query = unansweredQuery(playbook, parties);
  const unanswered = useInfiniteQuery(query);
  const entries = unanswered.data?.pages.flatMap((page) => page.entries) ?? [];
  // Only the run says whom the request was for, so the page is read again and filtered.
  const entering = useNewEntries(
    query.queryKey,
    () => entries.map(({ run }) => run.run_id),
    ({ type, metadata }) =>
      type === 'run_rejected' && metadata.definition?.type === 'interaction' ? metadata.run_id : undefined,
  );
  const more = useMore(unanswered, entries.length === 0);

  if (unanswered.data === undefined && unanswered.error !== null) return <ProblemView error={unanswered.error} />;
  if (unanswered.isPending || (entries.length === 0 && unanswered.hasNextPage)) return <Skeleton height={320} />;
  if (entries.length === 0) {
    return (
      <EmptyState icon={ClockAlert} title="No expired or cancelled questions">
        Questions that expired or whose run was cancelled are listed here with the reason.
      </EmptyState>
    );
  }
  return (
    <LiveList<UnansweredRequest>
      label="Unanswered requests"
      columns={COLUMNS}
      items={entries}
      keyOf={({ run }) => run.run_id}
      cells={(entry) => unansweredCells(playbook, entry)}
      rowHeight={ROW_HEIGHT}
      paging={{ ...entering, hasMore: unanswered.hasNextPage, onEnd: more }}
    />
  );
}
