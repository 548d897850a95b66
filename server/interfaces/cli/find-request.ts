// Which open request a run id leads to: that of the run itself, or one below it, where it called the run that asks.
import { DEFINITION_FACTS } from '../../../shared/definition-types.ts';
import type { JsonObject } from '../../../shared/json.ts';
import type { EventRecord, Run } from '../../../shared/schemas/index.ts';
import { type Client, pathOf } from './client.ts';
import { CommandFailure, EXIT } from './failure.ts';
import { type InboxEntry, listWords } from './inbox-words.ts';

export type FoundRequest =
  | { entry: InboxEntry; run?: never }
  /** Nothing of the run is open. */
  | { entry?: never; run: Run };

/** @throws CommandFailure where several requests stand below the run; ServiceRefusal where there is no such run */
export async function findRequest(
  client: Client,
  org: string,
  { playbook, runId }: { playbook: string; runId: string },
  open: readonly InboxEntry[],
): Promise<FoundRequest> {
  const own = open.find((entry) => entry.run_id === runId.toLowerCase());
  if (own !== undefined) return { entry: own };
  const base = pathOf`/orgs/${org}/playbooks/${playbook}`;
  const runOf = async (id: string): Promise<Run> =>
    (await client.get(`${base}${pathOf`/runs/${id}`}`)) as unknown as Run;
  const run = await runOf(runId);
  if (DEFINITION_FACTS[run.type].callsDefinitions !== true || run.status !== 'started') return { run };
  let top = run;
  while (top.called_by !== undefined) top = await runOf(top.called_by.run_id);
  const requested = await eventsOf(client, base, top.run_id);
  const below = open.filter(({ run_id: id }) => requested.some(({ metadata }) => metadata.run_id === id));
  const called = below.filter(({ run_id: id }) =>
    requested.some(({ metadata }) => metadata.run_id === id && metadata.called_by?.run_id === run.run_id),
  );
  const [entry, ...more] = called.length > 0 ? called : below;
  if (entry === undefined) return { run };
  if (more.length === 0) return { entry };
  throw new CommandFailure(
    `Several requests wait below the run ${runId}; name the run of the one that is meant:\n${listWords([entry, ...more])}`,
    EXIT.misused,
  );
}

/** The requests that the tree of runs has made, open or not. */
async function eventsOf(client: Client, base: string, topRunId: string): Promise<EventRecord[]> {
  const found: EventRecord[] = [];
  for (let cursor = ''; ; ) {
    const query = new URLSearchParams({ run_id: topRunId, type: 'interaction_requested', limit: '100' });
    if (cursor !== '') query.set('cursor', cursor);
    const page: JsonObject = await client.get(`${base}/events?${query.toString()}`);
    found.push(...(page['events'] as unknown as EventRecord[]));
    if (typeof page['next_cursor'] !== 'string') return found;
    cursor = page['next_cursor'];
  }
}
