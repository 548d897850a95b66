// A pool of workers for untrusted work.
//
// 1. The main thread never runs a program. A worker does one job at a time; jobs wait in the order in which they came.
// 2. A worker is handed some jobs in advance, so that it has work while the main thread is busy. It takes each by a
//    count in shared memory, and what it has not taken can be withdrawn: no job waits behind another one while a
//    worker is idle.
// 3. Behind the bound of work stands a wall clock, for built-ins that never count: a worker that passes it is ended
//    and replaced, its job is answered, and nobody else's is touched.
// 4. Workers start with the first job and stay. One that cannot even start is tried a few times, then the pool says so.
// 5. A job whose asker left, or that waited too long, is taken out of the queue, also where it was handed in advance;
//    one that a worker does for somebody who left is ended soon after.
// 6. Closing ends every worker and refuses what waits.
import { Worker } from 'node:worker_threads';
import type { Answer, Handed, Job, Reply, WorkerData } from './job.ts';
import { compileWasm } from './wasm-module.ts';

export interface Pool {
  /** Answers the job's result. The wall clock begins when a worker takes the job. */
  carryOut(job: Job, patience?: Patience): Promise<Outcome>;
  close(): Promise<void>;
}

/** How long somebody waits for a job. */
export interface Patience {
  /** Milliseconds that the job waits for a worker at most. */
  waitMs?: number;
  /** Aborted when nobody waits for the answer any more. */
  signal?: AbortSignal;
}

/** 'late': the wall clock ended the job; 'busy': no worker took it in time; 'dropped': nobody waited for it. */
export type Outcome = Answer | 'late' | 'busy' | 'dropped';

interface WaitingJob {
  job: Job;
  settle: (outcome: Outcome) => void;
  reject: (error: Error) => void;
}

/** A job in a worker's hands, with its number there. */
interface HandedJob {
  number: bigint;
  entry: WaitingJob;
}

interface Seat {
  worker: Worker;
  state: 'starting' | 'ready' | 'spoilt';
  /** What the worker was handed and has not answered; it takes them in this order. */
  handed: HandedJob[];
  /** The number that the next job gets that it is handed. */
  end: bigint;
  /** The number of the job that the worker takes next, in memory that both share. */
  next: BigInt64Array;
  /** Runs out when the job that the worker does has taken too long. */
  clock: NodeJS.Timeout | undefined;
}

export interface PoolOptions {
  size: number;
  /** What a job may take at most. */
  wallClockMs: number;
  /** How many jobs a worker is handed at most, the one it does included. */
  mostHanded: number;
}

const MOST_FAILED_STARTS = 5;
/** What a job may still take once its asker has left: most are done sooner than another worker could start. */
const DROPPED_MS = 100;

export function createPool({ size, wallClockMs, mostHanded }: PoolOptions): Pool {
  const seats = new Set<Seat>();
  let waiting: WaitingJob[] = [];
  let starting: Promise<void> | undefined;
  let failedStarts = 0;
  let isHandingSoon = false;
  let closed: Error | undefined;

  async function start(): Promise<void> {
    const module = await compileWasm();
    while (seats.size < size && closed === undefined) startWorker(module);
  }

  function startWorker(module: WebAssembly.Module): void {
    const next = new BigInt64Array(new SharedArrayBuffer(8));
    const worker = new Worker(new URL('./worker.ts', import.meta.url), {
      workerData: { module, next } satisfies WorkerData,
      env: {},
      // What is printed there is nobody's: a program prints into its record.
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16, stackSizeMb: 16 },
    });
    const seat: Seat = { worker, state: 'starting', handed: [], end: 0n, next, clock: undefined };
    seats.add(seat);
    worker.unref();
    worker.on('message', (reply: Reply) => {
      if (reply === 'ready') {
        failedStarts = 0;
        seat.state = 'ready';
      } else {
        settleFirst(seat, reply.answer);
        if (reply.isSpoilt) {
          seat.state = 'spoilt';
          void worker.terminate();
        }
      }
      handOut();
    });
    const replace = (): void => {
      if (!seats.delete(seat)) return;
      if (seat.state === 'starting') failedStarts += 1;
      leave(seat);
      if (closed !== undefined) refuseAll(closed);
      else if (failedStarts > MOST_FAILED_STARTS) refuseAll(new Error('The sandbox cannot start its workers.'));
      else startWorker(module);
      handOut();
    };
    worker.on('error', replace);
    worker.on('exit', replace);
  }

  function settleFirst(seat: Seat, answer: Answer): void {
    const settled = seat.handed.shift();
    if (seat.handed.length === 0) rest(seat);
    else seat.clock?.refresh();
    settled?.entry.settle(answer);
  }

  /** A worker without a job keeps no clock, and does not keep the process. */
  function rest(seat: Seat): void {
    clearTimeout(seat.clock);
    seat.worker.unref();
  }

  /** The worker is gone: the job that it did is answered, and the others wait again. */
  function leave(seat: Seat): void {
    const ended = begunOf(seat);
    waiting.unshift(...seat.handed.splice(0).flatMap((job) => (job === ended ? [] : [job.entry])));
    rest(seat);
    ended?.entry.settle('late');
  }

  const hasIdleSeat = (): boolean => {
    for (const { state, handed } of seats) if (state === 'ready' && handed.length === 0) return true;
    return false;
  };

  /** Jobs that come together for workers that have something to do are handed together: each handing costs a wake-up. */
  function handOutSoon(): void {
    if (isHandingSoon) return;
    isHandingSoon = true;
    setImmediate(() => {
      isHandingSoon = false;
      handOut();
    });
  }

  /** The job that the worker does; those before it are done, and their answers on the way. */
  function begunOf({ handed, next }: Seat): HandedJob | undefined {
    const taken = Atomics.load(next, 0);
    return handed.findLast(({ number }) => number < taken);
  }

  function handOut(): void {
    const idleFirst = [...seats].toSorted((a, b) => a.handed.length - b.handed.length);
    for (const seat of idleFirst) {
      if (seat.state !== 'ready' || seat.handed.length * 2 > mostHanded) continue;
      if (waiting.length === 0 && seat.handed.length === 0) withdrawFrom(idleFirst.at(-1));
      if (waiting.length === 0) return;
      const share = Math.ceil(waiting.length / seats.size);
      hand(seat, waiting.splice(0, Math.min(share, mostHanded - seat.handed.length)));
    }
  }

  function hand(seat: Seat, entries: readonly WaitingJob[]): void {
    if (seat.handed.length === 0) {
      seat.worker.ref();
      seat.clock = setTimeout(() => void seat.worker.terminate(), wallClockMs);
    }
    const number = seat.end;
    seat.end += BigInt(entries.length);
    seat.handed.push(...entries.map((entry, index) => ({ number: number + BigInt(index), entry })));
    seat.worker.postMessage({ number, jobs: entries.map(({ job }) => job) } satisfies Handed);
  }

  /** Takes back what a worker has not begun, where it was handed more than one job. */
  function withdrawFrom(seat: Seat | undefined): void {
    if (seat === undefined || seat.handed.length < 2) return;
    waiting.push(...takeBack(seat));
  }

  /** What a worker was handed and has not begun. */
  function takeBack(seat: Seat): WaitingJob[] {
    let taken = Atomics.load(seat.next, 0);
    // Again where it takes another one at this very moment: what it was handed is few.
    for (let found = -1n; found !== taken; ) {
      found = taken;
      taken = Atomics.compareExchange(seat.next, 0, found, seat.end);
    }
    const kept = seat.handed.filter(({ number }) => number < taken);
    const back = seat.handed.slice(kept.length).map(({ entry }) => entry);
    seat.handed = kept;
    if (kept.length === 0) rest(seat);
    return back;
  }

  /** Takes a job out of the queue; false where a worker has begun it. */
  function takeOut(entry: WaitingJob, outcome: 'busy' | 'dropped'): boolean {
    const seat = seatOf(entry);
    if (seat !== undefined) waiting.unshift(...takeBack(seat));
    const place = waiting.indexOf(entry);
    if (place < 0) return false;
    waiting.splice(place, 1);
    entry.settle(outcome);
    if (seat !== undefined) handOut();
    return true;
  }

  function seatOf(entry: WaitingJob): Seat | undefined {
    return [...seats].find(({ handed }) => handed.some((job) => job.entry === entry));
  }

  /** Ends the worker that does a job for nobody. */
  function endFor(entry: WaitingJob): void {
    const seat = seatOf(entry);
    if (seat !== undefined && begunOf(seat)?.entry === entry) void seat.worker.terminate();
  }

  function refuseAll(error: Error): void {
    closed ??= error;
    for (const { reject } of waiting.splice(0)) reject(error);
  }

  /** A job in the queue, and what takes it out there when nobody waits for it any more. */
  function enqueue(job: Job, { waitMs, signal }: Patience): Promise<Outcome> {
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
      const entry: WaitingJob = {
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
      if (hasIdleSeat()) handOut();
      else handOutSoon();
    });
  }

  return {
    carryOut(job, patience = {}) {
      if (closed !== undefined) return Promise.reject(closed);
      if (patience.signal?.aborted === true) return Promise.resolve('dropped');
      starting ??= start().catch((error: unknown) =>
        refuseAll(error instanceof Error ? error : new Error(String(error))),
      );
      return enqueue(job, patience);
    },
    async close() {
      refuseAll(new Error('The sandbox is closed.'));
      await starting;
      await Promise.all([...seats].map(({ worker }) => worker.terminate()));
    },
  };
}
