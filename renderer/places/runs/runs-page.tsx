import { Button, Group, SegmentedControl, Select, Skeleton, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import dayjs from 'dayjs';
import { Activity } from 'lucide-react';
import { useCallback, useEffect } from 'react';
import { isDefinitionType } from '../../../shared/definition-types.ts';
import { ENDED_OUTCOMES, outcomeOf } from '../../../shared/outcome-words.ts';
import type { EventRecord, RunListEntry } from '../../../shared/api/index.ts';
import { definitionsQuery, type RunFilters, runsQuery } from '../../api/queries.ts';
import { changeSearch, type SearchChanges } from '../../app/search-params.ts';
import { useNewEntries } from '../../app/use-new-entries.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FilterChip } from '../../ui/filter-chip.tsx';
import { type Column, LiveList } from '../../ui/live-list.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { runCells } from './run-cells.tsx';
import { usePatchedRuns } from './use-patched-runs.ts';

const STATUSES = [
  { value: '', label: 'All' },
  { value: 'started', label: 'In progress' },
  { value: 'succeeded', label: 'Succeeded' },
  { value: 'rejected', label: 'Rejected' },
  { value: 'failed', label: 'Failed' },
];

const COLUMNS: readonly Column[] = [
  { title: 'Definition', width: 'minmax(180px, 2fr)' },
  { title: 'Status', width: 'minmax(150px, 1.3fr)' },
  { title: 'Started', width: '132px' },
  { title: 'Took', width: '90px' },
  { title: 'Started by', width: 'minmax(120px, 1fr)' },
];

export function RunsPage() {
  const { playbook } = useParams({ from: '/playbooks/$playbook/runs' });
  const search = useSearch({ from: '/playbooks/$playbook/runs' });
  const { day, outcome, ...filters } = search;
  const navigate = useNavigate();
  const query = runsQuery(playbook, filters);
  const runs = useInfiniteQuery(query);
  const definitions = useQuery(definitionsQuery(playbook));
  const loaded = runs.data?.pages.flatMap((page) => page.runs) ?? [];
  const entering = useNewEntries(
    query.queryKey,
    () => loaded.map(({ run_id }) => run_id),
    (event) => (isEntry(event, filters) ? event.metadata.run_id : undefined),
  );
  usePatchedRuns(playbook);
  const cells = useCallback((run: RunListEntry) => runCells(playbook, run), [playbook]);

  const shown = loaded.filter(
    (run) =>
      (day === undefined || run.started_at.startsWith(day)) &&
      (outcome === undefined || outcomeOf(run).word === ENDED_OUTCOMES[outcome]),
  );
  const { fetchNextPage, isFetching, hasNextPage } = runs;
  // Runs come newest first: the day lies further down until an earlier one is met.
  const mayHaveMore = hasNextPage && (day === undefined || (loaded.at(-1)?.started_at ?? '9') >= day);
  const isLooking = mayHaveMore && (day !== undefined || (outcome !== undefined && shown.length === 0));
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
  const isFiltered = Object.keys(search).length > 0;

  return (
    <div className="filled-page">
      <PageTitle title="Runs" about="Every execution of a definition, the latest first." />
      <Group gap="sm" mb="sm">
        <SegmentedControl
          aria-label="Status"
          data={STATUSES}
          value={search.status ?? ''}
          onChange={(value) =>
            change({ status: (value === '' ? undefined : value) as typeof search.status, outcome: undefined })
          }
        />
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
          <FilterChip all="Any type" onAll={() => change({ type: undefined })}>
            {search.type}
          </FilterChip>
        )}
        {outcome !== undefined && (
          <FilterChip all="Any outcome" onAll={() => change({ outcome: undefined })}>
            {ENDED_OUTCOMES[outcome]}
          </FilterChip>
        )}
        {day !== undefined && (
          <FilterChip all="Any day" onAll={() => change({ day: undefined })}>
            {dayjs(day).format('D MMM YYYY')}
          </FilterChip>
        )}
      </Group>
      {runs.error !== null && <ProblemView error={runs.error} />}
      {runs.isPending && <Lines />}
      {!runs.isPending && runs.error === null && shown.length === 0 && !isLooking && (
        <EmptyState
          icon={Activity}
          title={isFiltered ? 'No matching runs' : 'Nothing has run yet'}
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
            : 'Choose a definition and run it. Each run appears here at once, whoever starts it.'}
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
          Searching older runs: {loaded.length.toLocaleString()} read.
        </Text>
      )}
    </div>
  );
}

/** Whether an event puts a run into the list: its start, or the ending that the list keeps. */
function isEntry({ type, metadata: { definition } }: EventRecord, filters: RunFilters): boolean {
  return (
    type === `run_${filters.status ?? 'started'}` &&
    (filters.type === undefined || definition?.type === filters.type) &&
    (filters.name === undefined || definition?.name === filters.name)
  );
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
