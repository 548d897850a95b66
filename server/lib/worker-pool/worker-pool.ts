// A pool of worker threads for work that must not hold the main thread.
//
// 1. The main thread never carries out a job. A worker carries out one job at a time. Jobs without an owner start in
//    the order in which they arrive; among owners, the one that used the least lately comes first (fair-queue.ts).
// 2. Workers start when jobs need them, at most as many as the pool's size, and stay. A job is handed only to a worker
//    that has started, so that starting counts against no deadline. A worker without a job does not keep the process
//    alive.
// 3. A worker may be handed several jobs in advance, so that it has work while the main thread is busy. The pool
//    withdraws those that the worker has not begun: no job waits behind another one while a worker is idle. Only jobs
//    that are expected to be short are handed in advance.
// 4. A job's deadline starts when the job begins, and again when its worker asks for another one. Only time in which the
//    worker has the processor counts, up to ten deadlines: a busy machine makes no job late. Past the deadline the worker
//    is terminated and replaced: its job is 'late', and every other job it was handed is carried out elsewhere.
// 5. A worker that ends by itself (out of memory, for example) is replaced too: its job is 'lost', and no other one.
// 6. A job that waited too long for a worker leaves the queue as 'busy', one whose caller left as 'dropped', also where
//    a worker was handed it in advance. A job that already runs for a caller who left is terminated soon after.
// 7. When workers repeatedly fail to start, the jobs that wait are rejected. The next job tries again.
// 8. Jobs of owners that are expected to be long, because their last ones were or nothing is known of them, leave one
//    worker to the others, where the pool has more than one.
// 9. Closing terminates every worker and rejects every job, those that run included.
import type { ResourceLimits } from 'node:worker_threads';
import { unavailable } from '../rejection.ts';
import { createFairQueue, type Owner, type Queued } from './fair-queue.ts';
import { type Exit, startWorkerSlot, type WorkerSlot } from './worker-slot.ts';

export interface WorkerPool<Job, Answer extends object> {
  /**
   * Carries out a job in a worker.
   * @throws Refused `unavailable` when the pool is closed; Error when no worker can start
   */
  carryOut(job: Job, options?: JobOptions): Promise<JobOutcome<Answer>>;
  close(): Promise<void>;
}

export interface JobOptions {
  /** Whose turn the job takes. */
  owner?: Owner | undefined;
  /** The longest wait for a worker, in milliseconds. Absent: there is no bound. */
  waitMs?: number | undefined;
  /** Aborted when the caller no longer waits for the answer. */
  signal?: AbortSignal | undefined;
}

/** The answer, or: the deadline passed, the worker ended by itself, no worker was free in time, the caller left. */
export type JobOutcome<Answer extends object> = Answer | 'late' | 'lost' | 'busy' | 'dropped';

export interface WorkerPoolOptions<Job> {
  /** For errors, for example `sandbox`. */
  name: string;
  /** The workers' script, which calls `serveJobs`. */
  script: URL;
  /** What each worker reads with `workerInput`; made before the first one starts. */
  data?: () => Promise<unknown>;
  size: number;
  /** How much processor time a job may take, in milliseconds from its beginning. */
  deadlineMs: (job: Job) => number;
  /** The most jobs that a worker holds, including the one it carries out. */
  mostHanded?: number;
  limits: ResourceLimits;
}

interface WaitingJob<Job, Answer extends object> extends Queued {
  job: Job;
  settle: (outcome: JobOutcome<Answer>) => void;
  reject: (error: Error) => void;
}

const MOST_FAILED_STARTS = 5;
/** How long a running job whose caller left may still take: most end sooner than another worker would start. */
const DROPPED_MS = 100;
/** A job that is expected to take longer leaves one worker to the others. */
const LONG_MS = 500;
/** What a worker may be handed in advance, all in all: as long as the main thread may be busy with a commit. */
const AHEAD_MS = 50;

export function createWorkerPool<Job, Answer extends object>(options: WorkerPoolOptions<Job>): WorkerPool<Job, Answer> {
  type Entry = WaitingJob<Job, Answer>;
  type Slot = WorkerSlot<Entry>;
  const { name, script, size, deadlineMs, mostHanded = 1, limits } = options;
  const slots = new Set<Slot>();
  const queue = createFairQueue<Entry>(() => performance.now());
  let arrivals = 0;
  let data: Promise<unknown> | undefined;
  let isStarting = false;
  let failedStarts = 0;
  let isHandingSoon = false;
  let isClosed = false;

  /** Starts workers until there is one for each job, or as many as there may be. */
  async function startWorkers(): Promise<void> {
    if (isStarting) return;
    isStarting = true;
    try {
      data ??= options.data?.();
      const given = await data;
      while (!isClosed && slots.size < Math.min(size, outstanding())) startWorker(given);
    } catch (error) {
      data = undefined;
      rejectWaiting(error instanceof Error ? error : new Error(String(error)));
    } finally {
      isStarting = false;
    }
  }

  function outstanding(): number {
    let count = queue.size;
    for (const slot of slots) count += slot.count;
    return count;
  }

  function startWorker(given: unknown): void {
    const slot: Slot = startWorkerSlot<Job, Answer, Entry>({
      script,
      data: given,
      limits,
      deadlineMs,
      onReady() {
        failedStarts = 0;
        handOut();
      },
      onAnswer(entry, answer, tookMs) {
        queue.ended(entry, tookMs);
        entry.settle(answer);
        handOut();
      },
      onExit: (exit) => replace(slot, exit),
    });
    slots.add(slot);
  }

  function replace(slot: Slot, { hadStarted, ended, back }: Exit<Entry>): void {
    slots.delete(slot);
    queue.putBack(back);
    if (isClosed) {
      ended?.entry.reject(stopping());
      return rejectWaiting(stopping());
    }
    if (ended !== undefined) {
      queue.ended(ended.entry, ended.tookMs);
      ended.entry.settle(ended.how);
    }
    if (!hadStarted) failedStarts += 1;
    if (failedStarts > MOST_FAILED_STARTS) {
      failedStarts = 0;
      rejectWaiting(new Error(`The ${name} cannot start its workers.`));
    }
    handOut();
    if (outstanding() > 0) void startWorkers();
  }

  function hasIdleWorker(): boolean {
    for (const { state, count } of slots) if (state === 'ready' && count === 0) return true;
    return false;
  }

  /** Jobs that arrive together for workers that are busy are handed together: each message costs a wake-up. */
  function handOutSoon(): void {
    if (isHandingSoon) return;
    isHandingSoon = true;
    setImmediate(() => {
      isHandingSoon = false;
      handOut();
    });
  }

  function handOut(): void {
    const idleFirst = [...slots].toSorted((a, b) => a.count - b.count);
    for (const slot of idleFirst) {
      const { state, count } = slot;
      if (state !== 'ready' || count * 2 > mostHanded) continue;
      let taken = takeFor(slot);
      if (taken.length === 0 && count === 0) {
        withdrawFrom(idleFirst.at(-1));
        taken = takeFor(slot);
      }
      if (taken.length > 0) slot.hand(taken);
      if (queue.size === 0 && count > 0) return;
    }
  }

  /** Takes the jobs out of the queue that the worker gets now. */
  function takeFor(slot: Slot): Entry[] {
    const held = slot.held();
    const most = Math.min(Math.ceil(queue.size / slots.size), mostHanded - held.length);
    const taken: Entry[] = [];
    let aheadMs = held.reduce((sum, { expectedMs }) => sum + (expectedMs ?? Number.POSITIVE_INFINITY), 0);
    while (taken.length < most) {
      const isIdle = held.length + taken.length === 0;
      const entry = queue.next((ms) => (isIdle ? mayBegin(ms) : aheadMs + (ms ?? AHEAD_MS + 1) <= AHEAD_MS));
      if (entry === undefined) break;
      aheadMs += entry.expectedMs ?? Number.POSITIVE_INFINITY;
      taken.push(entry);
    }
    return taken;
  }

  function mayBegin(expectedMs: number | undefined): boolean {
    if (!isLong(expectedMs)) return true;
    const long = [...slots].filter(({ held, runningMs }) => {
      const [first] = held();
      return first !== undefined && (isLong(first.expectedMs) || runningMs() > LONG_MS);
    });
    return long.length < Math.max(1, size - 1);
  }

  /** Withdraws from a worker what it has not begun, where it holds more than one job. */
  function withdrawFrom(slot: Slot | undefined): void {
    if (slot !== undefined && slot.count > 1) queue.putBack(slot.takeBack());
  }

  /** Takes a job out of the queue; false when a worker has begun it. */
  function takeOut(entry: Entry, outcome: 'busy' | 'dropped'): boolean {
    const slot = slotOf(entry);
    if (slot !== undefined) queue.putBack(slot.takeBack());
    const isOut = queue.remove(entry);
    if (isOut) entry.settle(outcome);
    if (slot !== undefined) handOut();
    return isOut;
  }

  function slotOf(entry: Entry): Slot | undefined {
    return [...slots].find(({ held }) => held().includes(entry));
  }

  /** Terminates the worker that carries out a job whose caller left. */
  function endFor(entry: Entry): void {
    const slot = slotOf(entry);
    if (slot?.state === 'ready' && slot.running() === entry) slot.terminate(entry);
  }

  function rejectWaiting(error: Error): void {
    for (const { reject } of queue.clear()) reject(error);
  }

  function enqueue(job: Job, { owner, waitMs, signal }: JobOptions): Promise<JobOutcome<Answer>> {
    return new Promise((resolve, reject) => {
      let timer = waitMs === undefined ? undefined : setTimeout(() => void takeOut(entry, 'busy'), waitMs);
      const drop = (): void => {
        clearTimeout(timer);
        if (takeOut(entry, 'dropped')) return;
        timer = setTimeout(() => takeOut(entry, 'dropped') || endFor(entry), DROPPED_MS);
      };
      const leave = (): void => {
        clearTimeout(timer);
        signal?.removeEventListener('abort', drop);
      };
      arrivals += 1;
      const entry: Entry = {
        job,
        owner,
        arrival: arrivals,
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
      queue.add(entry);
      if (slots.size < size) void startWorkers();
      if (hasIdleWorker()) handOut();
      else handOutSoon();
    });
  }

  return {
    carryOut(job, jobOptions = {}) {
      if (isClosed) return Promise.reject(stopping());
      if (jobOptions.signal?.aborted === true) return Promise.resolve('dropped');
      return enqueue(job, jobOptions);
    },
    async close() {
      isClosed = true;
      rejectWaiting(stopping());
      await Promise.all([...slots].map((slot) => slot.close()));
    },
  };
}

function isLong(expectedMs: number | undefined): boolean {
  return expectedMs === undefined || expectedMs > LONG_MS;
}

function stopping(): Error {
  return unavailable('The service is stopping; try again once it is running.', { retryAfter: 5 });
}
