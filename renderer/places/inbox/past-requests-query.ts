// The lists of answered requests, unanswered requests and notices, read page by page.
import { infiniteQueryOptions, type QueryClient, queryOptions } from '@tanstack/react-query';
import type { EventRecord, RunWithRecord } from '../../../shared/api/index.ts';
import { ifText } from '../../../shared/json.ts';
import { call } from '../../api/call.ts';
import { UPDATED_BY_PAGE } from '../../api/queries.ts';
import { isFor } from './parties.ts';

/** How many entries a page has whose runs are read one by one. */
const SHORT_PAGE = 40;

export interface RequestEvent {
  event: EventRecord;
  to: string | undefined;
  message: string | undefined;
}

interface RequestEventPage {
  entries: RequestEvent[];
  next: string | null;
}

export function eventListQuery(
  playbook: string,
  list: 'answered' | 'notices',
  type: string,
  parties: readonly string[],
  readEvent: (client: QueryClient, event: EventRecord) => Promise<RequestEvent | undefined>,
) {
  return infiniteQueryOptions({
    queryKey: [playbook, 'requests', list, parties],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ client, signal, pageParam }): Promise<RequestEventPage> => {
      const page = await call('list_playbook_events', { playbook, type, limit: SHORT_PAGE, cursor: pageParam }, signal);
      const entries = await Promise.all(page.events.map((event) => readEvent(client, event)));
      return {
        entries: entries.filter((entry) => entry !== undefined && isFor(parties, entry.to)) as RequestEvent[],
        next: page.next_cursor,
      };
    },
    getNextPageParam: ({ next }) => next ?? undefined,
    ...UPDATED_BY_PAGE,
  });
}

/** Answered requests, latest answer first. */
export function answeredQuery(playbook: string, parties: readonly string[]) {
  return eventListQuery(playbook, 'answered', 'request_answered', parties, async (client, event) => {
    const { record } = await client.fetchQuery(endedRunQuery(playbook, event.metadata.run_id ?? '', 'answered'));
    return { event, to: ifText(record['to']), message: ifText(record['message']) };
  });
}

/** A question that expired, was cancelled or could not be delivered. */
export interface UnansweredRequest {
  run: RunWithRecord;
  to: string | undefined;
  message: string | undefined;
}

/** Unanswered questions, newest first. */
export function unansweredQuery(playbook: string, parties: readonly string[]) {
  return infiniteQueryOptions({
    queryKey: [playbook, 'requests', 'unanswered', parties],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ client, signal, pageParam }): Promise<{ entries: UnansweredRequest[]; next: string | null }> => {
      const filters = { type: 'interaction', status: 'rejected', limit: SHORT_PAGE, cursor: pageParam } as const;
      const page = await call('list_runs', { playbook, ...filters }, signal);
      const runs = await Promise.all(
        page.runs.map(({ run_id: runId, attempt }) => client.fetchQuery(endedRunQuery(playbook, runId, attempt))),
      );
      const entries = runs
        .filter(({ record }) => record['takes_answer'] === true && isFor(parties, record['to']))
        .map((run) => ({ run, to: ifText(run.record['to']), message: ifText(run.record['message']) }));
      return { entries, next: page.next_cursor };
    },
    getNextPageParam: ({ next }) => next ?? undefined,
    ...UPDATED_BY_PAGE,
  });
}

/** A run that ended. An ended attempt never changes, so it is cached. */
function endedRunQuery(playbook: string, runId: string, attempt: number | 'answered') {
  return queryOptions({
    queryKey: ['ended', playbook, runId, attempt],
    queryFn: ({ signal }) => call('get_run', { playbook, run_id: runId }, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
