import { messageFirst } from '../../../shared/program-error.ts';
import { statusSentence } from '../../../shared/status-label.ts';
import { type ClientOptions, withClient } from './attach.ts';
import { everyPage } from './client.ts';
import { show } from './output.ts';

/** Prints the status of a run, then its events in the order in which they were recorded. */
export async function history(playbook: string, runId: string, options: ClientOptions): Promise<void> {
  const input = { org: options.org, playbook, run_id: runId };
  const { events, run } = await withClient(options, { whenAbsent: 'refuse' }, async (client) => ({
    events: await everyPage(
      (page) => client.call('get_run_history', { ...input, ...page }),
      ({ events }) => events,
    ),
    run: await client.call('get_run', input),
  }));
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
