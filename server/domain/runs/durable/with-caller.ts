// The ending of a called run moves the run that waits for it in the same commit.
//
// 1. What the waiting run does next is decided before the transaction, from its state in memory, and recorded in the transaction
//    that records the ending. The other inputs of the run wait meanwhile.
// 2. If its state is not in memory, another input of it is being applied, or its part cannot be recorded, the ending adds a task
//    instead, and the input is applied in a transaction of its own. So an error of the waiting run is never an error of the run
//    that ends, or of the person who answers.
// 3. A waiting run that ends moves the one above it in the same way.
// 4. After a called run whose start is recorded with its ending: if all that the waiting run requests next is the run of a pure
//    function, the function is executed before the transaction (bursts.ts), then the next step is decided, and so on.
import type { EventLog, WriteTransaction } from '../../../kernel/log/index.ts';
import type { Decided } from '../../../kinds/burst/index.ts';
import type { Ending } from '../../../kinds/run.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Serially } from '../../../lib/gate.ts';
import { type Attempt, attemptOf } from '../history/events.ts';
import type { RunRow } from '../history/sql.ts';
import type { RunBurst, RunBursts } from './bursts.ts';
import type { Deciding } from './deciding.ts';
import { recordAll, type Recorded, type RecordDecision } from './record-decision.ts';
import { selectWaiter, takeWaiter, type Waiter } from './sql.ts';
import { keepMoved, type KnownState, stateKey, type States } from './states.ts';
import { type EndedRun, inputOfWaiter, type NotifyWaiter } from './waiter.ts';

/** Records the ending of a run and passes it on with `notify`, once. It may be called again where nothing was committed. */
export type WriteEnding<T> = (notify: NotifyWaiter) => Promise<T>;

export interface CallerOptions {
  /** The waiter, where the task that started the run holds it. */
  waiter?: Waiter;
  /** Whether pure functions that the waiting run calls next are executed, so that their runs are recorded in the same commit. */
  mayCall?: boolean;
}

/** Records the ending of a run with `write`, together with what the run that waits for it does next. */
export type WithCaller = <T>(
  run: Attempt,
  ending: Ending,
  write: WriteEnding<T>,
  options?: CallerOptions,
) => Promise<T>;

/** Notifies the waiter and the trigger of a run of its ending, if it has ended, in the transaction that records that. */
export type PassOnEnding = (
  tx: WriteTransaction,
  row: RunRow,
  ended: Recorded['ended'],
  notify: NotifyWaiter,
) => Promise<void>;

export interface WithCallerOptions {
  log: EventLog;
  clock: Clock;
  states: States;
  /** Applies the inputs of a run one at a time. */
  serially: Serially;
  deciding: Deciding;
  bursts: RunBursts;
  record: RecordDecision;
  notifyWaiter: NotifyWaiter;
  passOnEnding: PassOnEnding;
}

export function createWithCaller(context: WithCallerOptions): WithCaller {
  const { log, states, serially, notifyWaiter } = context;
  const withCaller: WithCaller = async (run, ending, write, options = {}) => {
    if (run.chain.calledBy === undefined) return write(notifyWaiter);
    const waiter = options.waiter ?? (await log.read((tx) => selectWaiter(tx, endedRun(run))));
    if (waiter === undefined) return write(notifyWaiter);
    const key = stateKey(run, waiter.waiting_run_id);
    const state = states.get(key);
    if (state === undefined || !serially.isFree(key)) return write(notifyWaiter);
    return serially(key, async () => {
      const burst = await decideForCaller(context, { run, ending, waiter, state, mayCall: options.mayCall === true });
      if (burst === undefined) return write(notifyWaiter);
      const callerEnding = burst.decided.at(-1)?.decision.ending;
      const recordAbove = <U>(move: WriteEnding<U>): Promise<U> =>
        callerEnding === undefined ? move(notifyWaiter) : withCaller(attemptOf(state.row), callerEnding, move);
      return recordTogether(
        context,
        { ending, state, burst, isWaiterKnown: options.waiter !== undefined },
        write,
        recordAbove,
      );
    });
  };
  return withCaller;
}

/** What the caller does next, and when that was decided. */
interface CallerBurst {
  decided: readonly Decided[];
  now: number;
  calls: RunBurst;
}

interface EndingOfCalled {
  run: Attempt;
  ending: Ending;
  waiter: Waiter;
  /** Of the caller. */
  state: KnownState;
  mayCall: boolean;
}

/** Undefined where nothing waits for the ending, or deciding fails: the task finds out again. */
async function decideForCaller(
  context: WithCallerOptions,
  { run, ending, waiter, state, mayCall }: EndingOfCalled,
): Promise<CallerBurst | undefined> {
  const now = context.clock.now();
  const payload = inputOfWaiter(waiter, endedRun(run), ending, null);
  const calls = context.bursts.afterCall(state);
  const options = { now, ...(mayCall ? { burst: calls } : {}) };
  const decided = await context.deciding.decide(state, payload, options).catch(() => undefined);
  return decided && { decided, now, calls };
}

interface Together {
  ending: Ending;
  state: KnownState;
  burst: CallerBurst;
  /** The waiter is in the task of the called run, not in a row. */
  isWaiterKnown: boolean;
}

/** @param recordAbove records the caller's part, together with what the run above it does if the caller ends */
async function recordTogether<T>(
  { states, record, notifyWaiter, passOnEnding }: WithCallerOptions,
  { ending, state, burst, isWaiterKnown }: Together,
  write: WriteEnding<T>,
  recordAbove: (move: WriteEnding<T>) => Promise<T>,
): Promise<T> {
  const { row, shape, position } = state;
  const given = { attempt: attemptOf(row), shape, position, before: [], now: burst.now };
  let recorded: Recorded | undefined;
  /** Of the caller's part of the commit. */
  let failure: { error: unknown } | undefined;
  const move: WriteEnding<T> = (notifyAbove) =>
    write(async (tx, ended, actual, cause, waiter) => {
      [recorded, failure] = [undefined, undefined];
      if (!isSameForCaller(actual, ending)) return notifyWaiter(tx, ended, actual, cause, waiter);
      // The caller does not wait for the run any more.
      if (!isWaiterKnown && (await takeWaiter(tx, ended)) === undefined) return;
      try {
        recorded = await recordAll(tx, record, { ...given, cause }, burst.decided, burst.calls);
        await passOnEnding(tx, row, recorded.ended, notifyAbove);
      } catch (error) {
        failure = { error };
        throw error;
      }
    });
  try {
    const written = await recordAbove(move);
    if (recorded !== undefined) keepMoved(states, state, recorded);
    return written;
  } catch (error) {
    states.drop(stateKey(row, row.run_id));
    // Where the store itself fails, it gives another error than the transaction threw.
    if (failure === undefined || failure.error !== error) throw error;
    return write(notifyWaiter);
  }
}

/** What a run waits for is the output; the record of the ending is not passed on. */
function isSameForCaller(one: Ending, other: Ending): boolean {
  if (one === other) return true;
  return one.status === 'succeeded' && other.status === 'succeeded' && one.output === other.output;
}

function endedRun({ org, playbook, runId: run_id, definition: { type, name } }: Attempt): EndedRun {
  return { org, playbook, run_id, type, name };
}
