// A pool of workers in which jq runs.
//
// 1. A worker does one job at a time; jobs wait in the order in which they came.
// 2. The deadline of a job begins when a worker takes it. A worker that passes it is ended and replaced; its job is
//    answered, and nobody else's is touched.
// 3. Workers start with the first job and stay; none of them keeps the process. One that cannot even start is tried a
//    few times, then the pool says so.
// 4. Closing ends every worker and refuses what waits.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Worker } from 'node:worker_threads';
import type { Answer, Job, Reply } from './job.ts';

export interface Pool {
  carryOut(job: Job): Promise<Answer | 'late' | 'lost'>;
  close(): Promise<void>;
}

interface WaitingJob {
  job: Job;
  resolve: (answer: Answer | 'late' | 'lost') => void;
  reject: (error: Error) => void;
}

interface Seat {
  worker: Worker;
  module: WebAssembly.Module;
  isReady: boolean;
  current: WaitingJob | undefined;
  deadline: NodeJS.Timeout | undefined;
}

const MOST_FAILED_STARTS = 5;

let wasmModule: Promise<WebAssembly.Module> | undefined;

/** Compiled once a process; workers share it. */
function compileWasm(): Promise<WebAssembly.Module> {
  wasmModule ??= WebAssembly.compile(readFileSync(createRequire(import.meta.url).resolve('jq-wasm/jq.wasm')));
  return wasmModule;
}

/** @param deadlineOf what a job may take, in milliseconds, from the moment a worker takes it */
export function createPool(size: number, deadlineOf: (job: Job) => number): Pool {
  const seats = new Set<Seat>();
  const waiting: WaitingJob[] = [];
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
      // What jq's runtime prints there is nobody's.
      stdout: true,
      stderr: true,
      resourceLimits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16, stackSizeMb: 4 },
    });
    const seat: Seat = { worker, module, isReady: false, current: undefined, deadline: undefined };
    seats.add(seat);
    worker.unref();
    worker.on('message', (reply: Reply) => {
      failedStarts = 0;
      seat.isReady = true;
      if (reply !== 'ready') settle(seat, reply.answer);
      if (reply !== 'ready' && reply.isSpoilt) replace(seat, 'lost');
      next();
    });
    worker.on('error', () => replace(seat, 'lost'));
    worker.on('exit', () => replace(seat, 'lost'));
  }

  /** Gives a worker up; a job that it has gets this answer. */
  function replace(seat: Seat, answer: 'late' | 'lost'): void {
    if (!seats.delete(seat)) return;
    if (!seat.isReady) failedStarts += 1;
    settle(seat, answer);
    void seat.worker.terminate();
    if (failedStarts > MOST_FAILED_STARTS) refuseAll(new Error('jq cannot start its workers.'));
    else if (closed === undefined) startWorker(seat.module);
  }

  function settle(seat: Seat, answer: Answer | 'late' | 'lost'): void {
    const { current } = seat;
    if (current === undefined) return;
    seat.current = undefined;
    clearTimeout(seat.deadline);
    seat.worker.unref();
    current.resolve(answer);
  }

  function next(): void {
    for (const seat of seats) {
      if (!seat.isReady || seat.current !== undefined) continue;
      const job = waiting.shift();
      if (job === undefined) return;
      seat.current = job;
      seat.deadline = setTimeout(() => overrun(seat, job), deadlineOf(job.job));
      seat.worker.ref();
      seat.worker.postMessage(job.job);
    }
  }

  /** A main thread that was busy itself may find both the end of the time and an answer; the answer is looked at first. */
  function overrun(seat: Seat, job: WaitingJob): void {
    setImmediate(() => {
      if (seat.current === job) replace(seat, 'late');
    });
  }

  function refuseAll(error: Error): void {
    closed ??= error;
    for (const { reject } of waiting.splice(0)) reject(error);
  }

  return {
    carryOut(job) {
      if (closed !== undefined) return Promise.reject(closed);
      starting ??= start().catch((error: unknown) =>
        refuseAll(error instanceof Error ? error : new Error(String(error))),
      );
      return new Promise((resolve, reject) => {
        waiting.push({ job, resolve, reject });
        next();
      });
    },
    async close() {
      refuseAll(new Error('Expressions are closed.'));
      await starting;
      await Promise.all([...seats].map(({ worker }) => worker.terminate()));
    },
  };
}
