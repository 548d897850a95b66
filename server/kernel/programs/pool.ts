// A pool of workers for untrusted work.
//
// 1. The main thread never runs a program. A worker does one job at a time; jobs wait in the order in which they came.
// 2. Behind the bound of work stands a wall clock, for built-ins that never count: a worker that passes it is ended
//    and replaced, its job is answered, and nobody else's is touched.
// 3. Workers start with the first job and stay. One that cannot even start is tried a few times, then the pool says so.
// 4. Closing ends every worker and refuses what waits.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { Answer, Job, Reply } from './job.ts';

export interface Pool {
  /**
   * Answers the job's result, or undefined when the wall clock ended it. The clock begins when a worker takes the job.
   * @param waitMs how long the job waits for a worker at most; then it is answered with 'busy'
   */
  carryOut(job: Job, waitMs?: number): Promise<Answer | undefined | 'busy'>;
  close(): Promise<void>;
}

interface WaitingJob {
  job: Job;
  resolve: (answer: Answer | undefined | 'busy') => void;
  reject: (error: Error) => void;
  /** Stops the clock that runs, of the wait or of the work. */
  callOff: () => void;
}

interface Seat {
  worker: Worker;
  isReady: boolean;
  current: WaitingJob | undefined;
}

const MOST_FAILED_STARTS = 5;

let wasmModule: Promise<WebAssembly.Module> | undefined;

/** Compiled once a process; workers share it. */
function compileWasm(): Promise<WebAssembly.Module> {
  const file = createRequire(import.meta.url).resolve('@jitl/quickjs-wasmfile-release-sync/wasm');
  wasmModule ??= WebAssembly.compile(readFileSync(file));
  return wasmModule;
}

/** @param wallClockMs what a job may take at most */
export function createPool(size: number, wallClockMs: number): Pool {
  const seats = new Set<Seat>();
  let waiting: WaitingJob[] = [];
  let starting: Promise<void> | undefined;
  let failedStarts = 0;
  let closed: Error | undefined;

  async function start(): Promise<void> {
    const module = await compileWasm();
    while (seats.size < size && closed === undefined) startWorker(module);
  }

  function startWorker(module: WebAssembly.Module): void {
    const worker = new Worker(new URL('./worker.ts', import.meta.url), {
      workerData: module,
      env: {},
      // What is printed there is nobody's: a program prints into its record.
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16, stackSizeMb: 16 },
    });
    const seat: Seat = { worker, isReady: false, current: undefined };
    seats.add(seat);
    worker.unref();
    worker.on('message', (reply: Reply) => {
      if (reply === 'ready') {
        failedStarts = 0;
        seat.isReady = true;
        next();
        return;
      }
      seat.isReady = false;
      settle(seat, reply.answer);
      if (reply.isSpoilt) void worker.terminate();
    });
    const replace = (): void => {
      if (!seats.delete(seat)) return;
      if (!seat.isReady && seat.current === undefined) failedStarts += 1;
      settle(seat, undefined);
      if (failedStarts > MOST_FAILED_STARTS) refuseAll(new Error('The sandbox cannot start its workers.'));
      else if (closed === undefined) startWorker(module);
    };
    worker.on('error', replace);
    worker.on('exit', replace);
  }

  function settle(seat: Seat, answer: Answer | undefined): void {
    const { current } = seat;
    if (current === undefined) return;
    seat.current = undefined;
    seat.worker.unref();
    current.callOff();
    current.resolve(answer);
  }

  function next(): void {
    for (const seat of seats) {
      if (!seat.isReady || seat.current !== undefined) continue;
      const job = waiting.shift();
      if (job === undefined) return;
      job.callOff();
      const timer = setTimeout(() => void seat.worker.terminate(), wallClockMs);
      job.callOff = () => clearTimeout(timer);
      seat.current = job;
      seat.worker.ref();
      seat.worker.postMessage(job.job);
    }
  }

  function refuseAll(error: Error): void {
    closed ??= error;
    for (const { reject, callOff } of waiting.splice(0)) {
      callOff();
      reject(error);
    }
  }

  return {
    carryOut(job, waitMs) {
      if (closed !== undefined) return Promise.reject(closed);
      starting ??= start().catch((error: unknown) =>
        refuseAll(error instanceof Error ? error : new Error(String(error))),
      );
      return new Promise((resolve, reject) => {
        const entry: WaitingJob = { job, resolve, reject, callOff: () => {} };
        if (waitMs !== undefined) {
          const timer = setTimeout(() => {
            waiting = waiting.filter((other) => other !== entry);
            resolve('busy');
          }, waitMs);
          entry.callOff = () => clearTimeout(timer);
        }
        waiting.push(entry);
        next();
      });
    },
    async close() {
      refuseAll(new Error('The sandbox is closed.'));
      await starting;
      await Promise.all([...seats].map(({ worker }) => worker.terminate()));
    },
  };
}
