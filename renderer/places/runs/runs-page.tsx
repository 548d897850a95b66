import { Button, Group, SegmentedControl, Select, Skeleton, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import dayjs from 'dayjs';
import { Activity } from 'lucide-react';
import { useEffect, useMemo } from 'react';
import { isDefinitionType } from '../../../shared/definition-types.ts';
import type { EventRecord, RunListEntry } from '../../../shared/api/index.ts';
import {
  API_STATUSES,
  RUN_OUTCOMES,
  type RunOutcome,
  runOutcomeOf,
  STATUS_FILTERS,
  type StatusFields,
  type StatusFilter,
  statusLabelOf,
} from '../../../shared/status-label.ts';
import { definitionsQuery, type RunFilters, runsQuery } from '../../api/queries.ts';
import { ButtonLink } from '../../ui/links.tsx';
import { type SearchChanges, useChangeSearch } from '../../ui/search-params.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { FilterChip } from '../../ui/filter-chip.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { useIsNarrow } from '../../ui/use-narrow.ts';
import { ColumnMenu } from './column-menu.tsx';
import { LateField, MoreFilters, type SeldomFilters } from './more-filters.tsx';
import { shownColumns } from './run-columns.tsx';
import { RunsList } from './runs-list.tsx';
import { SavedFilters } from './saved-filters.tsx';
import { useRunColumns } from './use-run-columns.ts';
import { usePatchedRuns } from './use-patched-runs.ts';

const STATUSES = [
  { value: '', label: 'All' },
  ...STATUS_FILTERS.map((status) => ({ value: status, label: status[0]?.toUpperCase() + status.slice(1) })),
];

export function RunsPage() {
  const { playbook } = useParams({ from: '/playbooks/$playbook/runs' });
  const search = useSearch({ from: '/playbooks/$playbook/runs' });
  const { list, more } = useLoadedRuns(playbook, search);
  const { loaded, shown, isPending, error, queryKey } = list;
  usePatchedRuns(playbook);
  const [chosenColumns, chooseColumns] = useRunColumns();
  const shownAs = useMemo(() => shownColumns(playbook, chosenColumns), [playbook, chosenColumns]);
  const change = useChangeSearch(search);
  return (
    <div className="filled-page">
      <PageTitle title="Runs" about="Every execution of a definition, newest first.">
        <ColumnMenu chosen={chosenColumns} onChange={chooseColumns} />
      </PageTitle>
      <Filters playbook={playbook} search={search} onChange={change} />
      {error !== null && <ProblemView error={error} />}
      {isPending && <Lines />}
      {!isPending && error === null && shown.length === 0 && !more.isLooking && !more.isBounded && (
        <NoRuns playbook={playbook} isFiltered={Object.keys(search).length > 0} />
      )}
      <RunsList
        playbook={playbook}
        queryKey={queryKey}
        loaded={loaded}
        shown={shown}
        shownAs={shownAs}
        isNewEntry={(event) => isNewEntry(event, search)}
        hasMore={more.mayHaveMore}
        onEnd={more.readMore}
      >
        <OlderRuns loaded={loaded.length} shown={shown.length} {...more} />
      </RunsList>
    </div>
  );
}

interface Search extends SeldomFilters, Pick<RunFilters, 'type' | 'name' | 'search'> {
  status?: StatusFilter;
  outcome?: RunOutcome;
  day?: string;
}

/** The runs that match the filters of an address, and how to read more of them. */
function useLoadedRuns(playbook: string, search: Search) {
  const { day, outcome, status, ...definition } = search;
  const filters: RunFilters = { ...definition, ...(status === undefined ? {} : { status: API_STATUSES[status] }) };
  const query = runsQuery(playbook, filters);
  const runs = useInfiniteQuery(query);
  const loaded = useMemo(() => runs.data?.pages.flatMap((page) => page.runs) ?? [], [runs.data]);
  const shown = useMemo(
    () =>
      loaded.filter(
        (run) =>
          (day === undefined || run.started_at.startsWith(day)) &&
          hasStatus(run, status) &&
          (outcome === undefined || runOutcomeOf(run) === outcome),
      ),
    [loaded, day, status, outcome],
  );
  const { fetchNextPage, isFetching, hasNextPage } = runs;
  // Runs are listed newest first: runs of the day may follow until an earlier day is reached.
  const searchedTo = runs.data?.pages.at(-1)?.searched_to;
  const mayHaveMore = hasNextPage && (day === undefined || (loaded.at(-1)?.started_at ?? '9') >= day);
  // A bounded search continues only on request.
  const isBounded = hasNextPage && searchedTo !== undefined;
  const isLooking = mayHaveMore && !isBounded && (day !== undefined || shown.length === 0);
  const readMore = (): void => {
    if (mayHaveMore && !isBounded && !isFetching) void fetchNextPage();
  };
  useEffect(() => {
    if (isLooking) readMore();
  });
  const { isPending, error } = runs;
  const { queryKey } = query;
  return {
    list: { loaded, shown, isPending, error, queryKey },
    more: { mayHaveMore, readMore, isLooking, isBounded, searchedTo, isFetching, fetchNextPage },
  };
}

interface FiltersProps {
  playbook: string;
  search: Search;
  onChange: (changes: SearchChanges<Search>) => void;
}

function Filters({ playbook, search, onChange: change }: FiltersProps) {
  const { day, outcome, status } = search;
  const isNarrow = useIsNarrow();
  const definitions = useQuery(definitionsQuery(playbook));
  const changeStatus = (value: string | null): void =>
    change({ status: STATUS_FILTERS.find((one) => one === value), outcome: undefined });
  return (
    <Group gap="sm" mb="sm">
      {isNarrow ? (
        <Select
          aria-label="Status"
          placeholder="Any status"
          w={{ base: '100%', xs: 220 }}
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
        w={{ base: '100%', xs: 220 }}
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
      <LateField
        aria-label="Search"
        placeholder="ID, input or output"
        w={{ base: '100%', xs: 220 }}
        value={search.search}
        onChange={(text) => change({ search: text })}
      />
      <MoreFilters filters={search} onChange={change} />
      <SavedFilters key={playbook} playbook={playbook} search={{ ...search }} />
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
  );
}

function NoRuns({ playbook, isFiltered }: { playbook: string; isFiltered: boolean }) {
  return (
    <EmptyState
      icon={Activity}
      title={isFiltered ? 'No matching runs' : 'No runs yet'}
      action={
        isFiltered ? (
          <ButtonLink variant="default" to="/playbooks/$playbook/runs" params={{ playbook }} search={{}}>
            Show all runs
          </ButtonLink>
        ) : (
          <ButtonLink to="/playbooks/$playbook/definitions" params={{ playbook }}>
            Choose a definition
          </ButtonLink>
        )
      }
    >
      {isFiltered
        ? 'Remove a filter to see more.'
        : 'Choose a definition and run it. Every run appears here, no matter who starts it.'}
    </EmptyState>
  );
}

interface OlderRunsProps
  extends Pick<
    ReturnType<typeof useLoadedRuns>['more'],
    'isLooking' | 'isBounded' | 'isFetching' | 'searchedTo' | 'fetchNextPage'
  > {
  /** How many runs were read, and how many of them match. */
  loaded: number;
  shown: number;
}

function OlderRuns({ loaded, shown, isLooking, isBounded, isFetching, searchedTo, fetchNextPage }: OlderRunsProps) {
  return (
    <>
      {isLooking && (
        <Text size="sm" c="dimmed" py="sm" role="status">
          Searching older runs: {loaded.toLocaleString()} checked.
        </Text>
      )}
      {isBounded && (
        <Group gap="sm" py="sm">
          <Text size="sm" c="dimmed" role="status">
            {shown === 0 ? 'No matching runs' : 'Searched'} back to {dayjs(searchedTo).format('D MMM YYYY, HH:mm')}.
          </Text>
          <Button size="compact-sm" variant="default" loading={isFetching} onClick={() => void fetchNextPage()}>
            Search older runs
          </Button>
        </Group>
      )}
    </>
  );
}

/** Whether an event adds a run to the list: by its start, its first wait, or its ending. */
function isNewEntry({ type, data, metadata }: EventRecord, filter: Search): boolean {
  const { definition, called_by: caller } = metadata;
  // What only the service can compare is read again when the page is opened.
  if ([filter.search, filter.event, filter.until].some((value) => value !== undefined)) return false;
  const { status = 'running' } = filter;
  const rejection = data['rejection'] as Pick<RunListEntry, 'reason' | 'kind'> | undefined;
  return (
    type === (status === 'waiting' ? 'run_deferred' : `run_${API_STATUSES[status]}`) &&
    (type !== 'run_rejected' || hasStatus({ status: 'rejected', ...rejection }, status)) &&
    (filter.top_level !== true || caller === undefined) &&
    (filter.called_by === undefined || caller?.run_id === filter.called_by) &&
    (filter.started_by === undefined || type !== 'run_started' || metadata.by === filter.started_by) &&
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
