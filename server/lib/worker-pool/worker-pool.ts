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
import { createFairQueue, type Owner, type Queued } from './fair-queue.ts';
import { type Exit, startWorkerSlot, type WorkerSlot } from './worker-slot.ts';

export interface WorkerPool<Job, Answer extends object> {
  /**
   * Runs a job in a worker.
   * @throws Refused `unavailable` if the pool is closed; Error if no worker can start
   */
  carryOut(job: Job, options?: JobOptions): Promise<JobOutcome<Answer>>;
  close(): Promise<void>;
}

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
const AHEAD_MS = 50;

export function createWorkerPool<Job, Answer extends object>(options: WorkerPoolOptions<Job>): WorkerPool<Job, Answer> {
  type Entry = WaitingJob<Job, Answer>;
  type Slot = WorkerSlot<Entry>;
  const { name, script, size, deadlineMs, mostHanded = 1, limits, idle } = options;
  const slots = new Set<Slot>();
  const queue = createFairQueue<Entry>(() => performance.now());
  let arrivals = 0;
  let data: Promise<unknown> | undefined;
  let isStarting = false;
  let failedStarts = 0;
  let isHandingSoon = false;
  let isClosed = false;
  let idleTimer: NodeJS.Timeout | undefined;

  /** Starts workers until there is one for each job, or the pool is complete. */
  async function startWorkers(): Promise<void> {
    if (isStarting) return;
    isStarting = true;
    try {
      data ??= options.data?.();
      const workerData = await data;
      while (!isClosed && slots.size < Math.min(size, outstanding())) startWorker(workerData);
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

  function startWorker(workerData: unknown): void {
    const slot: Slot = startWorkerSlot<Job, Answer, Entry>({
      script,
      data: workerData,
      limits,
      deadlineMs,
      onReady() {
        failedStarts = 0;
        handOut();
        if (slot.count === 0) endIdleLater();
      },
      onAnswer(entry, answer, tookMs) {
        queue.ended(entry, tookMs);
        entry.settle(answer);
        handOut();
        if (slot.count === 0) endIdleLater();
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

  /** One timer for the pool: it runs at most once in the time that a worker may be idle. */
  function endIdleLater(): void {
    if (idle === undefined || idleTimer !== undefined || slots.size <= idle.kept) return;
    idleTimer = setTimeout(() => {
      idleTimer = undefined;
      endIdle(idle);
    }, idle.ms).unref();
  }

  function endIdle({ ms, kept }: { ms: number; kept: number }): void {
    const ready = [...slots].filter(({ state }) => state === 'ready');
    const ended = ready
      .filter(({ count, idleMs }) => count === 0 && idleMs() >= ms)
      .slice(0, Math.max(0, ready.length - kept));
    for (const slot of ended) void slot.close();
    if (ended.length < ready.length) endIdleLater();
  }

  function hasIdleWorker(): boolean {
    for (const { state, count } of slots) if (state === 'ready' && count === 0) return true;
    return false;
  }

  /** Jobs that arrive together for busy workers are sent together, because each message costs a wake-up. */
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
      let entries = takeFor(slot);
      if (entries.length === 0 && count === 0) {
        withdrawFrom(idleFirst.at(-1));
        entries = takeFor(slot);
      }
      if (entries.length > 0) slot.hand(entries);
      if (queue.size === 0 && count > 0) return;
    }
  }

  /** Takes the next jobs for a worker from the queue. */
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

  /** Withdraws the jobs that a worker has not begun, if it has more than one job. */
  function withdrawFrom(slot: Slot | undefined): void {
    if (slot !== undefined && slot.count > 1) queue.putBack(slot.takeBack());
  }

  /** Removes a job from the queue; returns false if a worker has begun it. */
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

  /** Terminates the worker that runs a job whose caller disconnected. */
  function endFor(entry: Entry): void {
    const slot = slotOf(entry);
    if (slot?.state === 'ready' && slot.running() === entry) slot.terminate(entry);
  }

  function rejectWaiting(error: Error): void {
    for (const { reject } of queue.clear()) reject(error);
  }

  function enqueue(job: Job, { owner, waitMs, signal }: JobOptions): Promise<JobOutcome<Answer>> {
    return new Promise((resolve, reject) => {
      const isLimited = waitMs !== undefined && ownWork() === undefined;
      let timer = isLimited ? setTimeout(() => void takeOut(entry, 'busy'), waitMs) : undefined;
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
        owner: ownWork() === undefined ? owner : ownerOfOwnWork(owner),
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
      clearTimeout(idleTimer);
      rejectWaiting(stopping());
      await Promise.all([...slots].map((slot) => slot.close()));
    },
  };
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
