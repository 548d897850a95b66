// The open request for a run id: that of the run itself, or of a run that it called.
import { DEFINITION_FACTS } from '../../../shared/definition-types.ts';
import type { EventRecord, Run } from '../../../shared/api/index.ts';
import { type Client, everyPage, type NamedPlaybook } from './client.ts';
import { misused } from './failure.ts';
import { type InboxEntry, listWords } from './inbox-words.ts';

export type FoundRequest =
  | { entry: InboxEntry; run?: never }
  /** The run has no open request. */
  | { entry?: never; run: Run };

/** @throws CommandFailure if several runs below the run have open requests; ServiceRefusal if the run does not exist */
export async function findRequest(
  client: Client,
  at: NamedPlaybook,
  runId: string,
  open: readonly InboxEntry[],
): Promise<FoundRequest> {
  const own = open.find((entry) => entry.run_id === runId.toLowerCase());
  if (own !== undefined) return { entry: own };
  const runOf = (id: string): Promise<Run> => client.call('get_run', { ...at, run_id: id });
  const run = await runOf(runId);
  if (DEFINITION_FACTS[run.type].callsDefinitions !== true || run.status !== 'started') return { run };
  let top = run;
  while (top.called_by !== undefined) top = await runOf(top.called_by.run_id);
  const requested = await requestsBelow(client, at, top.run_id);
  const below = open.filter(({ run_id: id }) => requested.some(({ metadata }) => metadata.run_id === id));
  const called = below.filter(({ run_id: id }) =>
    requested.some(({ metadata }) => metadata.run_id === id && metadata.called_by?.run_id === run.run_id),
  );
  const [entry, ...more] = called.length > 0 ? called : below;
  if (entry === undefined) return { run };
  if (more.length === 0) return { entry };
  throw misused(
    `Several runs that ${runId} called have open requests. Use the run id of one of them:\n${listWords([entry, ...more])}`,
  );
}

/** Every request of the runs in the tree, open or closed. */
function requestsBelow(client: Client, at: NamedPlaybook, topRunId: string): Promise<EventRecord[]> {
  const filters = { ...at, run_id: topRunId, type: 'interaction_requested' };
  return everyPage(
    (page) => client.call('list_playbook_events', { ...filters, ...page }),
    ({ events }) => events,
  );
}
