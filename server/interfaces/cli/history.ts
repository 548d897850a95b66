import { messageFirst } from '../../../shared/program-error.ts';
import { statusSentence } from '../../../shared/status-label.ts';
import type { EventRecord } from '../../../shared/api/index.ts';
import { type AttachOptions, withClient } from './attach.ts';
import { show } from './output.ts';

/** Prints the status of a run, then its events in the order in which they were recorded. */
export async function history(
  playbook: string,
  runId: string,
  options: AttachOptions & { org?: string | undefined; json?: boolean | undefined },
): Promise<void> {
  const one = { org: options.org, playbook, run_id: runId };
  const { events, run } = await withClient(options, { whenAbsent: 'refuse' }, async (client) => {
    const found: EventRecord[] = [];
    let cursor: string | undefined;
    do {
      const page = await client.call('get_run_history', { ...one, limit: 100, cursor });
      found.push(...page.events);
      cursor = page.next_cursor ?? undefined;
    } while (cursor !== undefined);
    return { events: found, run: await client.call('get_run', one) };
  });
  show(options, { events }, () =>
    [
      statusSentence(`The run of ${run.type}/${run.name}, version ${run.definition_version},`, run),
      ...(run.detail === undefined ? [] : [`  ${messageFirst(run.detail)}`]),
      ...events.map(
        ({ type, summary, data, metadata: { at } }) => `${at}  ${type}\n  ${summary}\n  ${JSON.stringify(data)}`,
      ),
    ].join('\n'),
  );
}
