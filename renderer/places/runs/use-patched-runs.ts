import { type InfiniteData, useQueryClient } from '@tanstack/react-query';
import type { RunListEntry } from '../../../shared/schemas/index.ts';
import { useLiveEvents } from '../../app/live.tsx';
import type { RunPage, RunStatus } from '../../api/operations.ts';

const ENDINGS: Readonly<Record<string, RunStatus>> = {
  run_succeeded: 'succeeded',
  run_rejected: 'rejected',
  run_failed: 'failed',
};

/** Writes endings into the lists that are loaded, so that a row tells the truth wherever the list is scrolled to. */
export function usePatchedRuns(playbook: string): void {
  const client = useQueryClient();
  useLiveEvents(({ type, data, metadata }) => {
    const status = ENDINGS[type];
    if (status === undefined) return;
    const rejection = data['rejection'] as Pick<RunListEntry, 'reason' | 'kind' | 'because'> | undefined;
    client.setQueriesData<InfiniteData<RunPage>>(
      { queryKey: [playbook, 'runs'], predicate: ({ queryKey }) => queryKey[2] !== 'latest' },
      (list) => {
        if (list?.pages.some(({ runs }) => runs.some(({ run_id }) => run_id === metadata.run_id)) !== true) return list;
        return {
          ...list,
          pages: list.pages.map((page) => ({
            ...page,
            runs: page.runs.map((run) =>
              run.run_id === metadata.run_id ? { ...run, status, ended_at: metadata.at, ...rejection } : run,
            ),
          })),
        };
      },
    );
  });
}
