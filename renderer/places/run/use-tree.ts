import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { EventRecord } from '../../../shared/schemas/index.ts';
import { useLiveEvents } from '../../app/live.tsx';
import { runStartQuery, treeQuery } from '../../api/queries.ts';

export interface Tree {
  /** Of the whole tree that the run belongs to, oldest first. */
  events: readonly EventRecord[] | undefined;
  /** The event that started the run. */
  started: EventRecord | undefined;
  isPending: boolean;
  error: Error | null;
}

/** What a run's tree recorded; grows as more is recorded. */
export function useTree(playbook: string, runId: string): Tree {
  const client = useQueryClient();
  const start = useQuery(runStartQuery(playbook, runId));
  const top = topOf(start.data);
  const query = treeQuery(playbook, top ?? runId);
  const tree = useQuery({ ...query, enabled: top !== undefined });
  useLiveEvents((event) => {
    if (topOf(event) !== top) return;
    client.setQueryData(query.queryKey, (events) =>
      events === undefined || events.some(({ id }) => id === event.id) ? events : [...events, event],
    );
  });
  return {
    events: tree.data,
    started: start.data,
    isPending: start.isPending || tree.isPending,
    error: start.error ?? tree.error,
  };
}

function topOf(event: EventRecord | undefined): string | undefined {
  return event?.metadata.correlation_id ?? event?.metadata.run_id;
}
