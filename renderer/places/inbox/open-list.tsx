import { Button, Skeleton } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Inbox, MessageCircleQuestion } from 'lucide-react';
import { DEFINITION_FACTS } from '../../../shared/definition-types.ts';
import type { InteractionRequest } from '../../../shared/api/index.ts';
import { ButtonLink } from '../../ui/links.tsx';
import { useNewEntries } from '../../ui/use-new-entries.ts';
import { definitionsQuery } from '../../api/queries.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { type Column, LiveList } from '../../ui/live-list.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { openCells } from './inbox-cells.tsx';
import { newestFirst, openRequestsQuery } from './open-requests-query.ts';
import { isFor } from './parties.ts';
import { type InboxListProps, ROW_HEIGHT, useMore } from './inbox-list.ts';

const COLUMNS: readonly Column[] = [
  { title: 'Question', width: 'minmax(220px, 3fr)' },
  { title: 'To', width: 'minmax(110px, 1fr)' },
  { title: 'Asked', width: '140px' },
  { title: 'Expires', width: '150px' },
];

export function OpenList({ playbook, parties }: InboxListProps) {
  const query = openRequestsQuery(playbook, parties);
  const open = useInfiniteQuery(query);
  const requests = newestFirst(open.data?.pages.flatMap((page) => page.requests) ?? []);
  const entering = useNewEntries(
    query.queryKey,
    () => requests.map(({ run_id }) => run_id),
    ({ type, data, metadata }) =>
      type === 'interaction_requested' && data['takes_answer'] === true && isFor(parties, data['to'])
        ? metadata.run_id
        : undefined,
  );
  const more = useMore(open, requests.length === 0);

  if (open.data === undefined && open.error !== null) return <ProblemView error={open.error} />;
  if (open.isPending || (requests.length === 0 && open.hasNextPage)) return <Skeleton height={320} />;
  if (requests.length === 0) return <NothingOpen playbook={playbook} isMine={parties.length > 0} />;
  return (
    <LiveList<InteractionRequest>
      label="Open requests"
      columns={COLUMNS}
      items={requests}
      keyOf={({ run_id }) => run_id}
      cells={(request) => openCells(playbook, request)}
      rowHeight={ROW_HEIGHT}
      paging={{ ...entering, hasMore: open.hasNextPage, onEnd: more }}
    />
  );
}

function NothingOpen({ playbook, isMine }: { playbook: string; isMine: boolean }) {
  const definitions = useQuery(definitionsQuery(playbook));
  const hasAsking = definitions.data?.some(
    ({ type, status }) => DEFINITION_FACTS[type].mayAsk === true && status === 'active',
  );
  if (hasAsking === false) {
    return (
      <EmptyState
        icon={MessageCircleQuestion}
        title="No interactions yet"
        action={
          <Button
            renderRoot={(props) => (
              <Link
                {...props}
                to="/playbooks/$playbook/definitions/new"
                params={{ playbook }}
                search={{ type: 'interaction' }}
              />
            )}
          >
            New interaction
          </Button>
        }
      >
        An interaction asks a party a question and defines a schema for the answer. Create one and run it, or call it
        from a workflow. The question stays here until someone answers.
      </EmptyState>
    );
  }
  return (
    <EmptyState
      icon={Inbox}
      title={isMine ? 'Nothing is waiting for you' : 'No open questions'}
      action={
        <ButtonLink variant="default" to="/playbooks/$playbook/definitions" params={{ playbook }}>
          Choose an interaction to run
        </ButtonLink>
      }
    >
      A question appears here when an interaction asks one, whether run directly or from a workflow. The run waits for
      the answer, even across restarts.
    </EmptyState>
  );
}
