// Records how an attempt ended, or what it waits for, in one transaction: the start where it is not recorded yet, the events,
// and what the caller of a called run does next.
import type { Logger } from 'pino';
import type { RunWithRecord } from '../../../../shared/schemas/index.ts';
import { type EventLog, type Holder, StreamMoved, type WriteTransaction } from '../../../kernel/log/index.ts';
import type { Decision, Waiting } from '../../../kinds/durable.ts';
import type { Ending } from '../../../kinds/run.ts';
import type { Clock } from '../../../lib/clock.ts';
import { untilAborted } from '../../../lib/deadline.ts';
import { Refused } from '../../../lib/rejection.ts';
import { requireActivePlaybook } from '../../playbooks/index.ts';
import { Outdated } from '../durable/invocation.ts';
import { endWith, type RecordDecision } from '../durable/record-decision.ts';
import { putWaiter } from '../durable/sql.ts';
import type { NotifyWaiter } from '../durable/waiter.ts';
import type { WithCaller } from '../durable/with-caller.ts';
import type { Attempt } from '../history/events.ts';
import { dropLease } from '../history/leases.ts';
import { presentRun, requireRun } from '../history/present.ts';
import { callerEnded } from './execute.ts';
import { abandonedRun } from './live-attempts.ts';
import type { Start } from './start.ts';

export interface RecordOutcomeOptions {
  log: EventLog;
  clock: Clock;
  record: RecordDecision;
  notifyWaiter: NotifyWaiter;
  withCaller: WithCaller;
  /** Aborted when the attempts of a holder are abandoned. */
  abandonedBy: (holder: Holder) => AbortSignal;
}

/**
 * Returns the run as it then is; as another process has recorded it, where that has taken the run over.
 * @throws StreamMoved if the start was not recorded and the run has another one; Outdated
 */
export async function recordOutcome(
  options: RecordOutcomeOptions,
  start: Start,
  outcome: Ending | Waiting,
): Promise<RunWithRecord> {
  const { log, clock, withCaller, notifyWaiter } = options;
  const { attempt, request } = start;
  if (outcome.status === 'waiting') await start.record();
  const isStartRecorded = start.recorded !== undefined;
  await start.recorded;
  // Not the time of the commit: it is earlier than what the caller decides.
  const now = clock.now();
  const write = (notify: NotifyWaiter): Promise<RunWithRecord> =>
    log.write(attempt, (tx) => writeOutcome(options, tx, { start, outcome, isStartRecorded, now, notify }));
  if (attempt.chain.calledBy === undefined) return write(notifyWaiter);
  // What took time, or had an effect, is recorded without waiting for what the caller decides.
  if (outcome.status === 'waiting' || isStartRecorded) return write(notifyWaiter);
  const known = request.call?.waiter === undefined ? {} : { waiter: request.call.waiter };
  // What follows may have ended the process at the try before.
  return withCaller(attempt, outcome, write, { ...known, mayCall: request.call?.isFirstTry === true });
}

interface ToWrite {
  start: Start;
  outcome: Ending | Waiting;
  isStartRecorded: boolean;
  now: number;
  notify: NotifyWaiter;
}

async function writeOutcome(
  { record, abandonedBy }: RecordOutcomeOptions,
  tx: WriteTransaction,
  { start, outcome, isStartRecorded, now, notify }: ToWrite,
): Promise<RunWithRecord> {
  const { attempt, runnable, eventId } = start;
  const { call, traceId } = start.request;
  if (abandonedBy(start.holder).aborted) throw abandonedRun(attempt.runId);
  if (!isStartRecorded) {
    await call?.finish(tx);
    await start.requireCurrent(tx);
  } else if (!(await dropLease(tx, start.lease))) {
    return presentRun(tx, await requireRun(tx, attempt, attempt.runId));
  }
  const isWanted = !isStartRecorded || (await call?.settle(tx)) !== false;
  const decision = await decisionOf(tx, attempt, outcome, isWanted);
  const first = isStartRecorded ? { before: [] } : { position: 0, before: [await start.event(tx)] };
  const given = { attempt, shape: runnable.shape, ...first, cause: eventId, decision, now };
  const { ended } = await record(tx, { ...given, ...(traceId === undefined ? {} : { traceId }) });
  const row = await requireRun(tx, attempt, attempt.runId);
  // The task that held it is gone.
  if (ended === undefined && call?.waiter !== undefined) await putWaiter(tx, row, call.waiter);
  // A call that joins a run that another caller started passes on its ending by itself.
  const isCalled = attempt.chain.calledBy !== undefined;
  if (ended !== undefined && isWanted && isCalled) await notify(tx, row, ended.ending, ended.event.id, call?.waiter);
  return presentRun(tx, row, ended?.event);
}

/** A run may not begin to wait if its caller or its playbook has ended. */
async function decisionOf(
  tx: WriteTransaction,
  attempt: Attempt,
  outcome: Ending | Waiting,
  isWanted: boolean,
): Promise<Decision> {
  if (outcome.status !== 'waiting') return endWith(outcome);
  if (!isWanted) return endWith(callerEnded('The caller stopped waiting before the request was opened.'));
  try {
    await requireActivePlaybook(tx, attempt);
    return outcome.decision;
  } catch (error) {
    if (error instanceof Refused) return endWith({ status: 'rejected', rejection: error.rejection });
    throw error;
  }
}

/** The time until an ending is tried again that the store refuses, in milliseconds. */
const AGAIN_MS = 1000;
/** How often an ending is tried that fails for another reason; each time, the time until the next one doubles. */
const MOST_FAILURES = 5;

/**
 * Calls `record` again until it succeeds, is void, has failed too often, or until `abandoned` is aborted, so that the run does
 * not stay in progress. Its request got an error; the task of a called run waits for the ending.
 */
export async function recordLater(
  record: () => Promise<unknown>,
  { abandoned, clock, logger }: { abandoned: AbortSignal; clock: Clock; logger: Logger },
): Promise<void> {
  for (let failures = 0; failures < MOST_FAILURES; ) {
    const { promise: isTime, resolve } = Promise.withResolvers<void>();
    const cancel = clock.wakeAfter(AGAIN_MS * 2 ** failures, resolve);
    await untilAborted(isTime, abandoned).finally(cancel);
    if (abandoned.aborted) return;
    try {
      await record();
      return;
    } catch (error) {
      if (isVoid(error)) return;
      // The store refused the transaction, of which nothing was done.
      if (error instanceof Refused && error.rejection.reason === 'unavailable') continue;
      failures += 1;
      logger.error({ err: error }, 'The ending of a run could not be recorded.');
    }
  }
}

/** Whether another attempt has replaced the one whose ending was to be recorded. */
export function isVoid(error: unknown): boolean {
  return error instanceof StreamMoved || error instanceof Outdated;
}
