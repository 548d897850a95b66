// HTTP and tool calls of a workflow. The start of each is recorded before it is sent; a call that was started and has no
// response after a restart is sent again only where that does no harm.
import type { DefinitionType } from '../../../../shared/definition-types.ts';
import type { JsonObject } from '../../../../shared/json.ts';
import type { Performed } from '../../../kinds/durable.ts';
import type { Kind } from '../../../kinds/kind.ts';
import type { ToolCallStart } from '../../../kinds/tools.ts';
import { type Clock, stopwatch } from '../../../lib/clock.ts';
import { storeLargeMembers } from '../../../kernel/contents/index.ts';
import type { EventLog, NewEvent, WriteTransaction } from '../../../kernel/log/index.ts';
import { isUnworkable, type TaskHandler, type Tasks } from '../../../kernel/tasks/index.ts';
import { callEnded, callStarted } from '../../tools/index.ts';
import { attemptOf, appendEvent } from '../history/events.ts';
import { type RunRow, selectRun } from '../history/sql.ts';
import { attemptField, givenUpTask, inputTask, isOfAttempt, type PerformPayload, PROCESS_DIED } from './run-tasks.ts';
import { dropCall, putCall, selectCall } from './sql.ts';

export interface PerformingOptions {
  log: EventLog;
  tasks: Tasks;
  clock: Clock;
  kinds: Readonly<Record<DefinitionType, Kind>>;
  /** Aborted when the service stops and has waited long enough: calls are broken off and left to the next start. */
  graceOver: AbortSignal;
}

export function createPerforming({ log, tasks, clock, kinds, graceOver }: PerformingOptions): TaskHandler {
  return async (task, lease) => {
    const payload = task.payload as PerformPayload;
    const { run_id, number, effect, data } = payload;
    const row = await log.read((tx) => selectRun(tx, task, run_id));
    if (row === undefined || row.status !== 'started' || !isOfAttempt(payload, row)) {
      return log.write(task, (tx) => lease.finish(tx));
    }
    const { describe, perform } = kinds[row.type];
    if (describe === undefined || perform === undefined) throw new Error(`Runs of ${row.type} make no calls.`);
    const { server, tool, arguments: given, mayRepeat, recordsOwnStart } = describe(row, effect);
    const step = typeof data['reference'] === 'string' ? { step: data['reference'] } : {};
    const named = { attempt: Number(row.attempt), ...step };
    const signal = AbortSignal.any([lease.unwanted, graceOver]);
    const before = await log.read((tx) => selectCall(tx, row, number));
    let started = before;
    const starts = async (call: ToolCallStart): Promise<void> => {
      started = await log.write(row, async (tx) => {
        // A call of a step that was cut off meanwhile is not begun.
        await lease.require(tx);
        const event = await callStarted(tx, row, call, named);
        const { id } = await appendEvent(log, tx, attemptOf(row), event, { cause: row.attempt_event_id });
        await putCall(tx, row, number, id);
        return id;
      });
    };
    // Each sending has a start of its own: the one before the restart may have had an effect as well.
    const maySend = before === undefined || mayRepeat;
    const isGivenUp = maySend && isUnworkable(task);
    const isSent = maySend && !isGivenUp;
    if (isSent && !recordsOwnStart) {
      await starts({ server, tool, readOnly: mayRepeat, arguments: given, keepsContent: true });
    }
    const tookMs = stopwatch(clock);
    const { org, playbook, name, definition_version } = row;
    const run = { org, playbook, runId: run_id, name, version: Number(definition_version) };
    const performed = isSent ? await perform(run, effect, { signal, starts }) : UNANSWERED;
    const { call, ...answered } = performed;
    await log.write(row, async (tx) => {
      const isWanted = await lease.settle(tx);
      let cause = row.attempt_event_id;
      if (started !== undefined) {
        const duration_ms = tookMs();
        const event =
          call === undefined
            ? await answerEvent(tx, row, { ...named, server, tool, duration_ms }, answered)
            : await callEnded(tx, row, call, named);
        ({ id: cause } = await appendEvent(log, tx, attemptOf(row), event, { cause: started }));
        await dropCall(tx, row, number);
      }
      if (!isWanted) return;
      const input = { run_id, ...attemptField(payload), key: String(number), cause };
      const answer: JsonObject = { ...data, number, ...answered };
      const next = isGivenUp
        ? givenUpTask(input, PROCESS_DIED, clock.now())
        : inputTask({ ...input, kind: 'call_answered', data: answer }, clock.now());
      await tasks.add(tx, row, next);
    });
  };
}

const UNANSWERED: Performed = {
  ok: false,
  error: {
    type: 'https://serverlessworkflow.io/spec/1.0.0/errors/communication',
    status: 503,
    title: 'A call was interrupted',
    outcome: 'server_failure',
    detail: 'The service stopped during the call, so it is unknown whether the call had an effect.',
  },
};

async function answerEvent(
  tx: WriteTransaction,
  row: RunRow,
  named: JsonObject,
  performed: Performed,
): Promise<Omit<NewEvent, 'metadata'>> {
  if (performed.ok) {
    const { data, kept } = await storeLargeMembers(tx, row, { answer: performed.output });
    return { type: 'tool_call_answered', data: { ...named, ...data }, kept };
  }
  const { outcome, detail } = performed.error;
  if (outcome === 'tool_error') {
    const { data, kept } = await storeLargeMembers(tx, row, { answer: performed.error });
    return { type: 'tool_call_answered', data: { ...named, is_error: true, ...data }, kept };
  }
  // Where nothing was sent to the server, the arguments were refused here.
  const because = typeof outcome === 'string' ? outcome : 'arguments_refused';
  return { type: 'tool_call_failed', data: { ...named, because, detail: String(detail) }, kept: {} };
}
