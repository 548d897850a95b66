// Delivering a request through a tool: at least once, each try recorded.
//
// 1. The start of a try is committed before anything is sent. A try that a crash left open is told as failed, and made
//    again: a party rather sees a question twice than never.
// 2. A try that failed is made again after growing waits, never before the server asked for, for a day. What came of a
//    try is recorded whatever became of the request meanwhile.
// 3. Once a request is delivered it is not delivered again, also where its conversation cannot be found.
import type { Clock } from '../kernel/clock.ts';
import type { EventLog, WriteTransaction } from '../kernel/log/index.ts';
import { retryWait, type Task, type TaskHandler, type TaskLease, type Tasks } from '../kernel/tasks/index.ts';
import type { Conversing } from '../kinds/kind.ts';
import { requireRun } from '../runs/index.ts';
import type { CallStart, Tools } from '../tools/index.ts';
import type { Closing } from './closing.ts';
import { playbookItself, readPut, recordInRun, recordOf, type RequestEvent, wantedRequestOf } from './put-requests.ts';
import type { RequestRow } from './sql.ts';
import { DELIVER_TASK, type DeliverPayload, READ_TASK, type ReadPayload, requestTask } from './tasks.ts';
import { argumentsSize, failureWords, resultSize, type Used, useTool } from './tool-use.ts';

export interface DeliveringOptions {
  log: EventLog;
  clock: Clock;
  tasks: Tasks;
  tools: Tools;
  closing: Closing;
  /** How requests of a type are spoken of. */
  conversing: (type: RequestRow['type']) => Conversing;
  /** Aborted when the service stops and has waited long enough. */
  signal: AbortSignal;
}

/** How long a delivery is tried, from when its request was put. */
const PATIENCE_MS = 24 * 60 * 60 * 1000;

interface Try {
  request: RequestRow;
  payload: DeliverPayload;
  attempt: number;
  /** The event that says that it started. */
  started: string | undefined;
}

export function createDelivering(options: DeliveringOptions): TaskHandler {
  const { log, clock, tasks, tools, closing, conversing, signal } = options;

  const record = async (tx: WriteTransaction, request: RequestRow, events: readonly RequestEvent[], cause: string) =>
    recordInRun(log, tx, await requireRun(tx, request, request.run_id), events, {
      cause,
      by: playbookItself(request),
    });

  async function startTry(tx: WriteTransaction, made: Try, start: Pick<CallStart, 'arguments' | 'keepsContent'>) {
    const { request, payload, attempt } = made;
    const { server, tool } = payload;
    const size = await argumentsSize(tx, request, start);
    const event = { type: 'delivery_started', data: { attempt, server, tool, ...size } };
    const [started] = await record(tx, request, [event], request.event_id);
    return started?.id;
  }

  /** When it is tried again, in milliseconds since 1970; undefined: not any more. */
  function nextTry({ request, attempt }: Try, used: Used): number | undefined {
    const now = clock.now();
    const asked = used.kind === 'failed' ? (used.retryAfterMs ?? 0) : 0;
    const until = Date.parse(request.requested_at) + PATIENCE_MS;
    if (now >= until || now + asked > until) return undefined;
    return Math.max(now + asked, Math.min(now + retryWait(attempt - 1), until));
  }

  async function recordFailed(made: Try, used: Used, lease: TaskLease): Promise<void> {
    await log.write(async (tx) => {
      const { request, payload, attempt } = made;
      const isHeld = await lease.settle(tx);
      const cause = made.started ?? (await startTry(tx, made, { arguments: payload.arguments, keepsContent: false }));
      const words = used.kind === 'failed' ? failureWords(used) : { because: 'interrupted' };
      const called = used.kind === 'failed' ? used.called : undefined;
      // What came back was too large to be read: the party has it, and would only get it again.
      const at = called?.outcome === 'too_large' ? undefined : nextTry(made, used);
      const gaveUp = at === undefined ? { gave_up: true } : {};
      const data = { attempt, ...words, ...gaveUp, ...(await resultSize(tx, request, called)) };
      const [failed] = await record(tx, request, [{ type: 'delivery_failed', data }], cause ?? request.event_id);
      if (!isHeld || (await wantedRequestOf(tx, request, payload)) === undefined) return;
      if (at !== undefined) await tasks.add(tx, request, requestTask(DELIVER_TASK, payload, at));
      else if (failed !== undefined) await giveUp(tx, request, failed.id);
    });
  }

  /** A notification that cannot be delivered ends its run; a question stays in the inbox. */
  async function giveUp(tx: WriteTransaction, request: RequestRow, cause: string): Promise<void> {
    if (Number(request.takes_answer) === 1) return;
    const detail = `The notification to ${request.to_party} could not be delivered.`;
    await closing.reject(tx, request, { reason: 'unanswered', kind: 'undelivered', detail }, { eventId: cause });
  }

  async function recordDelivered(made: Try, used: Used & { kind: 'result' }, lease: TaskLease): Promise<void> {
    const { request, payload, attempt } = made;
    const { called } = used;
    const put = await log.read((tx) => readPut(tx, request, clock.now()));
    const conversation = await conversing(request.type).conversation(put, called.document ?? null);
    await log.write(async (tx) => {
      const isHeld = await lease.settle(tx);
      const size = await resultSize(tx, request, called);
      const landed = `${payload.server}/${payload.tool}`;
      const event = conversation.ok
        ? { type: 'delivery_succeeded', data: { attempt, landed, conversation: conversation.value, ...size } }
        : { type: 'delivery_refused', data: { attempt, because: 'unworkable', detail: conversation.detail, ...size } };
      const [ended] = await record(tx, request, [event], made.started ?? request.event_id);
      if (!isHeld || ended === undefined || (await wantedRequestOf(tx, request, payload)) === undefined) return;
      if (Number(request.takes_answer) === 0) {
        const ending = {
          status: 'succeeded',
          output: { delivered: true },
          record: await recordOf(tx, request),
        } as const;
        await closing.end(tx, request, ending, { eventId: ended.id });
      } else if (conversation.ok && conversation.value !== null && payload.every !== null) {
        const { run_id, request: put, every } = payload;
        const reading: ReadPayload = { run_id, request: put, every, waited: every, first: true };
        await tasks.add(tx, request, requestTask(READ_TASK, reading, clock.now()), { replace: true });
      }
    });
  }

  return async (task: Task, lease: TaskLease) => {
    const payload = task.payload as DeliverPayload;
    const request = await log.read((tx) => wantedRequestOf(tx, task, payload));
    if (request === undefined) return log.write((tx) => lease.finish(tx));
    const before = Number(request.attempts);
    if (request.standing === 'delivering') {
      const cutOff = { request, payload, attempt: before, started: request.delivery_event_id ?? request.event_id };
      return recordFailed(cutOff, { kind: 'interrupted', wasSent: true }, lease);
    }
    const made: Try = { request, payload, attempt: before + 1, started: undefined };
    const used = await useTool(tools, request, payload, {
      signal,
      beforeSending: (start) =>
        log.write(async (tx) => {
          await lease.require(tx);
          made.started = await startTry(tx, made, start);
        }),
    });
    if (used.kind === 'result') return recordDelivered(made, used, lease);
    if (used.kind === 'failed' || made.started !== undefined) return recordFailed(made, used, lease);
    // The service stops, and nothing was begun: the next start delivers.
    return log.write(async (tx) => {
      await lease.finish(tx);
      await tasks.add(tx, request, requestTask(DELIVER_TASK, payload, clock.now()));
    });
  };
}
