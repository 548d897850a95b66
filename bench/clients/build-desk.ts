// An agent's task: build, run and explain a playbook of four definitions, with the mistakes that agents make. It checks a
// document first if the server's instructions say so, follows links where a result has them, and searches where it has none.
import { setTimeout as pause } from 'node:timers/promises';
import type { Json, JsonObject } from '../../shared/json.ts';
import type { CallResult, CountingClient } from './counting-client.ts';
import { APPROVE, COUNTS, HANDLE, SCORE } from './documents.ts';

const PLAYBOOK = 'desk';

export async function buildDesk(client: CountingClient): Promise<void> {
  const call = (tool: string, args: JsonObject = {}): Promise<CallResult> =>
    client.call(tool, { playbook: PLAYBOOK, ...args });
  const done = async (tool: string, args: JsonObject): Promise<JsonObject> => {
    const { isError, value, text } = await call(tool, args);
    if (isError) throw new Error(`${tool} was refused: ${text}`);
    return value;
  };
  const refused = async (tool: string, args: JsonObject): Promise<string> => {
    const { isError, text } = await call(tool, args);
    if (!isError) throw new Error(`${tool} was not refused: ${text}`);
    return text;
  };

  const checksFirst = client.instructions.includes('check_definition');
  const check = async (args: JsonObject): Promise<void> => {
    if (checksFirst) await call('check_definition', args);
  };

  client.begin('list tools');
  await client.listTools();

  client.begin('read guides');
  for (const guide of ['start', 'computation', 'recall', 'interaction', 'workflow']) {
    await client.call('read_resource', { uri: `guide://${guide}` });
  }

  client.begin('create the playbook');
  await client.call('list_playbooks', {});
  await done('create_playbook', { name: 'Desk' });

  client.begin('write a computation');
  const score = { type: 'computation', name: 'score' };
  await check({ type: 'computation', source: SCORE.wrong });
  await refused('create_definition', { ...score, source: SCORE.wrong });
  await check({ type: 'computation', source: SCORE.corrected });
  await done('create_definition', { ...score, source: SCORE.corrected });
  await refused('run_definition', { ...score, input: { title: 'Login', plan: 'gold' } });
  await done('run_definition', { ...score, input: { title: 'Login', plan: 'team' } });

  client.begin('write a recall function');
  const counts = { type: 'recall', name: 'counts' };
  await refused('create_definition', { ...counts, source: COUNTS.wrong });
  await check({ type: 'recall', source: COUNTS.corrected });
  await done('create_definition', { ...counts, source: COUNTS.corrected });

  client.begin('write an interaction');
  const approve = { type: 'interaction', name: 'approve' };
  await refused('create_definition', { ...approve, source: APPROVE.wrong });
  await check({ type: 'interaction', source: APPROVE.corrected });
  await done('create_definition', { ...approve, source: APPROVE.corrected });

  client.begin('write a workflow');
  const handle = { type: 'workflow', name: 'handle-ticket' };
  await refused('create_definition', { ...handle, source: HANDLE.wrong });
  await check({ type: 'workflow', source: HANDLE.corrected });
  await done('create_definition', { ...handle, source: HANDLE.corrected });
  for (const type of ['computation', 'recall', 'interaction', 'workflow']) await done('list_definitions', { type });

  client.begin('run it with an event');
  const run = await publishAndFind({ title: 'Refund', plan: 'enterprise', amount: 120 });
  await waitsFor(run, 'started');

  client.begin('answer its question');
  await call('answer_interaction', { run_id: run, answer: { approved: true } });
  const asking = await findQuestion(run);
  await refused('answer_interaction', { run_id: asking, answer: { approved: 'yes' } });
  await done('answer_interaction', { run_id: asking, answer: { approved: true } });
  await waitsFor(run, 'succeeded');
  await done('run_definition', { type: 'recall', name: 'counts' });

  client.begin('explain a failed run');
  const failing = await publishAndFind({ title: 'Refund', plan: 'enterprise', amount: 125 });
  await waitsFor(failing, 'failed');
  await done('explain_run', { run_id: failing });
  await done('list_playbook_events', { run_id: failing });
  await done('get_definition', score);

  client.begin('mend it');
  await check({ type: 'computation', source: SCORE.rounded });
  await done('update_definition', { ...score, source: SCORE.rounded });
  const mended = await publishAndFind({ title: 'Refund', plan: 'enterprise', amount: 125 });
  await waitsFor(mended, 'started');
  await done('answer_interaction', { run_id: await findQuestion(mended), answer: { approved: false } });
  await waitsFor(mended, 'succeeded');
  await done('list_runs', {});
  await done('list_playbook_events', { type: 'event_published' });

  /** Publishes a ticket and returns the run that it started: the newest one of the workflow, if the result does not say. */
  async function publishAndFind(data: JsonObject): Promise<string> {
    const event = { source: '/desk', type: 'ticket.opened', data };
    const published = await done('publish_event', { event });
    const [linked] = entriesOf(published['reached']);
    // The run is started by a task shortly after the event.
    await pause(500);
    if (linked !== undefined) return String(linked['run_id']);
    const { runs } = await done('list_runs', { type: 'workflow', name: 'handle-ticket' });
    const [newest] = entriesOf(runs);
    if (newest === undefined) throw new Error('The event started no run.');
    // That it is of this event, only its input says.
    await done('list_playbook_events', { run_id: String(newest['run_id']) });
    return String(newest['run_id']);
  }

  async function waitsFor(runId: string, status: string): Promise<void> {
    for (let tries = 0; tries < 20; tries += 1) {
      const found = await done('get_run', { run_id: runId });
      if (found['status'] === status) return;
      await pause(500);
    }
    throw new Error(`The run ${runId} did not become ${status}.`);
  }

  /** The run that asks below a run: the request names its caller, or each one has to be read. */
  async function findQuestion(runId: string): Promise<string> {
    const { interactions } = await done('list_interactions', {});
    for (const request of entriesOf(interactions)) {
      const asking = String(request['run_id']);
      const known = request['called_by'] ?? (await done('get_run', { run_id: asking }))['called_by'];
      if ((known as JsonObject)['run_id'] === runId) return asking;
    }
    throw new Error(`Nothing asks for the run ${runId}.`);
  }
}

function entriesOf(list: Json | undefined): JsonObject[] {
  return Array.isArray(list) ? (list as JsonObject[]) : [];
}
