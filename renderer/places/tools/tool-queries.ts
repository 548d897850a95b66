import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { EventRecord } from '../../../shared/api/index.ts';
import { UPDATED_BY_PAGE, type ToolFilters, type ToolKey } from '../../api/queries.ts';
import { call } from '../../api/call.ts';
import { type CallOfHistory, callsOf } from './call-history.ts';

/** Milliseconds. */
const LOOK_AGAIN = 3_000;

export function toolsQuery(playbook: string, filters: ToolFilters) {
  return queryOptions({
    queryKey: [playbook, 'tools', filters],
    queryFn: ({ signal }) => call('search', { playbook, ...filters }, signal),
    placeholderData: keepPreviousData,
    // No event reports changes of the configuration, or that a server is installed.
    refetchInterval: ({ state }) =>
      state.data?.servers.length === 0 || state.data?.servers.some(({ installing }) => installing) === true
        ? LOOK_AGAIN
        : false,
  });
}

export function toolQuery(key: ToolKey) {
  return queryOptions({
    queryKey: [key.playbook, 'tool', key.server, key.tool],
    queryFn: ({ signal }) => call('introspect', key, signal),
    staleTime: 60_000,
  });
}

const PAGE = 100;
const TYPES = ['tool_call_started', 'tool_call_answered', 'tool_call_failed'] as const;

export function callHistoryKey({ playbook, server, tool }: ToolKey): string[] {
  return [playbook, 'tool-calls', server, tool];
}

interface HistoryPage {
  events: readonly EventRecord[];
  /** The cursor of each event type; types without an entry were read to the end. */
  next: Partial<Record<(typeof TYPES)[number], string>>;
}

/**
 * Executed calls of a tool, newest first. Each page is the next page of tool call events of the playbook, because events
 * cannot be filtered by tool. Calls by runs are in the histories of their runs.
 */
export function callHistoryQuery(key: ToolKey) {
  return infiniteQueryOptions({
    queryKey: callHistoryKey(key),
    ...UPDATED_BY_PAGE,
    initialPageParam: undefined as HistoryPage['next'] | undefined,
    async queryFn({ signal, pageParam: cursors }): Promise<HistoryPage> {
      const types = TYPES.filter((type) => cursors === undefined || cursors[type] !== undefined);
      const pages = await Promise.all(
        types.map((type) =>
          call('list_playbook_events', { playbook: key.playbook, type, limit: PAGE, cursor: cursors?.[type] }, signal),
        ),
      );
      const next = types.flatMap((type, index) => {
        const cursor = pages[index]?.next_cursor ?? null;
        return cursor === null ? [] : [[type, cursor] as const];
      });
      return { events: pages.flatMap(({ events }) => events), next: Object.fromEntries(next) };
    },
    getNextPageParam: ({ next }) => (Object.keys(next).length === 0 ? undefined : next),
    select: ({ pages }): CallOfHistory[] =>
      callsOf(
        pages.flatMap(({ events }) => events),
        key,
      ),
  });
}

/** How many events are searched for the end of a recent call. */
const LATEST = 50;

/**
 * The full recorded result of an executed call; null if nothing was recorded, for example with `record_content` off.
 */
export function keptResultQuery(playbook: string, callId: string) {
  return queryOptions({
    queryKey: ['kept-result', playbook, callId],
    queryFn: async ({ signal }) => {
      const { events } = await call(
        'list_playbook_events',
        { playbook, type: 'tool_call_answered', limit: LATEST },
        signal,
      );
      const ended = events.find(({ data }) => data['call_id'] === callId);
      if (ended === undefined) return null;
      return (await call('get_event', { playbook, event_id: ended.id }, signal)).data['answer'] ?? null;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}
