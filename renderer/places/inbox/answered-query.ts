import { endedRunQuery } from './ended-run-query.ts';
import { textOf, toldQuery } from './told-query.ts';

/** What was answered, the last answer first. */
export function answeredQuery(playbook: string, parties: readonly string[]) {
  return toldQuery(playbook, 'answered', 'request_answered', parties, async (client, event) => {
    const { record } = await client.fetchQuery(endedRunQuery(playbook, event.metadata.run_id ?? '', 'answered'));
    return { event, to: textOf(record['to']), message: textOf(record['message']) };
  });
}
