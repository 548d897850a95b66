import { queryOptions } from '@tanstack/react-query';
import { ifText } from '../../../shared/json.ts';
import { call } from '../../api/call.ts';
import { eventQuery } from '../../api/queries.ts';
import { isFor } from './parties.ts';
import type { Notice } from './read-marks.ts';
import { eventListQuery } from './past-requests-query.ts';

const PAGE = 100;

/** Notices to some parties, newest first. */
export function noticesQuery(playbook: string, parties: readonly string[]) {
  return eventListQuery(playbook, 'notices', 'interaction_requested', parties, async (client, event) => {
    if (event.data['takes_answer'] === true) return undefined;
    const { data } = await client.fetchQuery(eventQuery(playbook, event.id));
    return { event, to: ifText(data['to']), message: ifText(data['message']) };
  });
}

/** The newest notices to some parties without their messages, and whether there are more. Events keep it up to date. */
export function newNoticesQuery(playbook: string, parties: readonly string[]) {
  return queryOptions({
    queryKey: [playbook, 'waiting', 'notices', parties],
    queryFn: async ({ signal }): Promise<{ notices: Notice[]; hasMore: boolean }> => {
      const page = await call('list_playbook_events', { playbook, type: 'interaction_requested', limit: PAGE }, signal);
      return {
        notices: page.events
          .filter(({ data }) => data['takes_answer'] === false && isFor(parties, data['to']))
          .map(({ metadata }) => ({ runId: metadata.run_id ?? '', at: metadata.at })),
        hasMore: page.has_more,
      };
    },
  });
}
