// Telling a conversation why a reply was not taken. It may happen twice; a try that a crash left open counts as failed.
import type { Clock } from '../kernel/clock.ts';
import type { EventLog, WriteTransaction } from '../kernel/log/index.ts';
import { retryWait, type Task, type TaskHandler, type TaskLease, type Tasks } from '../kernel/tasks/index.ts';
import type { Conversing, ToolUse } from '../kinds/kind.ts';
import { requireRun } from '../runs/index.ts';
import type { CallStart, Tools } from '../tools/index.ts';
import { playbookItself, readPut, recordInRun, type RequestEvent, wantedRequestOf } from './put-requests.ts';
import { type RequestRow, selectTelling } from './sql.ts';
import { requestTask, TELL_TASK, type TellPayload } from './tasks.ts';
import { argumentsSize, failureWords, resultSize, type Used, useTool } from './tool-use.ts';

export interface TellingOptions {
  log: EventLog;
  clock: Clock;
  tasks: Tasks;
  tools: Tools;
  conversing: (type: RequestRow['type']) => Conversing;
  signal: AbortSignal;
}

const PATIENCE_MS = 24 * 60 * 60 * 1000;

interface Try {
  request: RequestRow;
  payload: TellPayload;
  attempt: number;
  use: ToolUse;
  started: string | undefined;
}

export function createTelling({ log, clock, tasks, tools, conversing, signal }: TellingOptions): TaskHandler {
  const record = async (tx: WriteTransaction, request: RequestRow, event: RequestEvent, cause: string) => {
    const run = await requireRun(tx, request, request.run_id);
    const [recorded] = await recordInRun(log, tx, run, [event], { cause, by: playbookItself(request) });
    return recorded?.id;
  };

  async function startTry(tx: WriteTransaction, made: Try, start: Pick<CallStart, 'arguments' | 'keepsContent'>) {
    const { request, payload, attempt, use } = made;
    const size = await argumentsSize(tx, request, start);
    const data = { attempt, about: payload.about, server: use.server, tool: use.tool, ...size };
    return record(tx, request, { type: 'telling_started', data }, payload.cause);
  }

  async function recordEnd(made: Try, used: Used, lease: TaskLease): Promise<void> {
    const { request, payload, attempt, use } = made;
    const named = { attempt, about: payload.about };
    await log.write(async (tx) => {
      const isHeld = await lease.settle(tx);
      const cause = made.started ?? (await startTry(tx, made, { arguments: use.arguments, keepsContent: false }));
      const called = used.kind === 'interrupted' ? undefined : used.called;
      const size = await resultSize(tx, request, called);
      if (used.kind === 'result') {
        await record(tx, request, { type: 'telling_succeeded', data: { ...named, ...size } }, cause ?? payload.cause);
        return;
      }
      const words = used.kind === 'failed' ? failureWords(used) : { because: 'interrupted' };
      const data = { ...named, ...words, ...size };
      await record(tx, request, { type: 'telling_failed', data }, cause ?? payload.cause);
      const asked = used.kind === 'failed' ? (used.retryAfterMs ?? 0) : 0;
      const at = clock.now() + Math.max(asked, retryWait(attempt - 1));
      const isLate = at > payload.since + PATIENCE_MS;
      if (!isHeld || isLate || (await wantedRequestOf(tx, request, payload)) === undefined) return;
      await tasks.add(tx, request, requestTask(TELL_TASK, payload, at, payload.about));
    });
  }

  return async (task: Task, lease: TaskLease) => {
    const payload = task.payload as TellPayload;
    const { request, before } = await log.read(async (tx) => ({
      request: await wantedRequestOf(tx, task, payload),
      before: await selectTelling(
        tx,
        { org: task.org, playbook: task.playbook, run_id: payload.run_id },
        payload.about,
      ),
    }));
    if (request === undefined) return log.write((tx) => lease.finish(tx));
    const put = await log.read((tx) => readPut(tx, request, clock.now()));
    const use = await conversing(request.type).telling(put, payload.words);
    // Nobody is to be told, or the words for it cannot be worked out, now or ever.
    if (!use.ok || use.value === undefined) return log.write((tx) => lease.finish(tx));
    const tries = Number(before?.attempts ?? 0);
    const open = before?.open_event_id ?? undefined;
    if (open !== undefined) {
      const cutOff = { request, payload, attempt: tries, use: use.value, started: open };
      return recordEnd(cutOff, { kind: 'interrupted', wasSent: true }, lease);
    }
    const made: Try = { request, payload, attempt: tries + 1, use: use.value, started: undefined };
    const used = await useTool(tools, request, use.value, {
      signal,
      beforeSending: (start) =>
        log.write(async (tx) => {
          await lease.require(tx);
          made.started = await startTry(tx, made, start);
        }),
    });
    if (used.kind !== 'interrupted' || made.started !== undefined) return recordEnd(made, used, lease);
    // The service stops, and nothing was begun: the next start tells.
    return log.write(async (tx) => {
      await lease.finish(tx);
      await tasks.add(tx, request, requestTask(TELL_TASK, payload, clock.now(), payload.about));
    });
  };
}
