// What the lists of answered requests and of notices have in common: entries that are told from events, page by page.
import { infiniteQueryOptions, type QueryClient } from '@tanstack/react-query';
import type { EventRecord } from '../../../shared/api/index.ts';
import { call } from '../../api/call.ts';
import { KEPT_BY_ITS_PAGE } from '../../api/queries.ts';
import { isFor } from './parties.ts';

/** Of what is read one by one for a page of a list. */
export const SHORT_PAGE = 40;

export interface Told {
  event: EventRecord;
  to: string | undefined;
  message: string | undefined;
}

interface ToldPage {
  entries: Told[];
  next: string | null;
}

export function toldQuery(
  playbook: string,
  list: 'answered' | 'notices',
  type: string,
  parties: readonly string[],
  tell: (client: QueryClient, event: EventRecord) => Promise<Told | undefined>,
) {
  return infiniteQueryOptions({
    queryKey: [playbook, 'requests', list, parties],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ client, signal, pageParam }): Promise<ToldPage> => {
      const page = await call('list_playbook_events', { playbook, type, limit: SHORT_PAGE, cursor: pageParam }, signal);
      const entries = await Promise.all(page.events.map((event) => tell(client, event)));
      return {
        entries: entries.filter((entry) => entry !== undefined && isFor(parties, entry.to)) as Told[],
        next: page.next_cursor,
      };
    },
    getNextPageParam: ({ next }) => next ?? undefined,
    ...KEPT_BY_ITS_PAGE,
  });
}

export const textOf = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined);
