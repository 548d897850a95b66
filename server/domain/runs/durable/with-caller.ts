// The ending of a called run moves the run that waits for it in the same commit.
//
// 1. What the waiting run does next is decided before the transaction, from its state as it is known here, and recorded
//    in the transaction that records the ending. Nobody else moves the run meanwhile: its inputs wait.
// 2. Where its state is not known here, another input of it is being applied, or its part cannot be recorded, such as when
//    it has moved meanwhile, the ending adds a task instead, and the input is applied on its own. So what goes wrong with
//    the waiting run is never an error of the run that ends, or of the person who answers.
// 3. A waiting run that ends moves the one above it in the same way.
// 4. If all that the waiting run asks for is the run of a pure function, that is carried out before the transaction, too
//    (attempts/eager-calls.ts), then what it does after that is decided, and so on.
import type { DefinitionType } from '../../../../shared/definition-types.ts';
import type { Clock } from '../../../lib/clock.ts';
import type { Serially } from '../../../lib/gate.ts';
import { inOrder } from '../../../lib/in-order.ts';
import { type EventLog, selectStreamEnd, type WriteTransaction } from '../../../kernel/log/index.ts';
import type { Tasks } from '../../../kernel/tasks/index.ts';
import type { Kind } from '../../../kinds/kind.ts';
import type { Ending } from '../../../kinds/run.ts';
import { type Attempt, attemptOf, streamOf } from '../history/events.ts';
import type { RunRow } from '../history/sql.ts';
import { type EndedRun, inputOfWaiter, type NotifyWaiter } from './waiter.ts';
import type { CallAhead, Deciding } from './deciding.ts';
import { INPUT_TASK, inputKey } from './run-tasks.ts';
import { recordAll, type Recorded, type RecordDecision } from './record-decision.ts';
import { selectWaiter, takeWaiter, type Waiter } from './sql.ts';
import { keepMoved, type KnownState, stateKey, type States } from './states.ts';

/** Records the ending of a run and passes it on with `tell`, once. It may be called again where nothing was committed. */
export type WriteEnding<T> = (tell: NotifyWaiter) => Promise<T>;

export interface CallerOptions {
  /** Who waits, where the task that started the run held that. */
  known?: Waiter;
  /** Carries out the pure function that the waiting run calls next, so that its run is recorded in the same commit. */
  callAhead?: CallAhead;
}

/** Records the ending of a run with `write`, together with what the run that waits for it does next. */
export type WithCaller = <T>(
  run: Attempt,
  ending: Ending,
  write: WriteEnding<T>,
  options?: CallerOptions,
) => Promise<T>;

export interface WithCallerOptions {
  log: EventLog;
  clock: Clock;
  kinds: Readonly<Record<DefinitionType, Kind>>;
  tasks: Pick<Tasks, 'firstDue'>;
  states: States;
  /** Applies the inputs of a run one at a time. */
  serially: Serially;
  deciding: Deciding;
  record: RecordDecision;
  notifyWaiter: NotifyWaiter;
  /** A run has ended: passes that on. */
  tellOfEnding: (tx: WriteTransaction, row: RunRow, ended: Recorded['ended'], tell: NotifyWaiter) => Promise<void>;
}

export function createWithCaller(options: WithCallerOptions): WithCaller {
  const { log, clock, kinds, tasks, states, serially, deciding, record, notifyWaiter, tellOfEnding } = options;

  /** When the first timer of the run is due, infinite where it has none; undefined where the run has moved elsewhere. */
  function firstTimerOf({ row, position }: KnownState): Promise<number | undefined> {
    return log.read(async (tx) => {
      const end = log.shared === undefined ? position : selectStreamEnd(tx, row, streamOf(row.run_id));
      const due = tasks.firstDue(tx, row, INPUT_TASK, inputKey(row, 'timer_due', ''));
      return (await inOrder(due, Promise.resolve(end))) === position
        ? ((await due) ?? Number.POSITIVE_INFINITY)
        : undefined;
    });
  }

  /** Under the turn of the waiting run. */
  async function together<T>(
    run: Attempt,
    ending: Ending,
    write: WriteEnding<T>,
    { waiter, state, known, callAhead }: CallerOptions & { waiter: Waiter; state: KnownState },
  ): Promise<T> {
    const { row, shape, position } = state;
    const key = stateKey(row, row.run_id);
    const now = clock.now();
    const payload = inputOfWaiter(waiter, endedRun(run), ending, null);
    let timer: Promise<number | undefined> | undefined;
    // What else the run gets meanwhile comes before what it calls next, and a timer before what ends after it.
    const next: CallAhead | undefined =
      callAhead &&
      (async (caller, call) => {
        if (kinds[call.type].traits.isPure !== true) return undefined;
        const firstTimer = await (timer ??= firstTimerOf(state));
        if (firstTimer === undefined || serially.isAwaited(key)) return undefined;
        const called = await callAhead(caller, call);
        return called !== undefined && called.endedAt < firstTimer ? called : undefined;
      });
    // Where deciding fails, the task finds out again.
    const decided = await deciding
      .decide(state, payload, { now, ...(next === undefined ? {} : { callAhead: next }) })
      .catch(() => undefined);
    if (decided === undefined) return write(notifyWaiter);
    const given = { attempt: attemptOf(row), shape, position, before: [], now };
    let recorded: Recorded | undefined;
    /** Of the waiting run's part of the commit. */
    let failure: { error: unknown } | undefined;
    const move = (tellCaller: NotifyWaiter): Promise<T> =>
      write(async (tx, ended, actual, cause) => {
        [recorded, failure] = [undefined, undefined];
        if (!isSameForCaller(actual, ending)) return notifyWaiter(tx, ended, actual, cause, known);
        // The run is not wanted any more.
        if (known === undefined && (await takeWaiter(tx, ended)) === undefined) return;
        try {
          recorded = await recordAll(tx, record, { ...given, cause }, decided);
          await tellOfEnding(tx, row, recorded.ended, tellCaller);
        } catch (error) {
          failure = { error };
          throw error;
        }
      });
    try {
      const last = decided.at(-1)?.decision.ending;
      const written = last === undefined ? await move(notifyWaiter) : await withCaller(attemptOf(row), last, move);
      if (recorded !== undefined) keepMoved(states, state, recorded);
      return written;
    } catch (error) {
      states.drop(key);
      // Where the store itself fails, it gives another error than the work threw.
      if (failure === undefined || failure.error !== error) throw error;
      return write(notifyWaiter);
    }
  }

  const withCaller: WithCaller = async (run, ending, write, options = {}) => {
    if (run.chain.calledBy === undefined) return write(notifyWaiter);
    const waiter = options.known ?? (await log.read((tx) => selectWaiter(tx, endedRun(run))));
    if (waiter === undefined) return write(notifyWaiter);
    const key = stateKey(run, waiter.waiting_run_id);
    const state = states.get(key);
    if (state === undefined || !serially.isFree(key)) return write(notifyWaiter);
    return serially(key, () => together(run, ending, write, { ...options, waiter, state }));
  };
  return withCaller;
}

/** What a run waits for is the output; the record of the ending is not passed on. */
function isSameForCaller(one: Ending, other: Ending): boolean {
  if (one === other) return true;
  return one.status === 'succeeded' && other.status === 'succeeded' && one.output === other.output;
}

function endedRun({ org, playbook, runId: run_id, definition: { type, name } }: Attempt): EndedRun {
  return { org, playbook, run_id, type, name };
}
