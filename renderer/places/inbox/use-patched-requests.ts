import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import { isRunEnding } from '../../../shared/run-status.ts';
import type { InteractionRequest } from '../../../shared/api/index.ts';
import { useLiveEvents } from '../../api/live.tsx';

type OpenList = InfiniteData<{ requests: InteractionRequest[] }>;

/** Removes ended requests from the loaded lists and marks those being cancelled, without moving the scroll position. */
export function usePatchedRequests(playbook: string): void {
  const client = useQueryClient();
  useLiveEvents(({ type, metadata: { run_id: runId } }) => {
    const hasEnded = isRunEnding(type);
    if (!hasEnded && type !== 'run_cancel_requested') return;
    client.setQueriesData<OpenList>({ queryKey: [playbook, 'requests', 'open'] }, (list) => {
      if (list?.pages.some(({ requests }) => requests.some((one) => one.run_id === runId)) !== true) return list;
      const patched = (requests: InteractionRequest[]): InteractionRequest[] =>
        hasEnded
          ? requests.filter((one) => one.run_id !== runId)
          : requests.map((one) => (one.run_id === runId ? { ...one, standing: 'cancelling' } : one));
      return { ...list, pages: list.pages.map((page) => ({ ...page, requests: patched(page.requests) })) };
    });
  });
}
