import { infiniteQueryOptions } from '@tanstack/react-query';
import type { RunWithRecord } from '../../../shared/api/index.ts';
import { call } from '../../api/call.ts';
import { KEPT_BY_ITS_PAGE } from '../../api/queries.ts';
import { endedRunQuery } from './ended-run-query.ts';
import { isFor } from './parties.ts';
import { SHORT_PAGE, textOf } from './told-query.ts';

/** A question that ended without an answer: nobody gave one in time, its run was cancelled, or it was never delivered. */
export interface Unanswered {
  run: RunWithRecord;
  to: string | undefined;
  message: string | undefined;
}

/** The questions that ended without an answer, the one asked last first. */
export function unansweredQuery(playbook: string, parties: readonly string[]) {
  return infiniteQueryOptions({
    queryKey: [playbook, 'requests', 'unanswered', parties],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ client, signal, pageParam }): Promise<{ entries: Unanswered[]; next: string | null }> => {
      const filters = { type: 'interaction', status: 'rejected', limit: SHORT_PAGE, cursor: pageParam } as const;
      const page = await call('list_runs', { playbook, ...filters }, signal);
      const runs = await Promise.all(
        page.runs.map(({ run_id: runId, attempt }) => client.fetchQuery(endedRunQuery(playbook, runId, attempt))),
      );
      const entries = runs
        .filter(({ record }) => record['takes_answer'] === true && isFor(parties, record['to']))
        .map((run) => ({ run, to: textOf(run.record['to']), message: textOf(run.record['message']) }));
      return { entries, next: page.next_cursor };
    },
    getNextPageParam: ({ next }) => next ?? undefined,
    ...KEPT_BY_ITS_PAGE,
  });
}
