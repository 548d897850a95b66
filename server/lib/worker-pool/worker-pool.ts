// A pool of worker threads for work that must not block the main thread (docs/decisions/main-thread.md).
// 1. Jobs never run on the main thread. A worker runs one job at a time; fair-queue.ts decides which job is next.
// 2. Workers start on demand, and may end when they are idle. A job is assigned only to a worker that has started.
// 3. Short jobs may be assigned in advance, and are withdrawn before they begin while another worker is idle.
// 4. A deadline counts the worker's processor time. After it, the job is 'late' and its worker is terminated and replaced.
// 5. A worker that exits by itself is also replaced: only its running job is 'lost'.
// 6. A request that waits too long is 'busy', one whose caller disconnected 'dropped'. The runtime's own work waits without a limit.
// 7. If workers repeatedly fail to start, the waiting jobs are rejected. The next job tries again.
// 8. If the pool has more than one worker, owners of long or unknown jobs leave one worker to the others.
// 9. Closing terminates every worker and rejects every job, including running ones.
import type { ResourceLimits } from 'node:worker_threads';
import { ownWork } from '../own-work.ts';
import { unavailable } from '../rejection.ts';
import { FairQueue, type Owner, type Queued } from './fair-queue.ts';
import { type Exit, WorkerSlot } from './worker-slot.ts';

export interface JobOptions {
  /** The owner of the job, for fair scheduling. */
  owner?: Owner | undefined;
  /** The maximum wait of a request for a worker, in milliseconds; unlimited if absent. */
  waitMs?: number | undefined;
  /** Aborted when the caller no longer waits for the answer. */
  signal?: AbortSignal | undefined;
}

/** The answer, or: the deadline passed, the worker exited, no worker was free in time, the caller disconnected. */
export type JobOutcome<Answer extends object> = Answer | 'late' | 'lost' | 'busy' | 'dropped';

export interface WorkerPoolOptions<Job> {
  /** Used in errors, for example `sandbox`. */
  name: string;
  /** The workers' script, which calls `serveJobs`. */
  script: URL;
  /** The value that workers read with `workerInput`; created before the first worker starts. */
  data?: () => Promise<unknown>;
  size: number;
  /** The maximum processor time of a job, in milliseconds from its start. */
  deadlineMs: (job: Job) => number;
  /** The maximum number of jobs of a worker, including the running one. */
  mostHanded?: number;
  limits: ResourceLimits;
  /** Workers that have been idle for so many milliseconds are ended, except for the kept ones; absent: all are kept. */
  idle?: { ms: number; kept: number };
}

/** Long enough that someone who saves again and again rarely waits for a new worker, which takes about 0.1 s. */
export const IDLE_MS = 10_000;

interface WaitingJob<Job, Answer extends object> extends Queued {
  job: Job;
  settle: (outcome: JobOutcome<Answer>) => void;
  reject: (error: Error) => void;
}

const MOST_FAILED_STARTS = 5;
/** The time left for a running job whose caller disconnected: most jobs end before a new worker would start. */
const DROPPED_MS = 100;
/** Jobs that are expected to take longer leave one worker to the others. */
const LONG_MS = 500;
/** The total time of jobs assigned in advance: as long as a commit may occupy the main thread. */
const EAGER_MS = 50;

type Slot<Job, Answer extends object> = WorkerSlot<Job, Answer, WaitingJob<Job, Answer>>;

export class WorkerPool<Job, Answer extends object> {
  readonly #options: WorkerPoolOptions<Job>;
  readonly #mostHanded: number;
  readonly #slots = new Set<Slot<Job, Answer>>();
  readonly #queue = new FairQueue<WaitingJob<Job, Answer>>(() => performance.now());
  #arrivals = 0;
  #data: Promise<unknown> | undefined;
  #isStarting = false;
  #failedStarts = 0;
  #isHandingSoon = false;
  #isClosed = false;
  #idleTimer: NodeJS.Timeout | undefined;

  constructor(options: WorkerPoolOptions<Job>) {
    this.#options = options;
    this.#mostHanded = options.mostHanded ?? 1;
  }

  /**
   * Runs a job in a worker.
   * @throws Refused `unavailable` if the pool is closed; Error if no worker can start
   */
  run(job: Job, jobOptions: JobOptions = {}): Promise<JobOutcome<Answer>> {
    if (this.#isClosed) return Promise.reject(stopping());
    if (jobOptions.signal?.aborted === true) return Promise.resolve('dropped');
    return this.#enqueue(job, jobOptions);
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#idleTimer);
    this.#rejectWaiting(stopping());
    await Promise.all([...this.#slots].map((slot) => slot.close()));
  }

  /** Starts workers until there is one for each job, or the pool is complete. */
  async #startWorkers(): Promise<void> {
    if (this.#isStarting) return;
    this.#isStarting = true;
    try {
      this.#data ??= this.#options.data?.();
      const workerData = await this.#data;
      while (!this.#isClosed && this.#slots.size < Math.min(this.#options.size, this.#outstanding()))
        this.#startWorker(workerData);
    } catch (error) {
      this.#data = undefined;
      this.#rejectWaiting(error instanceof Error ? error : new Error(String(error)));
    } finally {
      this.#isStarting = false;
    }
  }

  #outstanding(): number {
    let count = this.#queue.size;
    for (const slot of this.#slots) count += slot.count;
    return count;
  }

  #startWorker(workerData: unknown): void {
    const slot: Slot<Job, Answer> = new WorkerSlot<Job, Answer, WaitingJob<Job, Answer>>({
      script: this.#options.script,
      data: workerData,
      limits: this.#options.limits,
      deadlineMs: this.#options.deadlineMs,
      onReady: () => {
        this.#failedStarts = 0;
        this.#handOut();
        if (slot.count === 0) this.#endIdleLater();
      },
      onAnswer: (entry, answer, tookMs) => {
        this.#queue.ended(entry, tookMs);
        entry.settle(answer);
        this.#handOut();
        if (slot.count === 0) this.#endIdleLater();
      },
      onExit: (exit) => this.#replace(slot, exit),
    });
    this.#slots.add(slot);
  }

  #replace(slot: Slot<Job, Answer>, { hadStarted, ended, back }: Exit<WaitingJob<Job, Answer>>): void {
    this.#slots.delete(slot);
    this.#queue.putBack(back);
    if (this.#isClosed) {
      ended?.entry.reject(stopping());
      return this.#rejectWaiting(stopping());
    }
    if (ended !== undefined) {
      this.#queue.ended(ended.entry, ended.tookMs);
      ended.entry.settle(ended.how);
    }
    if (!hadStarted) this.#failedStarts += 1;
    if (this.#failedStarts > MOST_FAILED_STARTS) {
      this.#failedStarts = 0;
      this.#rejectWaiting(new Error(`The ${this.#options.name} cannot start its workers.`));
    }
    this.#handOut();
    if (this.#outstanding() > 0) void this.#startWorkers();
  }

  /** One timer for the pool: it runs at most once in the time that a worker may be idle. */
  #endIdleLater(): void {
    const { idle } = this.#options;
    if (idle === undefined || this.#idleTimer !== undefined || this.#slots.size <= idle.kept) return;
    this.#idleTimer = setTimeout(() => {
      this.#idleTimer = undefined;
      this.#endIdle(idle);
    }, idle.ms).unref();
  }

  #endIdle({ ms, kept }: { ms: number; kept: number }): void {
    const ready = [...this.#slots].filter(({ state }) => state === 'ready');
    const ended = ready
      .filter((slot) => slot.count === 0 && slot.idleMs() >= ms)
      .slice(0, Math.max(0, ready.length - kept));
    for (const slot of ended) void slot.close();
    if (ended.length < ready.length) this.#endIdleLater();
  }

  #hasIdleWorker(): boolean {
    for (const { state, count } of this.#slots) if (state === 'ready' && count === 0) return true;
    return false;
  }

  /** Jobs that arrive together for busy workers are sent together, because each message costs a wake-up. */
  #handOutSoon(): void {
    if (this.#isHandingSoon) return;
    this.#isHandingSoon = true;
    setImmediate(() => {
      this.#isHandingSoon = false;
      this.#handOut();
    });
  }

  #handOut(): void {
    const idleFirst = [...this.#slots].toSorted((a, b) => a.count - b.count);
    for (const slot of idleFirst) {
      const { state, count } = slot;
      if (state !== 'ready' || count * 2 > this.#mostHanded) continue;
      let entries = this.#takeFor(slot);
      if (entries.length === 0 && count === 0) {
        this.#withdrawFrom(idleFirst.at(-1));
        entries = this.#takeFor(slot);
      }
      if (entries.length > 0) slot.hand(entries);
      if (this.#queue.size === 0 && count > 0) return;
    }
  }

  /** Takes the next jobs for a worker from the queue. */
  #takeFor(slot: Slot<Job, Answer>): WaitingJob<Job, Answer>[] {
    const held = slot.held();
    const most = Math.min(Math.ceil(this.#queue.size / this.#slots.size), this.#mostHanded - held.length);
    const taken: WaitingJob<Job, Answer>[] = [];
    let eagerMs = held.reduce((sum, { expectedMs }) => sum + (expectedMs ?? Number.POSITIVE_INFINITY), 0);
    while (taken.length < most) {
      const isIdle = held.length + taken.length === 0;
      const entry = this.#queue.next((ms) =>
        isIdle ? this.#mayBegin(ms) : eagerMs + (ms ?? EAGER_MS + 1) <= EAGER_MS,
      );
      if (entry === undefined) break;
      eagerMs += entry.expectedMs ?? Number.POSITIVE_INFINITY;
      taken.push(entry);
    }
    return taken;
  }

  #mayBegin(expectedMs: number | undefined): boolean {
    if (!isLong(expectedMs)) return true;
    const long = [...this.#slots].filter((slot) => {
      const [first] = slot.held();
      return first !== undefined && (isLong(first.expectedMs) || slot.runningMs() > LONG_MS);
    });
    return long.length < Math.max(1, this.#options.size - 1);
  }

  /** Withdraws the jobs that a worker has not begun, if it has more than one job. */
  #withdrawFrom(slot: Slot<Job, Answer> | undefined): void {
    if (slot !== undefined && slot.count > 1) this.#queue.putBack(slot.takeBack());
  }

  /** Removes a job from the queue; returns false if a worker has begun it. */
  #takeOut(entry: WaitingJob<Job, Answer>, outcome: 'busy' | 'dropped'): boolean {
    const slot = this.#slotOf(entry);
    if (slot !== undefined) this.#queue.putBack(slot.takeBack());
    const isOut = this.#queue.remove(entry);
    if (isOut) entry.settle(outcome);
    if (slot !== undefined) this.#handOut();
    return isOut;
  }

  #slotOf(entry: WaitingJob<Job, Answer>): Slot<Job, Answer> | undefined {
    return [...this.#slots].find((slot) => slot.held().includes(entry));
  }

  /** Terminates the worker that runs a job whose caller disconnected. */
  #endFor(entry: WaitingJob<Job, Answer>): void {
    const slot = this.#slotOf(entry);
    if (slot?.state === 'ready' && slot.running() === entry) slot.terminate(entry);
  }

  #rejectWaiting(error: Error): void {
    for (const { reject } of this.#queue.clear()) reject(error);
  }

  #enqueue(job: Job, { owner, waitMs, signal }: JobOptions): Promise<JobOutcome<Answer>> {
    return new Promise((resolve, reject) => {
      const isLimited = waitMs !== undefined && ownWork() === undefined;
      let timer = isLimited ? setTimeout(() => void this.#takeOut(entry, 'busy'), waitMs) : undefined;
      const drop = (): void => {
        clearTimeout(timer);
        if (this.#takeOut(entry, 'dropped')) return;
        timer = setTimeout(() => this.#takeOut(entry, 'dropped') || this.#endFor(entry), DROPPED_MS);
      };
      const leave = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', drop);
      };
      this.#arrivals += 1;
      const entry: WaitingJob<Job, Answer> = {
        job,
        owner: ownWork() === undefined ? owner : ownerOfOwnWork(owner),
        arrival: this.#arrivals,
        expectedMs: undefined,
        settle(outcome) {
          leave();
          resolve(outcome === 'late' && signal?.aborted === true ? 'dropped' : outcome);
        },
        reject(error) {
          leave();
          reject(error);
        },
      };
      signal?.addEventListener('abort', drop);
      this.#queue.add(entry);
      if (this.#slots.size < this.#options.size) void this.#startWorkers();
      if (this.#hasIdleWorker()) this.#handOut();
      else this.#handOutSoon();
    });
  }
}

/** Requests do not wait behind all of what the runtime does for the same owner. */
function ownerOfOwnWork([group, member]: Owner = ['', '']): Owner {
  return [group, `own work ${member}`];
}

function isLong(expectedMs: number | undefined): boolean {
  return expectedMs === undefined || expectedMs > LONG_MS;
}

function stopping(): Error {
  return unavailable('The service is stopping; try again once it is running.', { retryAfter: 5 });
}
