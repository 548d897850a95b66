// Runs tasks that are due. The table owns what is to be done; a runner only holds claims on it (docs/decisions/tasks.md).
// 1. A task runs at its due time or later, never before.
// 2. A claim is held by one runner until it is finished, returned, or expired and taken over. Its number fences off a late finish.
// 3. What a handler did and the removal of its task are one commit. If the handler throws or the process dies, the task is tried again.
// 4. A claim is renewed while its task runs, also one that expired while the process slept.
// 5. A task that is due when it is added is claimed in the same commit where the runner has room.
// 6. A stop waits until its grace is over. What has not ended then is returned, and no try is counted.
// 7. A task with which two processes died is a suspect. Suspects run one at a time; after a third death, `sparing` handlers end it.
// 8. So many tasks run at a time, whatever is due (room.ts). One that waits for a turn (shares.ts) or its commit takes no room.
// 9. No task waits forever: while due tasks wait for room, those that are added wait behind them.
// 10. Where processes share the store, a claim lasts as long as the lease of its holder (shared-store.ts, take-over.ts).
import type { Clock } from '../../lib/clock.ts';
import { untilAborted } from '../../lib/deadline.ts';
import { type Holder, holderOf, type PlaybookKey, type Store, type WriteTransaction } from '../log/index.ts';
import { createAlarm, createTimer } from './alarm.ts';
import { carryOutTask } from './carry-out-task.ts';
import { claimDueTasks, claimSuspect } from './claim-due-tasks.ts';
import { createRenewal, LEASE } from './renewal.ts';
import { createRoom, MOST_CARRIED_OUT } from './room.ts';
import { createShares } from './shares.ts';
import { createUnwanted } from './unwanted.ts';
import { retryWait, type Task, type TaskFailure, type TaskHandler } from './task.ts';
import { type Claim, freeDeadClaims, returnClaims, selectNextTime, SUSPECT_DEATHS, type TaskTable } from './sql.ts';
import type { Tasks } from './tasks.ts';

export {
  retryWait,
  isUnworkable,
  LeaseLost,
  type NewTask,
  limitingDeaths,
  type Task,
  type TaskFailure,
  type TaskHandler,
  type TaskLease,
} from './task.ts';
export { readBacklog } from './backlog.ts';
export { taskMigrations, type TaskTable } from './sql.ts';
export { freeExpiredClaims, readClaimants } from './take-over.ts';
export { createTasks, type Tasks } from './tasks.ts';

/** How often a runner looks for due tasks where other processes add some, in milliseconds. */
const LOOKED_EVERY = 5000;

export interface TaskRunnerOptions {
  store: Store;
  clock: Clock;
  /** Where tasks are added: the runner wakes when one is. */
  tasks: Tasks;
  /** The lane that it works on; `tasks` when absent. */
  table?: TaskTable;
  /** How many tasks work at once; 200 when absent. */
  most?: number;
  /** Names this start of the process, where no other writes to the store; no other start has the same. */
  holder: string;
  handlers: Readonly<Record<string, TaskHandler>>;
  onError: (failure: TaskFailure) => void;
  /** True where the store belongs to one process: then the holder of every claim found at the start has died. */
  alone?: boolean;
  /** Aborted when a stop waits no longer for what is carried out; absent: it waits until all has ended. */
  graceOver?: AbortSignal;
}

export interface TaskRunner {
  /** Begins to carry out what is due. Called once. */
  start(): void;
  /** Looks for due tasks now. */
  wake(): void;
  /** Claims no more and answers when all that was being carried out has ended or the grace is over; the rest is given back. */
  stop(): Promise<void>;
}

export function createTaskRunner(options: TaskRunnerOptions): TaskRunner {
  const { store, clock, tasks, onError, table = 'tasks', most = MOST_CARRIED_OUT } = options;
  const { shared } = store;
  const holderNow = holderOf(store, options.holder);
  const carried = new Map<Task, Promise<void>>();
  /** Those of them that work: each takes up a place. */
  const working = new Set<Task>();
  const shares = createShares();
  const room = createRoom({ most, working, carried, shares });
  const unwanted = createUnwanted({ table, shared });
  const stopping = new AbortController();
  /** For due times. */
  const alarm = createAlarm(clock, look);
  /** For looks that no due time asks for. */
  const timer = createTimer(clock, look);
  // A claim that lasts as long as its holder's lease is not renewed by itself.
  const renewal =
    shared === undefined ? createRenewal({ store, table, clock, holder: options.holder, onError }) : undefined;
  const claimedUntil = (now: number): number => (shared === undefined ? now + LEASE : Number.MAX_SAFE_INTEGER);
  const topic = `tasks in ${table}`;
  let stopFollowing: (() => void) | undefined;
  let looking: Promise<void> | undefined;
  let lookAgain = false;
  let claims = 0;
  let failedClaims = 0;
  /** Due tasks of playbooks that fill their share may have been passed over. */
  let wasLimited = false;
  /** Until the first claiming: the claims of every other holder are those of a process that died. */
  let isFirst = options.alone === true;

  function lookAt(time: number): void {
    if (time <= clock.now()) look();
    else if (!stopping.signal.aborted) alarm.setFor(time);
  }

  function lookAfter(milliseconds: number): void {
    if (!stopping.signal.aborted) timer.start(milliseconds);
  }

  function look(): void {
    lookAgain = true;
    if (looking === undefined && mayClaim()) looking = claimWhileDue();
  }

  function mayClaim(): boolean {
    return lookAgain && !stopping.signal.aborted && room.toClaim() > 0;
  }

  async function claimWhileDue(): Promise<void> {
    while (mayClaim()) {
      lookAgain = false;
      const count = room.toClaim();
      room.claiming(count);
      try {
        const holder = holderNow();
        const claim = { holder: holder.id, number: ++claims };
        const { due, next } = await store.write('no playbook', (tx) => claimIn(tx, claim, count));
        room.claiming(0);
        failedClaims = 0;
        isFirst = false;
        if (stopping.signal.aborted) break;
        for (const task of due) begin(task, claim, holder);
        if (due.length === count) lookAgain = true;
        else if (next !== undefined) lookAt(next);
        if (shared !== undefined) lookAfter(LOOKED_EVERY);
      } catch (error) {
        room.claiming(0);
        const delay = retryWait(failedClaims++);
        onError({ error, retryAt: clock.now() + delay });
        lookAfter(delay);
      }
    }
    looking = undefined;
  }

  async function claimIn(
    tx: WriteTransaction,
    claim: Claim,
    count: number,
  ): Promise<{ due: Task[]; next: number | undefined }> {
    const now = clock.now();
    const { holder } = claim;
    const dead = { deadBefore: isFirst ? Number.MAX_SAFE_INTEGER : now, haveDied: isFirst };
    // A suspect among them may have kept other lanes from carrying out theirs.
    if (shared === undefined && (await freeDeadClaims(tx, table, holder, dead))) tx.afterCommit(tasks.wake);
    const until = claimedUntil(now);
    const suspect = await claimSuspect(tx, table, { claim, until });
    const limit = suspect === undefined ? count : count - 1;
    wasLimited = shares.areLimited();
    const due = await claimDueTasks(tx, table, { claim, now, until, limit, leftOf: shares.leftOf });
    if (suspect !== undefined) due.unshift(suspect);
    if (due.length === count) return { due, next: undefined };
    return { due, next: await selectNextTime(tx, table, holder, wasLimited ? now : Number.MIN_SAFE_INTEGER) };
  }

  function claimNow(
    tx: WriteTransaction,
    playbookKey: PlaybookKey,
    dueAt: number,
  ): { claim: Claim; until: number } | undefined {
    const now = clock.now();
    const doOthersWait = lookAgain && looking === undefined;
    if (dueAt > now || stopping.signal.aborted || doOthersWait || !room.promise(tx, playbookKey)) return undefined;
    return { claim: { holder: holderNow().id, number: ++claims }, until: claimedUntil(now) };
  }

  function onClaimed(task: Task, claim: Claim): void {
    // A claim that is not begun any more is given back at the stop, or found dead by the next start.
    const holder = holderNow();
    if (stopping.signal.aborted || claim.holder !== holder.id) return;
    begin(task, claim, holder);
  }

  function onAdded(dueAt: number): void {
    if (dueAt <= clock.now() && room.toClaim() <= 0) shared?.announce(topic);
    lookAt(dueAt);
  }

  function begin(task: Task, claim: Claim, holder: Holder): void {
    working.add(task);
    carried.set(task, carryOut(task, claim, holder));
    renewal?.keep();
  }

  function leavePlace(task: Task): void {
    working.delete(task);
    if (lookAgain) look();
  }

  function wait(task: Task): () => void {
    const end = shares.wait();
    leavePlace(task);
    return () => {
      end();
      // Work that was abandoned may wait longer than its task.
      if (carried.has(task)) working.add(task);
      if (wasLimited) look();
    };
  }

  async function carryOut(task: Task, claim: Claim, { lost }: Holder): Promise<void> {
    const end = shares.begin(task);
    const watched = unwanted.watch(task);
    const onPlaceLeft = (): void => leavePlace(task);
    const onWait = (): (() => void) => wait(task);
    const own = { signal: stopping.signal, unwanted: watched.signal, lost, table, lookAt, onPlaceLeft, onWait };
    await carryOutTask({ ...options, ...own }, task, claim);
    carried.delete(task);
    watched.end();
    end();
    if (carried.size === 0) renewal?.pause();
    if (wasLimited) lookAgain = true;
    leavePlace(task);
    if (task.deaths === SUSPECT_DEATHS) tasks.wake();
  }

  return {
    start() {
      stopFollowing = tasks.follow(table, { onAdded, claimNow, onClaimed, onRemoved: unwanted.onRemoved });
      shared?.onAnnounced((announced) => {
        if (announced === topic) look();
        else unwanted.onAnnounced(announced);
      });
      // What became due while the database was away does not wait for the next claiming after a failed one.
      store.standing?.onReachable((isReachable) => {
        if (isReachable) look();
      });
      look();
    },
    wake: look,
    async stop() {
      stopFollowing?.();
      stopping.abort();
      alarm.callOff();
      timer.callOff();
      await looking;
      const ended = Promise.all(carried.values());
      await (options.graceOver === undefined ? ended : untilAborted(ended, options.graceOver));
      await renewal?.end();
      await store
        .write('no playbook', (tx) => returnClaims(tx, table, holderNow().id))
        .then(
          () => shared?.announce(topic),
          (error: unknown) => onError({ error }),
        );
    },
  };
}
