// Runs the tasks of a queue that are due. Its table owns what is to be done; a runner only holds claims.
import { untilAborted } from '../../lib/deadline.ts';
import { type Holder, holderOf } from '../log/index.ts';
import { type Alarm, createAlarm, createTimer, type Timer } from './alarm.ts';
import { type CarryOutOptions, carryOutTask } from './carry-out-task.ts';
import { claimTasks } from './claim-due-tasks.ts';
import { returnClaims, SUSPECT_DEATHS } from './claims-sql.ts';
import { claimedUntil, createRenewal, type Renewal } from './renewal.ts';
import { createRoom, MOST_CARRIED_OUT, type Room } from './room.ts';
import { createShares } from './shares.ts';
import type { Claim, TaskTable } from './sql.ts';
import { retryWait, type Task } from './task.ts';
import type { Follower, Tasks } from './tasks.ts';
import { createUnwanted, type Unwanted } from './unwanted.ts';

/** How often a runner looks for due tasks where other processes add some, in milliseconds. */
const LOOKED_EVERY = 5000;

export interface TaskRunnerOptions
  extends Pick<CarryOutOptions, 'store' | 'clock' | 'handlers' | 'onError' | 'graceOver'> {
  /** Where tasks are added: the runner wakes when one is. */
  tasks: Tasks;
  /** The queue that it runs; `tasks` when absent. */
  table?: TaskTable;
  /** How many tasks run at once; 200 when absent. */
  most?: number;
  /** Names this start of the process, where no other writes to the store; no other start has the same. */
  holder: string;
  /** True where the store belongs to one process: then the holder of every claim found at the start has died. */
  alone?: boolean;
}

export class TaskRunner {
  readonly #options: TaskRunnerOptions;
  readonly #table: TaskTable;
  readonly #topic: string;
  readonly #holder: () => Holder;
  /** Tasks in progress, those that wait included. */
  readonly #carried = new Map<Task, Promise<void>>();
  /** Those of them that take up room. */
  readonly #working = new Set<Task>();
  readonly #shares = createShares();
  readonly #room: Room;
  readonly #unwanted: Unwanted;
  readonly #stopping = new AbortController();
  /** For due times; the timer for looks that no due time asks for. */
  readonly #alarm: Alarm;
  readonly #timer: Timer;
  /** Absent where a claim lasts as long as the lease of its holder. */
  readonly #renewal: Renewal | undefined;
  #stopFollowing: (() => void) | undefined;
  #looking: Promise<void> | undefined;
  #lookAgain = false;
  #claims = 0;
  #failedClaims = 0;
  /** Due tasks of playbooks that fill their share may have been passed over. */
  #wasLimited = false;
  /** Until the first claiming: the claims of every other holder are those of a process that died. */
  #isFirst: boolean;

  constructor(options: TaskRunnerOptions) {
    const { store, clock, holder, onError, table = 'tasks', most = MOST_CARRIED_OUT } = options;
    this.#options = options;
    this.#table = table;
    this.#topic = `tasks in ${table}`;
    this.#holder = holderOf(store, holder);
    this.#room = createRoom({ most, working: this.#working, carried: this.#carried, shares: this.#shares });
    this.#unwanted = createUnwanted({ table, shared: store.shared });
    this.#alarm = createAlarm(clock, () => this.wake());
    this.#timer = createTimer(clock, () => this.wake());
    this.#renewal = store.shared === undefined ? createRenewal({ store, table, clock, holder, onError }) : undefined;
    this.#isFirst = options.alone === true;
  }

  /** Begins to run due tasks. Called once. */
  start(): void {
    const { store, tasks } = this.#options;
    this.#stopFollowing = tasks.follow(this.#table, this.#follower);
    store.shared?.onAnnounced((announced) => {
      if (announced === this.#topic) this.wake();
      else this.#unwanted.onAnnounced(announced);
    });
    // What became due while the database was away does not wait for the next claiming after a failed one.
    store.standing?.onReachable((isReachable) => {
      if (isReachable) this.wake();
    });
    this.wake();
  }

  /** Looks for due tasks now. */
  wake(): void {
    this.#lookAgain = true;
    if (this.#looking === undefined && this.#mayClaim()) this.#looking = this.#claimWhileDue();
  }

  /** Claims no more, and resolves when all running tasks have ended or the grace is over. The other claims are returned. */
  async stop(): Promise<void> {
    const { store, graceOver, onError } = this.#options;
    this.#stopFollowing?.();
    this.#stopping.abort();
    this.#alarm.callOff();
    this.#timer.callOff();
    await this.#looking;
    const ended = Promise.all(this.#carried.values());
    await (graceOver === undefined ? ended : untilAborted(ended, graceOver));
    await this.#renewal?.end();
    await store
      .write('no playbook', (tx) => returnClaims(tx, this.#table, this.#holder().id))
      .then(
        () => store.shared?.announce(this.#topic),
        (error: unknown) => onError({ error }),
      );
  }

  /** What is added to the queue. */
  readonly #follower: Follower = {
    onAdded: (dueAt) => {
      const { store, clock } = this.#options;
      if (dueAt <= clock.now() && this.#room.toClaim() <= 0) store.shared?.announce(this.#topic);
      this.#lookAt(dueAt);
    },
    claimNow: (tx, playbookKey, dueAt) => {
      const now = this.#options.clock.now();
      const doOthersWait = this.#lookAgain && this.#looking === undefined;
      if (dueAt > now || this.#stopping.signal.aborted || doOthersWait) return undefined;
      if (!this.#room.promise(tx, playbookKey)) return undefined;
      return { claim: this.#newClaim(this.#holder()), until: claimedUntil(this.#options.store, now) };
    },
    onClaimed: (task, claim) => {
      // A claim that is not begun any more is returned at the stop, or freed by the next start.
      const holder = this.#holder();
      if (this.#stopping.signal.aborted || claim.holder !== holder.id) return;
      this.#begin(task, claim, holder);
    },
    onRemoved: (name) => this.#unwanted.onRemoved(name),
  };

  readonly #lookAt = (time: number): void => {
    if (time <= this.#options.clock.now()) this.wake();
    else if (!this.#stopping.signal.aborted) this.#alarm.setFor(time);
  };

  #mayClaim(): boolean {
    return this.#lookAgain && !this.#stopping.signal.aborted && this.#room.toClaim() > 0;
  }

  #newClaim({ id }: Holder): Claim {
    return { holder: id, number: ++this.#claims };
  }

  async #claimWhileDue(): Promise<void> {
    const { store, clock, onError } = this.#options;
    while (this.#mayClaim()) {
      this.#lookAgain = false;
      const count = this.#room.toClaim();
      this.#room.claiming(count);
      try {
        const holder = this.#holder();
        const claim = this.#newClaim(holder);
        const { due, next } = await this.#claim(claim, count);
        this.#room.claiming(0);
        this.#failedClaims = 0;
        this.#isFirst = false;
        if (this.#stopping.signal.aborted) break;
        for (const task of due) this.#begin(task, claim, holder);
        if (due.length === count) this.#lookAgain = true;
        else if (next !== undefined) this.#lookAt(next);
        if (store.shared !== undefined) this.#timer.start(LOOKED_EVERY);
      } catch (error) {
        this.#room.claiming(0);
        const delay = retryWait(this.#failedClaims++);
        onError({ error, retryAt: clock.now() + delay });
        if (!this.#stopping.signal.aborted) this.#timer.start(delay);
      }
    }
    this.#looking = undefined;
  }

  #claim(claim: Claim, count: number): Promise<{ due: Task[]; next: number | undefined }> {
    const { store, clock, tasks } = this.#options;
    return store.write('no playbook', (tx) => {
      const now = clock.now();
      const isFirst = this.#isFirst;
      this.#wasLimited = this.#shares.areLimited();
      return claimTasks(tx, {
        table: this.#table,
        claim,
        now,
        until: claimedUntil(store, now),
        count,
        dead:
          store.shared === undefined
            ? { deadBefore: isFirst ? Number.MAX_SAFE_INTEGER : now, haveDied: isFirst }
            : undefined,
        // A suspect among them may have kept other queues from running theirs.
        onFreed: tasks.wake,
        leftOf: this.#shares.leftOf,
        areLimited: this.#wasLimited,
      });
    });
  }

  #begin(task: Task, claim: Claim, holder: Holder): void {
    this.#working.add(task);
    this.#carried.set(task, this.#carryOut(task, claim, holder));
    this.#renewal?.keep();
  }

  async #carryOut(task: Task, claim: Claim, { lost }: Holder): Promise<void> {
    const end = this.#shares.begin(task);
    const watched = this.#unwanted.watch(task);
    const { signal } = this.#stopping;
    const onPlaceLeft = (): void => this.#leaveRoom(task);
    const onWait = (): (() => void) => this.#wait(task);
    const own = {
      signal,
      unwanted: watched.signal,
      lost,
      table: this.#table,
      lookAt: this.#lookAt,
      onPlaceLeft,
      onWait,
    };
    await carryOutTask({ ...this.#options, ...own }, task, claim);
    this.#carried.delete(task);
    watched.end();
    end();
    if (this.#carried.size === 0) this.#renewal?.pause();
    if (this.#wasLimited) this.#lookAgain = true;
    this.#leaveRoom(task);
    if (task.deaths === SUSPECT_DEATHS) this.#options.tasks.wake();
  }

  #leaveRoom(task: Task): void {
    this.#working.delete(task);
    if (this.#lookAgain) this.wake();
  }

  /** A task in progress waits for a turn. Returns what ends the wait. */
  #wait(task: Task): () => void {
    const end = this.#shares.wait();
    this.#leaveRoom(task);
    return () => {
      end();
      // An abandoned execution may wait longer than its task.
      if (this.#carried.has(task)) this.#working.add(task);
      if (this.#wasLimited) this.wake();
    };
  }
}
