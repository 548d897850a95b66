import { queryOptions } from '@tanstack/react-query';
import { getEvent, listEvents } from '../../api/operations.ts';

/** Events among which the end of a call that was just made is looked for. */
const LATEST = 50;

/** What is kept of the result of a call by execute, whole; null where nothing is, as where `record_content` is off. */
export function keptResultQuery(playbook: string, callId: string) {
  return queryOptions({
    queryKey: ['kept-result', playbook, callId],
    queryFn: async ({ signal }) => {
      const { events } = await listEvents(playbook, { type: 'tool_call_answered', limit: LATEST }, signal);
      const ended = events.find(({ data }) => data['call_id'] === callId);
      if (ended === undefined) return null;
      return (await getEvent(playbook, ended.id, signal)).data['answer'] ?? null;
    },
    staleTime: Number.POSITIVE_INFINITY,
  });
}
