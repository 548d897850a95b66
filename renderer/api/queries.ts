// The queries of the studio: what they read, their cache keys, and which of them an event makes stale.
import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import { DEFINITION_FACTS, DEFINITION_TYPES, type DefinitionType } from '../../shared/definition-types.ts';
import { isRunEnding } from '../../shared/run-status.ts';
import type { DefinitionListEntry, EventRecord, Input } from '../../shared/api/index.ts';
import { mayCall } from './session/use-session.ts';
import { session } from './session/session.ts';
import { call } from './call.ts';

export type DefinitionKey = Pick<Input<'get_definition'>, 'playbook' | 'type' | 'name'>;

export type RunFilters = Omit<Input<'list_runs'>, 'playbook' | 'origin' | 'limit' | 'cursor'>;

export type EventFilters = Pick<Input<'list_playbook_events'>, 'type' | 'run_id' | 'since' | 'order'>;

export type ToolKey = Pick<Input<'introspect'>, 'playbook' | 'server' | 'tool'>;
export type ToolFilters = Pick<Input<'search'>, 'terms' | 'server' | 'only'>;

const PAGE = 100;
const CALLED_PAGE = 20;

export const playbooksQuery = queryOptions({
  queryKey: ['playbooks'],
  queryFn: async ({ signal }) => (await call('list_playbooks', { include_retired: true }, signal)).playbooks,
});

/** The definitions of all types, by type and name. */
export function definitionsQuery(playbook: string) {
  return queryOptions({
    queryKey: [playbook, 'definitions'],
    queryFn: async ({ signal }): Promise<DefinitionListEntry[]> => {
      const lists = await Promise.all(
        DEFINITION_TYPES.map((type) => call('list_definitions', { playbook, type, include_retired: true }, signal)),
      );
      return lists.flatMap(({ definitions }) => definitions);
    },
  });
}

export function definitionQuery(key: DefinitionKey) {
  return queryOptions({
    queryKey: [key.playbook, 'definitions', key.type, key.name],
    queryFn: ({ signal }) => call('get_definition', key, signal),
  });
}

export function versionsQuery(key: DefinitionKey) {
  return infiniteQueryOptions({
    queryKey: [key.playbook, 'definitions', key.type, key.name, 'versions'],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ signal, pageParam }) =>
      call('list_definition_versions', { ...key, limit: PAGE, cursor: pageParam }, signal),
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  });
}

/** A version never changes. */
export function versionQuery(key: DefinitionKey, version: number) {
  return queryOptions({
    queryKey: ['version', key.playbook, key.type, key.name, version],
    queryFn: ({ signal }) => call('get_definition_version', { ...key, version: String(version) }, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** The graph of a version of a workflow; null if its document is no longer valid, or the caller may not check documents. */
export function graphQuery(key: DefinitionKey, version: number) {
  return queryOptions({
    queryKey: ['graph', key.playbook, key.type, key.name, version],
    queryFn: async ({ signal }) => {
      if (!mayCall(session.state(), 'check_definition')) return null;
      const { source } = await call('get_definition_version', { ...key, version: String(version) }, signal);
      const asked = { playbook: key.playbook, type: key.type, source };
      return (await call('check_definition', { ...asked, include: ['graph'] }, signal)).graph ?? null;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}

/** For data that only its own page keeps up to date: it is refetched when the page is opened again. */
export const UPDATED_BY_PAGE = { staleTime: 0 };

export function runsQuery(playbook: string, filters: RunFilters) {
  return infiniteQueryOptions({
    queryKey: [playbook, 'runs', filters],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ signal, pageParam }) =>
      call('list_runs', { playbook, ...filters, limit: PAGE, cursor: pageParam }, signal),
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    ...UPDATED_BY_PAGE,
  });
}

/** The runs that a run called, for a list below it. */
export function calledRunsQuery(playbook: string, runId: string) {
  return infiniteQueryOptions({
    queryKey: [playbook, 'runs', 'called', runId],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ signal, pageParam }) =>
      call('list_runs', { playbook, called_by: runId, limit: CALLED_PAGE, cursor: pageParam }, signal),
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
  });
}

/** The latest runs that match the filters, for a short list. */
export function latestRunsQuery(playbook: string, filters: RunFilters, limit: number) {
  return queryOptions({
    queryKey: [playbook, 'runs', 'latest', filters, limit],
    queryFn: async ({ signal }) => (await call('list_runs', { playbook, ...filters, limit }, signal)).runs,
  });
}

export function runQuery(playbook: string, runId: string) {
  return queryOptions({
    queryKey: [playbook, 'run', runId],
    queryFn: ({ signal }) => call('get_run', { playbook, run_id: runId }, signal),
  });
}

/** What a run did; read again whenever the run changes. */
export function explanationQuery(playbook: string, runId: string) {
  return queryOptions({
    queryKey: [playbook, 'run', runId, 'explanation'],
    queryFn: ({ signal }) => call('explain_run', { playbook, run_id: runId }, signal),
  });
}

/** The event that started a run. */
export function runStartQuery(playbook: string, runId: string) {
  return queryOptions({
    queryKey: ['start', playbook, runId],
    queryFn: async ({ signal }) =>
      (await call('get_run_history', { playbook, run_id: runId, limit: 1 }, signal)).events[0] ?? null,
    staleTime: Number.POSITIVE_INFINITY,
    select: (event) => event ?? undefined,
  });
}

/** The events of a whole tree of runs, oldest first. @param topRun the run at the top of the tree */
export function treeQuery(playbook: string, topRun: string) {
  return queryOptions({
    queryKey: [playbook, 'tree', topRun],
    // Events never change, and comparing thousands of them would take longer than rendering them.
    structuralSharing: false,
    ...UPDATED_BY_PAGE,
    queryFn: async ({ signal }) => {
      const events: EventRecord[] = [];
      for (let cursor: string | undefined; ; ) {
        const page = await call(
          'list_playbook_events',
          { playbook, run_id: topRun, order: 'asc', limit: PAGE, cursor },
          signal,
        );
        events.push(...page.events);
        if (page.next_cursor === null) return events;
        cursor = page.next_cursor;
      }
    },
  });
}

export function eventsQuery(playbook: string, filters: EventFilters) {
  return infiniteQueryOptions({
    queryKey: [playbook, 'events', filters],
    initialPageParam: undefined as string | undefined,
    queryFn: ({ signal, pageParam }) =>
      call('list_playbook_events', { playbook, ...filters, limit: PAGE, cursor: pageParam }, signal),
    getNextPageParam: ({ next_cursor }) => next_cursor ?? undefined,
    ...UPDATED_BY_PAGE,
  });
}

/** The latest event of a playbook; null if it has none. */
export function lastEventQuery(playbook: string) {
  return queryOptions({
    queryKey: ['last-event', playbook],
    queryFn: async ({ signal }) =>
      (await call('list_playbook_events', { playbook, limit: 1 }, signal)).events[0] ?? null,
  });
}

/** An event never changes. */
export function eventQuery(playbook: string, eventId: string) {
  return queryOptions({
    queryKey: ['event', playbook, eventId],
    queryFn: ({ signal }) => call('get_event', { playbook, event_id: eventId }, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
}

export function analyticsQuery(playbook: string, days: number, type?: DefinitionType) {
  return queryOptions({
    queryKey: [playbook, 'analytics', days, type],
    queryFn: ({ signal }) => call('get_playbook_analytics', { playbook, days, type }, signal),
  });
}

/** The prefixes of the query keys that an event makes stale. Visible lists update themselves. */
export function staleKeys(playbook: string, { type, metadata }: EventRecord): unknown[][] {
  if (type.startsWith('definition_'))
    return [
      [playbook, 'definitions'],
      [playbook, 'schedules'],
    ];
  const stale: unknown[][] = [];
  if (metadata.run_id !== undefined) stale.push([playbook, 'run', metadata.run_id]);
  // Types whose runs may wait for a person.
  if (metadata.definition !== undefined && DEFINITION_FACTS[metadata.definition.type].mayAsk === true)
    stale.push([playbook, 'waiting']);
  if (type === 'run_started' && metadata.called_by !== undefined) {
    stale.push([playbook, 'runs', 'called', metadata.called_by.run_id]);
  }
  if (type === 'run_started' || isRunEnding(type)) stale.push([playbook, 'runs', 'latest']);
  // They change the builds, versions and standing of a definition.
  if (metadata.definition !== undefined && isBuildStep(type)) {
    stale.push([playbook, 'definitions', metadata.definition.type, metadata.definition.name]);
  }
  if (isRunMove(type)) stale.push([playbook, 'runs', 'latest', { status: 'started' }]);
  if (isRunEnding(type)) stale.push([playbook, 'analytics']);
  return stale;
}

/** Whether an event of this type may change what its run is waiting for. */
export function isRunMove(type: string): boolean {
  return type === 'run_deferred' || type === 'workflow_input_applied';
}

function isBuildStep(type: string): boolean {
  return type === 'dataset_assembled' || type.startsWith('version_') || type.startsWith('shadow_');
}

/** After a lost connection the service may have new data, or be another service. */
export function refetchEverything(client: QueryClient): Promise<void> {
  return client.invalidateQueries();
}
