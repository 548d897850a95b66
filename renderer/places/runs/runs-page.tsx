import { Button, Group, SegmentedControl, Select, Skeleton, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import dayjs from 'dayjs';
import { Activity } from 'lucide-react';
import { useCallback, useEffect } from 'react';
import { isDefinitionType } from '../../../shared/definition-types.ts';
import type { EventRecord, RunListEntry } from '../../../shared/api/index.ts';
import {
  API_STATUSES,
  RUN_OUTCOMES,
  runOutcomeOf,
  STATUS_FILTERS,
  type StatusFields,
  type StatusFilter,
  statusLabelOf,
} from '../../../shared/status-label.ts';
import { definitionsQuery, type RunFilters, runsQuery } from '../../api/queries.ts';
import { changeSearch, type SearchChanges } from '../../app/search-params.ts';
import { useNewEntries } from '../../app/use-new-entries.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FilterChip } from '../../ui/filter-chip.tsx';
import { type Column, LiveList } from '../../ui/live-list.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { useIsNarrow } from '../../ui/use-narrow.ts';
import { runCells } from './run-cells.tsx';
import { usePatchedRuns } from './use-patched-runs.ts';

const STATUSES = [
  { value: '', label: 'All' },
  ...STATUS_FILTERS.map((status) => ({ value: status, label: status[0]?.toUpperCase() + status.slice(1) })),
];

const COLUMNS: readonly Column[] = [
  { title: 'Definition', width: 'minmax(160px, 1.8fr)' },
  { title: 'Status', width: 'minmax(184px, 1.3fr)' },
  { title: 'Started', width: '132px' },
  { title: 'Duration', width: '90px' },
  { title: 'Started by', width: 'minmax(100px, 1fr)' },
];

export function RunsPage() {
  const { playbook } = useParams({ from: '/playbooks/$playbook/runs' });
  const search = useSearch({ from: '/playbooks/$playbook/runs' });
  const { day, outcome, status, ...definition } = search;
  const filters: RunFilters = { ...definition, ...(status === undefined ? {} : { status: API_STATUSES[status] }) };
  const navigate = useNavigate();
  const isNarrow = useIsNarrow();
  const query = runsQuery(playbook, filters);
  const runs = useInfiniteQuery(query);
  const definitions = useQuery(definitionsQuery(playbook));
  const loaded = runs.data?.pages.flatMap((page) => page.runs) ?? [];
  const entering = useNewEntries(
    query.queryKey,
    () => loaded.map(({ run_id }) => run_id),
    (event) => (isNewEntry(event, search) ? event.metadata.run_id : undefined),
  );
  usePatchedRuns(playbook);
  const cells = useCallback((run: RunListEntry) => runCells(playbook, run), [playbook]);

  const shown = loaded.filter(
    (run) =>
      (day === undefined || run.started_at.startsWith(day)) &&
      hasStatus(run, status) &&
      (outcome === undefined || runOutcomeOf(run) === outcome),
  );
  const { fetchNextPage, isFetching, hasNextPage } = runs;
  // Runs are listed newest first: runs of the day may follow until an earlier day is reached.
  const mayHaveMore = hasNextPage && (day === undefined || (loaded.at(-1)?.started_at ?? '9') >= day);
  const isLooking = mayHaveMore && (day !== undefined || shown.length === 0);
  const more = (): void => {
    if (mayHaveMore && !isFetching) void fetchNextPage();
  };
  useEffect(() => {
    if (isLooking) more();
  });

  const change = (changed: SearchChanges<typeof search>): void =>
    void navigate({
      to: '/playbooks/$playbook/runs',
      params: { playbook },
      search: changeSearch(search, changed),
      replace: true,
    });
  const changeStatus = (value: string | null): void =>
    change({ status: STATUS_FILTERS.find((one) => one === value), outcome: undefined });
  const isFiltered = Object.keys(search).length > 0;

  return (
    <div className="filled-page">
      <PageTitle title="Runs" about="Every execution of a definition, newest first." />
      <Group gap="sm" mb="sm">
        {isNarrow ? (
          <Select
            aria-label="Status"
            placeholder="Any status"
            clearable
            data={STATUSES.slice(1)}
            value={status ?? null}
            onChange={changeStatus}
            clearButtonProps={{ 'aria-label': 'Any status' }}
          />
        ) : (
          <SegmentedControl aria-label="Status" data={STATUSES} value={status ?? ''} onChange={changeStatus} />
        )}
        <Select
          aria-label="Definition"
          placeholder="Any definition"
          w={220}
          clearable
          searchable
          data={(definitions.data ?? []).map(({ type, name }) => ({ value: `${type}/${name}`, label: name }))}
          value={search.name === undefined ? null : `${search.type}/${search.name}`}
          onChange={(value) => {
            const [type, name] = value?.split('/') ?? [];
            change({ type: type !== undefined && isDefinitionType(type) ? type : undefined, name });
          }}
          clearButtonProps={{ 'aria-label': 'Any definition' }}
        />
        {search.type !== undefined && search.name === undefined && (
          <FilterChip clearLabel="Any type" onClear={() => change({ type: undefined })}>
            {search.type}
          </FilterChip>
        )}
        {outcome !== undefined && (
          <FilterChip clearLabel="Any cause" onClear={() => change({ outcome: undefined })}>
            {RUN_OUTCOMES[outcome]}
          </FilterChip>
        )}
        {day !== undefined && (
          <FilterChip clearLabel="Any day" onClear={() => change({ day: undefined })}>
            {dayjs(day).format('D MMM YYYY')}
          </FilterChip>
        )}
      </Group>
      {runs.error !== null && <ProblemView error={runs.error} />}
      {runs.isPending && <Lines />}
      {!runs.isPending && runs.error === null && shown.length === 0 && !isLooking && (
        <EmptyState
          icon={Activity}
          title={isFiltered ? 'No matching runs' : 'No runs yet'}
          action={
            isFiltered ? (
              <Button
                variant="default"
                renderRoot={(props) => (
                  <Link {...props} to="/playbooks/$playbook/runs" params={{ playbook }} search={{}} />
                )}
              >
                Show all runs
              </Button>
            ) : (
              <Button
                renderRoot={(props) => <Link {...props} to="/playbooks/$playbook/definitions" params={{ playbook }} />}
              >
                Choose a definition
              </Button>
            )
          }
        >
          {isFiltered
            ? 'Remove a filter to see more.'
            : 'Choose a definition and run it. Every run appears here, no matter who starts it.'}
        </EmptyState>
      )}
      {shown.length > 0 && (
        <LiveList<RunListEntry>
          key={entering.list}
          label="Runs"
          columns={COLUMNS}
          items={shown}
          keyOf={({ run_id }) => run_id}
          cells={cells}
          paging={{ ...entering, hasMore: mayHaveMore, onEnd: more }}
        />
      )}
      {isLooking && (
        <Text size="sm" c="dimmed" py="sm" role="status">
          Searching older runs: {loaded.length.toLocaleString()} checked.
        </Text>
      )}
    </div>
  );
}

interface EntryFilter {
  status?: StatusFilter;
  type?: string;
  name?: string;
}

/** Whether an event adds a run to the list: by its start, its first wait, or its ending. */
function isNewEntry({ type, data, metadata: { definition } }: EventRecord, filter: EntryFilter): boolean {
  const { status = 'running' } = filter;
  const rejection = data['rejection'] as Pick<RunListEntry, 'reason' | 'kind'> | undefined;
  return (
    type === (status === 'waiting' ? 'run_deferred' : `run_${API_STATUSES[status]}`) &&
    (type !== 'run_rejected' || hasStatus({ status: 'rejected', ...rejection }, status)) &&
    (filter.type === undefined || definition?.type === filter.type) &&
    (filter.name === undefined || definition?.name === filter.name)
  );
}

function hasStatus(run: StatusFields, status: StatusFilter | undefined): boolean {
  return status === undefined || statusLabelOf(run).word.toLowerCase() === status;
}

function Lines() {
  return (
    <Stack gap="xs">
      {Array.from({ length: 10 }, (_, index) => (
        <Skeleton key={index} height={36} />
      ))}
    </Stack>
  );
}
