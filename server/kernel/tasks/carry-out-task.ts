import type { Clock } from '../../lib/clock.ts';
import { asOwnWork } from '../../lib/own-work.ts';
import type { Store, WriteTransaction } from '../log/index.ts';
import { Refused } from '../../lib/rejection.ts';
import { wait } from './alarm.ts';
import { LeaseLost, retryWait, type Task, type TaskFailure, type TaskHandler, type TaskLease } from './task.ts';
import type { Claim, TaskTable } from './sql.ts';
import { deleteClaimed, isClaimed, postponeClaimed } from './claims-sql.ts';

export interface CarryOutOptions {
  store: Store;
  table: TaskTable;
  clock: Clock;
  handlers: Readonly<Record<string, TaskHandler>>;
  onError: (failure: TaskFailure) => void;
  /** Aborted when the runner stops: a failure that cannot be recorded now is left to the next holder of the claim. */
  signal: AbortSignal;
  /** Aborted when a stop waits no longer for running tasks: they are left as they are, and count no try. Absent: it waits for all. */
  graceOver?: AbortSignal;
  /** Aborted when the lease of the claim's holder is lost: another process may have taken the task over. */
  lost: AbortSignal;
  /** Looks for due tasks at this time. */
  lookAt: (time: number) => void;
  /** Called when the task no longer takes up a place of the lane; not called where it ends first. */
  onPlaceLeft: () => void;
  /** Called when the task begins to wait for a turn. Returns what is called when that is over. */
  onWait: () => () => void;
  /** Aborted once the task was removed or replaced. */
  unwanted: AbortSignal;
}

/** Carries out a claimed task to its end: finished, lost, or to be tried again. Never throws. */
export async function carryOutTask(options: CarryOutOptions, task: Task, claim: Claim): Promise<void> {
  let finished = false;
  const isLeft = (): boolean => options.graceOver?.aborted === true || options.lost.aborted;
  const requireHeld = (): void => {
    if (isLeft()) throw new LeaseLost(task);
  };
  /** The service stops and refuses what the task needs: it is left as a crash would leave it, and counts no try. */
  const isStop = (error: unknown): boolean => options.signal.aborted && isUnavailable(error);
  try {
    const handle = options.handlers[task.kind];
    if (handle === undefined) throw new Error(`Nothing carries out tasks of the kind ${task.kind}.`);
    const settle = async (tx: WriteTransaction): Promise<boolean> => {
      requireHeld();
      const wasHeld = await deleteClaimed(tx, options.table, task, claim);
      tx.afterCommit(() => {
        finished = true;
      });
      return wasHeld;
    };
    const { unwanted, signal: stopping, onWait } = options;
    const lease: TaskLease = {
      settle,
      async require(tx) {
        requireHeld();
        if (!(await isClaimed(tx, options.table, task, claim))) throw new LeaseLost(task);
      },
      async finish(tx) {
        if (!(await settle(tx))) throw new LeaseLost(task);
      },
      leavePlace: options.onPlaceLeft,
      unwanted,
    };
    await asOwnWork({ unwanted, stopping, onWait }, () => handle(task, lease));
    if (!finished) throw new Error(`The handler of ${task.kind} ended without finishing its task.`);
  } catch (error) {
    if (error instanceof LeaseLost || isLeft() || isStop(error)) return;
    if (finished) options.onError({ error, task: withoutPayload(task) });
    else await recordFailure({ ...options, requireHeld }, task, claim, error);
  }
}

/**
 * Until a failed try is recorded, its task counts as being carried out: a full disk slows the runner down. A try that the
 * store refused while its database was away is not counted: that says nothing about the task.
 */
async function recordFailure(
  options: CarryOutOptions & { requireHeld: () => void },
  task: Task,
  claim: Claim,
  error: unknown,
): Promise<void> {
  const { store, clock, signal, onError, lookAt, requireHeld } = options;
  let isCounted = !isRefusedByAbsentStore(store, error);
  for (let failures = 0; ; failures += 1) {
    try {
      const retryAt = clock.now() + retryWait(isCounted ? task.tries : 0);
      const stillOurs = await store.write(task, (tx) => {
        requireHeld();
        return postponeClaimed(tx, options.table, task, claim, { dueAt: retryAt, isCounted });
      });
      if (!stillOurs) return;
      onError({ error, task: withoutPayload(task), retryAt });
      lookAt(retryAt);
      return;
    } catch (storeError) {
      if (storeError instanceof LeaseLost) return;
      const isAway = isRefusedByAbsentStore(store, storeError);
      // The database may have been lost a moment before that was known.
      if (isAway && isUnavailable(error)) isCounted = false;
      const delay = retryWait(isAway ? 0 : failures);
      if (!isAway || failures === 0)
        onError({ error: storeError, task: withoutPayload(task), retryAt: clock.now() + delay });
      await wait(clock, delay, signal);
      if (signal.aborted) return;
    }
  }
}

function isUnavailable(error: unknown): boolean {
  return error instanceof Refused && error.rejection.reason === 'unavailable';
}

/** Whether a store refused because its database, which runs in another process, does not answer. */
function isRefusedByAbsentStore({ standing }: Pick<Store, 'standing'>, error: unknown): boolean {
  return isUnavailable(error) && standing?.isReachable() === false;
}

function withoutPayload({ org, playbook, kind, key, dueAt, tries, deaths }: Task): NonNullable<TaskFailure['task']> {
  return { org, playbook, kind, key, dueAt, tries, deaths };
}
