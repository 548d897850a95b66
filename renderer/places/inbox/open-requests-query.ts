import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { InteractionRequest } from '../../../shared/api/index.ts';
import { call } from '../../api/call.ts';
import { UPDATED_BY_PAGE } from '../../api/queries.ts';

const PAGE = 100;

/** Where to continue reading the requests of one party, or of everyone if `to` is undefined. */
interface PageStart {
  to?: string;
  cursor?: string;
}
interface OpenPage {
  requests: InteractionRequest[];
  next: PageStart[];
}

/** The open questions to some parties, newest first. Notices that are being delivered are listed as notices. */
async function readOpen(playbook: string, from: readonly PageStart[], signal: AbortSignal): Promise<OpenPage> {
  const pages = await Promise.all(
    from.map(async ({ to, cursor }) => ({
      to,
      page: await call('list_interactions', { playbook, to, cursor, limit: PAGE }, signal),
    })),
  );
  return {
    requests: newestFirst(pages.flatMap(({ page }) => page.interactions).filter((one) => one.takes_answer)),
    next: pages.flatMap(({ to, page: { next_cursor: cursor } }) =>
      cursor === null ? [] : [{ ...(to !== undefined && { to }), cursor }],
    ),
  };
}

export function newestFirst(requests: readonly InteractionRequest[]): InteractionRequest[] {
  return requests.toSorted((a, b) => b.requested_at.localeCompare(a.requested_at));
}

const beginning = (parties: readonly string[]): PageStart[] =>
  parties.length === 0 ? [{}] : parties.map((to) => ({ to }));

/** The newest open questions, and whether there are more. Events keep it up to date. */
export function waitingQuery(playbook: string, parties: readonly string[]) {
  return queryOptions({
    queryKey: [playbook, 'waiting', parties],
    queryFn: async ({ signal }) => {
      const { requests, next } = await readOpen(playbook, beginning(parties), signal);
      return { requests, hasMore: next.length > 0 };
    },
  });
}

export function openRequestsQuery(playbook: string, parties: readonly string[]) {
  return infiniteQueryOptions({
    queryKey: [playbook, 'requests', 'open', parties],
    initialPageParam: beginning(parties),
    queryFn: ({ signal, pageParam }) => readOpen(playbook, pageParam, signal),
    getNextPageParam: ({ next }) => (next.length === 0 ? undefined : next),
    ...UPDATED_BY_PAGE,
  });
}
