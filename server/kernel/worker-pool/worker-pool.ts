// A pool of worker threads for work that must not hold the main thread.
//
// 1. The main thread never carries out a job. A worker carries out one job at a time; jobs start in the order in which
//    they arrive.
// 2. Workers start when jobs need them, at most as many as the pool's size, and stay. A job is handed only to a worker
//    that has started, so that starting counts against no deadline. A worker without a job does not keep the process
//    alive.
// 3. A worker may be handed several jobs in advance, so that it has work while the main thread is busy. The pool
//    withdraws those that the worker has not begun: no job waits behind another one while a worker is idle.
// 4. A job's deadline starts when the job begins, and again when its worker asks for another one. Past the deadline the
//    worker is terminated and replaced: its job is 'late', and every other job it was handed is carried out elsewhere.
// 5. A worker that ends by itself (out of memory, for example) is replaced too: its job is 'lost', and no other one.
// 6. A job that waited too long for a worker leaves the queue as 'busy', one whose caller left as 'dropped', also where
//    a worker was handed it in advance. A job that already runs for a caller who left is terminated soon after.
// 7. When workers repeatedly fail to start, the jobs that wait are rejected. The next job tries again.
// 8. Closing terminates every worker and rejects every job, those that run included.
import { type ResourceLimits, Worker } from 'node:worker_threads';
import { unavailable } from '../rejection.ts';
import type { HandedJobs, Reply, WorkerStart } from './messages.ts';

export interface WorkerPool<Job, Answer extends object> {
  /**
   * Carries out a job in a worker.
   * @throws Refused `unavailable` when the pool is closed; Error when no worker can start
   */
  carryOut(job: Job, patience?: Patience): Promise<Outcome<Answer>>;
  close(): Promise<void>;
}

/** How long a caller waits for a job. */
export interface Patience {
  /** The longest wait for a worker, in milliseconds. Absent: there is no bound. */
  waitMs?: number | undefined;
  /** Aborted when the caller no longer waits for the answer. */
  signal?: AbortSignal | undefined;
}

/** The answer, or: the deadline passed, the worker ended by itself, no worker was free in time, the caller left. */
export type Outcome<Answer extends object> = Answer | 'late' | 'lost' | 'busy' | 'dropped';

export interface WorkerPoolOptions<Job> {
  /** For errors, for example `sandbox`. */
  name: string;
  /** The workers' script, which calls `serveJobs`. */
  script: URL;
  /** What each worker reads with `workerInput`; made before the first one starts. */
  data?: () => Promise<unknown>;
  size: number;
  /** How long a job may take, in milliseconds from its beginning. */
  deadlineMs: (job: Job) => number;
  /** The most jobs that a worker holds, including the one it carries out. */
  mostHanded?: number;
  limits: ResourceLimits;
}

interface WaitingJob<Job, Answer extends object> {
  job: Job;
  settle: (outcome: Outcome<Answer>) => void;
  reject: (error: Error) => void;
}

/** A job that a worker was handed, with its number there. */
interface HandedJob<Entry> {
  number: bigint;
  entry: Entry;
}

/** A worker with the jobs that it holds. */
interface WorkerSlot<Entry> {
  worker: Worker;
  state: 'starting' | 'ready' | 'ending';
  /** What the worker was handed and has not answered, in the order in which it takes them. */
  handed: HandedJob<Entry>[];
  /** The number of the next job that it is handed. */
  end: bigint;
  /** The number of the job that the worker takes next; see `WorkerStart`. */
  next: BigInt64Array;
  deadline: NodeJS.Timeout | undefined;
  /** The job for which the worker was terminated. */
  terminatedFor: Entry | undefined;
}

const MOST_FAILED_STARTS = 5;
/** How long a running job whose caller left may still take: most end sooner than another worker would start. */
const DROPPED_MS = 100;

export function createWorkerPool<Job, Answer extends object>(options: WorkerPoolOptions<Job>): WorkerPool<Job, Answer> {
  type Entry = WaitingJob<Job, Answer>;
  type Slot = WorkerSlot<Entry>;
  const { name, script, size, deadlineMs, mostHanded = 1, limits } = options;
  const slots = new Set<Slot>();
  const waiting: Entry[] = [];
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
    let count = waiting.length;
    for (const { handed } of slots) count += handed.length;
    return count;
  }

  function startWorker(given: unknown): void {
    const next = new BigInt64Array(new SharedArrayBuffer(8));
    const worker = new Worker(script, {
      workerData: { data: given, next } satisfies WorkerStart,
      env: {},
      // Libraries that print in a worker have nobody to print for.
      stdout: true,
      stderr: true,
      resourceLimits: limits,
    });
    const slot: Slot = {
      worker,
      state: 'starting',
      handed: [],
      end: 0n,
      next,
      deadline: undefined,
      terminatedFor: undefined,
    };
    slots.add(slot);
    worker.unref();
    worker.on('message', (reply: Reply<Answer>) => {
      if (reply === 'ready') {
        failedStarts = 0;
        slot.state = 'ready';
      } else if ('answer' in reply) {
        settleFirst(slot, reply.answer);
        if (reply.isSpent) terminate(slot, undefined);
      } else {
        return startDeadline(slot, reply.deadlineMs);
      }
      handOut();
    });
    // Its exit follows, after everything that it sent.
    worker.on('error', () => {});
    worker.on('exit', () => replace(slot));
  }

  function replace(slot: Slot): void {
    if (!slots.delete(slot)) return;
    if (slot.state === 'starting') failedStarts += 1;
    endJobsOf(slot);
    if (failedStarts > MOST_FAILED_STARTS) {
      failedStarts = 0;
      rejectWaiting(new Error(`The ${name} cannot start its workers.`));
    }
    if (isClosed) return;
    handOut();
    if (outstanding() > 0) void startWorkers();
  }

  function endJobsOf(slot: Slot): void {
    const begun = begunOf(slot);
    const handed = slot.handed.splice(0);
    rest(slot);
    if (isClosed) return handed.forEach(({ entry }) => entry.reject(stopping()));
    // Terminated for another job, which was answered meanwhile: this one has done nothing wrong.
    const isBlamed = slot.terminatedFor === undefined || slot.terminatedFor === begun?.entry;
    waiting.unshift(...handed.flatMap((job) => (job === begun && isBlamed ? [] : [job.entry])));
    if (begun !== undefined && isBlamed) begun.entry.settle(slot.terminatedFor === undefined ? 'lost' : 'late');
  }

  /** The worker's jobs are settled when it has exited: an answer may be on its way. */
  function terminate(slot: Slot, terminatedFor: Entry | undefined): void {
    slot.state = 'ending';
    slot.terminatedFor = terminatedFor;
    void slot.worker.terminate();
  }

  function settleFirst(slot: Slot, answer: Answer): void {
    const settled = slot.handed.shift();
    const [following] = slot.handed;
    if (following === undefined) rest(slot);
    else startDeadline(slot, deadlineMs(following.entry.job));
    settled?.entry.settle(answer);
  }

  function rest(slot: Slot): void {
    clearTimeout(slot.deadline);
    slot.worker.unref();
  }

  function startDeadline(slot: Slot, milliseconds: number): void {
    const [running] = slot.handed;
    if (running === undefined || slot.state !== 'ready') return;
    clearTimeout(slot.deadline);
    slot.deadline = setTimeout(() => {
      // A main thread that was busy finds the deadline and the answer at once; the answer counts.
      setImmediate(() => {
        if (slot.handed[0] === running && slot.state === 'ready') terminate(slot, running.entry);
      });
    }, milliseconds);
  }

  /** The job that the worker carries out. Jobs before it have been answered, and their answers are on the way. */
  function begunOf({ handed, next }: Slot): HandedJob<Entry> | undefined {
    const taken = Atomics.load(next, 0);
    return handed.findLast(({ number }) => number < taken);
  }

  function hasIdleWorker(): boolean {
    for (const { state, handed } of slots) if (state === 'ready' && handed.length === 0) return true;
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
    const idleFirst = [...slots].toSorted((a, b) => a.handed.length - b.handed.length);
    for (const slot of idleFirst) {
      if (slot.state !== 'ready' || slot.handed.length * 2 > mostHanded) continue;
      if (waiting.length === 0 && slot.handed.length === 0) withdrawFrom(idleFirst.at(-1));
      if (waiting.length === 0) return;
      const share = Math.ceil(waiting.length / slots.size);
      hand(slot, waiting.splice(0, Math.min(share, mostHanded - slot.handed.length)));
    }
  }

  function hand(slot: Slot, entries: readonly Entry[]): void {
    const wasIdle = slot.handed.length === 0;
    const number = slot.end;
    slot.end += BigInt(entries.length);
    slot.handed.push(...entries.map((entry, index) => ({ number: number + BigInt(index), entry })));
    slot.worker.postMessage({ number, jobs: entries.map(({ job }) => job) } satisfies HandedJobs<Job>);
    const [first] = entries;
    if (!wasIdle || first === undefined) return;
    slot.worker.ref();
    startDeadline(slot, deadlineMs(first.job));
  }

  /** Withdraws from a worker what it has not begun, where it holds more than one job. */
  function withdrawFrom(slot: Slot | undefined): void {
    if (slot === undefined || slot.handed.length < 2) return;
    waiting.push(...takeBack(slot));
  }

  function takeBack(slot: Slot): Entry[] {
    let taken = Atomics.load(slot.next, 0);
    // Repeated when the worker takes another job at this very moment.
    for (let found = -1n; found !== taken; ) {
      found = taken;
      taken = Atomics.compareExchange(slot.next, 0, found, slot.end);
    }
    const kept = slot.handed.filter(({ number }) => number < taken);
    const back = slot.handed.slice(kept.length).map(({ entry }) => entry);
    slot.handed = kept;
    if (kept.length === 0) rest(slot);
    return back;
  }

  /** Takes a job out of the queue; false when a worker has begun it. */
  function takeOut(entry: Entry, outcome: 'busy' | 'dropped'): boolean {
    const slot = slotOf(entry);
    if (slot !== undefined) waiting.unshift(...takeBack(slot));
    const place = waiting.indexOf(entry);
    if (place < 0) return false;
    waiting.splice(place, 1);
    entry.settle(outcome);
    if (slot !== undefined) handOut();
    return true;
  }

  function slotOf(entry: Entry): Slot | undefined {
    return [...slots].find(({ handed }) => handed.some((job) => job.entry === entry));
  }

  /** Terminates the worker that carries out a job whose caller left. */
  function endFor(entry: Entry): void {
    const slot = slotOf(entry);
    if (slot?.state === 'ready' && begunOf(slot)?.entry === entry) terminate(slot, entry);
  }

  function rejectWaiting(error: Error): void {
    for (const { reject } of waiting.splice(0)) reject(error);
  }

  function enqueue(job: Job, { waitMs, signal }: Patience): Promise<Outcome<Answer>> {
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
      const entry: Entry = {
        job,
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
      waiting.push(entry);
      if (slots.size < size) void startWorkers();
      if (hasIdleWorker()) handOut();
      else handOutSoon();
    });
  }

  return {
    carryOut(job, patience = {}) {
      if (isClosed) return Promise.reject(stopping());
      if (patience.signal?.aborted === true) return Promise.resolve('dropped');
      return enqueue(job, patience);
    },
    async close() {
      isClosed = true;
      rejectWaiting(stopping());
      await Promise.all([...slots].map(({ worker }) => worker.terminate()));
    },
  };
}

function stopping(): Error {
  return unavailable('The service is stopping; try again once it runs.', { retryAfter: 5 });
}
