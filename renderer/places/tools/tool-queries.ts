import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { KEPT_BY_ITS_PAGE } from '../../api/queries.ts';
import { introspectTool, listEvents, searchTools, type ToolFilters, type ToolKey } from '../../api/operations.ts';
import { type CallOfHistory, callsOf } from './call-history.ts';

export function toolsQuery(playbook: string, filters: ToolFilters) {
  return queryOptions({
    queryKey: [playbook, 'tools', filters],
    queryFn: ({ signal }) => searchTools(playbook, filters, signal),
    placeholderData: keepPreviousData,
  });
}

export function toolQuery(key: ToolKey) {
  return queryOptions({
    queryKey: [key.playbook, 'tool', key.server, key.tool],
    queryFn: ({ signal }) => introspectTool(key, signal),
    staleTime: 60_000,
  });
}

const PAGE = 100;
const TYPES = ['tool_call_started', 'tool_call_answered', 'tool_call_failed'] as const;

export function callHistoryKey({ playbook, server, tool }: ToolKey): string[] {
  return [playbook, 'tool-calls', server, tool];
}

/** The latest calls of a tool that were made by execute. Calls by runs stand in the histories of their runs. */
export function callHistoryQuery(key: ToolKey) {
  return queryOptions({
    queryKey: callHistoryKey(key),
    ...KEPT_BY_ITS_PAGE,
    queryFn: async ({ signal }): Promise<{ calls: CallOfHistory[]; isCut: boolean }> => {
      const pages = await Promise.all(TYPES.map((type) => listEvents(key.playbook, { type, limit: PAGE }, signal)));
      return {
        calls: callsOf(
          pages.flatMap(({ events }) => events),
          key,
        ),
        isCut: pages.some(({ has_more: hasMore }) => hasMore),
      };
    },
  });
}
