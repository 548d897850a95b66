import { queryOptions, useMutation, useQueryClient } from '@tanstack/react-query';
import type { Answer, Input } from '../../../shared/api/index.ts';
import { call } from '../../api/call.ts';
import { refetchEverything } from '../../api/queries.ts';

export type ServerPlan = Answer<'plan_tool_servers'>;
export type AddedServers = Answer<'add_tool_servers'>['servers'];

export function usePlan(onPlan: (plan: ServerPlan) => void) {
  return useMutation({
    mutationFn: (paste: Input<'plan_tool_servers'>) => call('plan_tool_servers', paste),
    onSuccess: onPlan,
    // The pasted text may contain secrets: it is not kept longer than its dialog.
    gcTime: 0,
  });
}

export function useAdd(onAdded: (servers: AddedServers) => void) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (paste: Input<'add_tool_servers'>) => call('add_tool_servers', paste),
    gcTime: 0,
    async onSuccess({ servers }) {
      onAdded(servers);
      await refetchEverything(client);
    },
  });
}

/** Milliseconds. A program may be downloaded before it starts. */
const LOOK_AGAIN = 2_000;

/** The tools of a server that was just added; asked again until there are some. */
export function addedToolsQuery(playbook: string, server: string) {
  return queryOptions({
    queryKey: [playbook, 'tools', { server }, 'added'],
    queryFn: ({ signal }) => call('search', { playbook, server }, signal),
    refetchInterval: ({ state }) => (state.data?.tools.length === 0 || state.error !== null ? LOOK_AGAIN : false),
  });
}
