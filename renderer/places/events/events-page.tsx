import { Autocomplete, Button, Drawer, Group, Skeleton, TextInput } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useParams, useSearch } from '@tanstack/react-router';
import { Radio, Send } from 'lucide-react';
import { useCallback, useEffect, useState } from 'react';
import { isReservedEventType, RESERVED_EVENT_TYPES } from '../../../shared/schemas/events/reserved-types.ts';
import type { EventRecord } from '../../../shared/api/index.ts';
import { useChangeSearch } from '../../ui/search-params.ts';
import { useNewEntries } from '../../ui/use-new-entries.ts';
import { eventQuery, eventsQuery } from '../../api/queries.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { InlineCode } from '../../ui/inline-code.tsx';
import { type Column, LiveList } from '../../ui/live-list.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { ProblemView } from '../../ui/problem-view.tsx';
import { RowLink } from '../../ui/list-row.tsx';
import { EventBody } from './event-body.tsx';
import { eventCells, shownType } from './event-cells.tsx';
import { PublishEvent } from './publish-event.tsx';
import { SimilarTypes } from './similar-types.tsx';
import { IfMay } from '../../sign-in/if-may.tsx';

const COLUMNS: readonly Column[] = [
  { title: 'Time', width: '124px' },
  { title: 'Type', width: 'minmax(160px, 1fr)' },
  { title: 'What happened', width: 'minmax(260px, 3fr)' },
];

export function EventsPage() {
  const { playbook } = useParams({ from: '/playbooks/$playbook/events' });
  const search = useSearch({ from: '/playbooks/$playbook/events' });
  const [isPublishing, setPublishing] = useState(false);
  const query = eventsQuery(playbook, { type: search.type, run_id: search.run });
  const events = useInfiniteQuery(query);
  const cells = useCallback(
    (event: EventRecord) =>
      eventCells(
        event,
        <RowLink
          to="/playbooks/$playbook/events"
          params={{ playbook }}
          search={(before) => ({ ...before, event: event.id })}
        >
          <InlineCode>{event.summary}</InlineCode>
        </RowLink>,
      ),
    [playbook],
  );
  const shown = events.data?.pages.flatMap((page) => page.events) ?? [];
  const isShown = (event: EventRecord): boolean =>
    (search.type === undefined || [event.type, shownType(event)].includes(search.type)) &&
    (search.run === undefined || (event.metadata.correlation_id ?? event.metadata.run_id) === search.run);
  const entering = useNewEntries(
    query.queryKey,
    () => shown.map(({ id }) => id),
    (event) => (isShown(event) ? event.id : undefined),
  );
  const change = useChangeSearch(search);
  const isFiltered = search.type !== undefined || search.run !== undefined;
  const { hasNextPage, isFetching, fetchNextPage } = events;
  const readMore = (): void => {
    if (hasNextPage && !isFetching) void fetchNextPage();
  };
  // A page of an own type may be empty, although pages after it are not.
  const searchesOn = shown.length === 0 && hasNextPage && !isFetching;
  useEffect(() => {
    if (searchesOn) void fetchNextPage();
  }, [searchesOn, fetchNextPage]);

  return (
    <div className="filled-page">
      <PageTitle title="Events" about="Published and recorded events, newest first.">
        <IfMay call="publish_event">
          <Button size="xs" leftSection={<Send size={14} aria-hidden />} onClick={() => setPublishing(true)}>
            Publish an event
          </Button>
        </IfMay>
      </PageTitle>
      <Group gap="sm" mb="sm">
        <TypeFilter
          key={search.type}
          type={search.type}
          types={[...new Set(shown.map(shownType))]}
          onChange={(type) => change({ type })}
        />
        <RunFilter run={search.run} onChange={(run) => change({ run })} />
      </Group>
      {events.error !== null && <ProblemView error={events.error} />}
      {(events.isPending || (shown.length === 0 && hasNextPage)) && <Skeleton height={320} />}
      {!events.isPending && shown.length === 0 && !hasNextPage && events.error === null && (
        <EmptyState
          icon={Radio}
          title={isFiltered ? 'No matching events' : 'No events yet'}
          action={
            isFiltered ? undefined : (
              <IfMay call="publish_event">
                <Button onClick={() => setPublishing(true)}>Publish an event</Button>
              </IfMay>
            )
          }
        >
          {search.type !== undefined && search.run === undefined ? (
            <SimilarTypes playbook={playbook} type={search.type} onChoose={(type) => change({ type })} />
          ) : isFiltered ? (
            'Remove a filter to see more.'
          ) : (
            'Saved definitions, runs with their steps, and published events appear here.'
          )}
        </EmptyState>
      )}
      {shown.length > 0 && (
        <LiveList<EventRecord>
          key={entering.list}
          label="Events"
          columns={COLUMNS}
          items={shown}
          keyOf={({ id }) => id}
          cells={cells}
          rowHeight={36}
          paging={{ ...entering, hasMore: hasNextPage, onEnd: readMore }}
        />
      )}
      <PublishEvent key={playbook} playbook={playbook} opened={isPublishing} onClose={() => setPublishing(false)} />
      <OneEvent playbook={playbook} eventId={search.event} onClose={() => change({ event: undefined })} />
    </div>
  );
}

interface TypeFilterProps {
  type: string | undefined;
  /** The types of the listed events. */
  types: readonly string[];
  onChange: (type: string | undefined) => void;
}

/** Any type may be typed: published events have types of their own. */
function TypeFilter({ type, types, onChange }: TypeFilterProps) {
  const [text, setText] = useState(type ?? '');
  const own = types.filter((one) => !isReservedEventType(one)).toSorted();
  const choose = (value: string): void => {
    const chosen = value.trim() || undefined;
    if (chosen !== type) onChange(chosen);
  };
  return (
    <Autocomplete
      aria-label="Type"
      placeholder="Any type"
      w={{ base: '100%', xs: 240 }}
      clearable
      data={[
        ...(own.length === 0 ? [] : [{ group: 'Published', items: own }]),
        { group: 'Recorded', items: [...RESERVED_EVENT_TYPES] },
      ]}
      value={text}
      onChange={(value) => {
        setText(value);
        if (value === '') choose('');
      }}
      onOptionSubmit={choose}
      onBlur={({ currentTarget }) => choose(currentTarget.value)}
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Enter') choose(currentTarget.value);
      }}
      clearButtonProps={{ 'aria-label': 'Any type' }}
    />
  );
}

function RunFilter({ run, onChange }: { run: string | undefined; onChange: (run: string | undefined) => void }) {
  const choose = (value: string): void => onChange(value.trim() || undefined);
  return (
    <TextInput
      aria-label="Run ID"
      placeholder="Run ID (includes called runs)"
      w={{ base: '100%', xs: 320 }}
      defaultValue={run ?? ''}
      onBlur={({ currentTarget }) => choose(currentTarget.value)}
      onKeyDown={({ key, currentTarget }) => {
        if (key === 'Enter') choose(currentTarget.value);
      }}
    />
  );
}

interface OneEventProps {
  playbook: string;
  eventId: string | undefined;
  onClose: () => void;
}

function OneEvent({ playbook, eventId, onClose }: OneEventProps) {
  const { data: event } = useQuery({ ...eventQuery(playbook, eventId ?? ''), enabled: eventId !== undefined });
  return (
    <Drawer opened={eventId !== undefined} onClose={onClose} position="right" size="lg" title={event?.type ?? 'Event'}>
      {eventId !== undefined && <EventBody playbook={playbook} eventId={eventId} />}
    </Drawer>
  );
}
