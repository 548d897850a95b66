// Carries out tasks that are due. The table owns what is to be done; a runner only holds claims on it.
//
// 1. A task is carried out at its due time or later, never before.
// 2. A claim is held by one runner until it is finished, given back, or expired and taken over. Its number is
//    the fence: whoever lost the claim cannot finish it, so that a late one is dropped with all it did.
// 3. What a handler did and the removal of its task are one commit, in the handler's own transaction. So each
//    task is done once, unless its handler throws or its process dies: then it is tried again, and counted.
// 4. A claim is renewed while its task is carried out, also one that expired while the process slept.
// 5. Bounded: CLAIMED_AT_ONCE a claiming, MOST_CARRIED_OUT at a time, whatever is due.
import type { Clock } from '../clock.ts';
import type { Store, WriteTransaction } from '../log/index.ts';
import { createAlarm } from './alarm.ts';
import { carryOutTask } from './carry-out-task.ts';
import { claimDueTasks } from './claim-due-tasks.ts';
import { createRenewal, LEASE } from './renewal.ts';
import { retryWait } from './retry-wait.ts';
import { type Claim, freeDeadClaims, returnClaims, selectNextTime } from './sql.ts';
import type { Task, TaskFailure, TaskHandler } from './task.ts';
import type { Tasks } from './tasks.ts';

const CLAIMED_AT_ONCE = 100;
const MOST_CARRIED_OUT = 200;

export interface TaskRunnerOptions {
  store: Store;
  clock: Clock;
  /** Where tasks are added: the runner wakes when one is. */
  tasks: Tasks;
  /** Names this start of the process; no other start, and no other runner, has the same. */
  holder: string;
  handlers: Readonly<Record<string, TaskHandler>>;
  onError: (failure: TaskFailure) => void;
  /** True where the store belongs to one process: then every claim of another holder is dead at the start. */
  alone?: boolean;
}

export interface TaskRunner {
  /** Begins to carry out what is due. Called once. */
  start(): void;
  /** Looks for due tasks now. */
  wake(): void;
  /** Claims no more and answers when all that was being carried out has ended; the rest is given back. */
  stop(): Promise<void>;
}

export function createTaskRunner(options: TaskRunnerOptions): TaskRunner {
  const { store, clock, tasks, holder, onError } = options;
  const carried = new Map<Task, Promise<void>>();
  const stopping = new AbortController();
  const alarm = createAlarm(clock, look);
  const renewal = createRenewal({ store, clock, holder, onError });
  let stopFollowing: (() => void) | undefined;
  let looking: Promise<void> | undefined;
  let lookAgain = false;
  let claims = 0;
  let failedClaims = 0;
  let deadBefore = options.alone === true ? Number.MAX_SAFE_INTEGER : 0;

  function lookAt(time: number): void {
    if (time <= clock.now()) look();
    else if (!stopping.signal.aborted) alarm.setFor(time);
  }

  function look(): void {
    lookAgain = true;
    if (looking === undefined && mayClaim()) looking = claimWhileDue();
  }

  function mayClaim(): boolean {
    return lookAgain && !stopping.signal.aborted && carried.size + CLAIMED_AT_ONCE <= MOST_CARRIED_OUT;
  }

  async function claimWhileDue(): Promise<void> {
    while (mayClaim()) {
      lookAgain = false;
      try {
        const claim = { holder, number: ++claims };
        const { due, next } = await store.write((tx) => claimIn(tx, claim));
        failedClaims = 0;
        deadBefore = 0;
        if (stopping.signal.aborted) break;
        for (const task of due) carried.set(task, carryOut(task, claim));
        if (carried.size > 0) renewal.keep();
        if (due.length === CLAIMED_AT_ONCE) lookAgain = true;
        else if (next !== undefined) lookAt(next);
      } catch (error) {
        const retryAt = clock.now() + retryWait(failedClaims++);
        onError({ error, retryAt });
        lookAt(retryAt);
      }
    }
    looking = undefined;
  }

  async function claimIn(tx: WriteTransaction, claim: Claim): Promise<{ due: Task[]; next: number | undefined }> {
    const now = clock.now();
    await freeDeadClaims(tx, holder, Math.max(deadBefore, now));
    const due = await claimDueTasks(tx, { claim, now, until: now + LEASE, limit: CLAIMED_AT_ONCE });
    return { due, next: due.length < CLAIMED_AT_ONCE ? await selectNextTime(tx, holder) : undefined };
  }

  async function carryOut(task: Task, claim: Claim): Promise<void> {
    await carryOutTask({ ...options, signal: stopping.signal, lookAt }, task, claim);
    carried.delete(task);
    if (carried.size === 0) renewal.pause();
    if (lookAgain) look();
  }

  return {
    start() {
      stopFollowing = tasks.onAdded(lookAt);
      look();
    },
    wake: look,
    async stop() {
      stopFollowing?.();
      stopping.abort();
      alarm.callOff();
      await looking;
      await Promise.all(carried.values());
      await renewal.end();
      await store.write((tx) => returnClaims(tx, holder)).catch((error: unknown) => onError({ error }));
    },
  };
}
