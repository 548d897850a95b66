import { queryOptions } from '@tanstack/react-query';
import { call } from '../../api/call.ts';

/** A run that ended; the same attempt does not change any more. */
export function endedRunQuery(playbook: string, runId: string, attempt: number | 'answered') {
  return queryOptions({
    queryKey: ['ended', playbook, runId, attempt],
    queryFn: ({ signal }) => call('get_run', { playbook, run_id: runId }, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
}
