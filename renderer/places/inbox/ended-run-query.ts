import { queryOptions } from '@tanstack/react-query';
import { getRun } from '../../api/operations.ts';

/** A run that ended; the same attempt does not change any more. */
export function endedRunQuery(playbook: string, runId: string, attempt: number | 'answered') {
  return queryOptions({
    queryKey: ['ended', playbook, runId, attempt],
    queryFn: ({ signal }) => getRun(playbook, runId, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
