// The worker's side of the pool: takes jobs one after the other and answers them.
import { parentPort, workerData } from 'node:worker_threads';
import type { HandedJobs, Reply, WorkerStart } from './messages.ts';

export interface JobResult<Answer> {
  answer: Answer;
  /** The worker must not be used again: the pool replaces it. */
  isSpent?: boolean;
}

export interface JobServer<Job, Answer> {
  /** An exception ends the worker, and the job is lost. */
  carryOut: (job: Job) => JobResult<Answer> | Promise<JobResult<Answer>>;
  /** Prepares for the next job. It runs once the answer has been sent, so that the caller does not wait for it. */
  reset?: () => void | Promise<void>;
}

/** What the pool made as its `data`. */
export function workerInput(): unknown {
  return (workerData as WorkerStart).data;
}

/** Gives the job that is running a new deadline, in milliseconds from now. */
export function restartDeadline(deadlineMs: number): void {
  send({ deadlineMs, cpuMs: cpuMs() });
}

function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function send(reply: Reply<unknown>): void {
  parentPort?.postMessage(reply);
}

/** Answers jobs from now on. The worker must be ready for its first one. */
export function serveJobs<Job, Answer>({ carryOut, reset }: JobServer<Job, Answer>): void {
  const { next } = workerData as WorkerStart;
  const jobs: { number: bigint; job: Job }[] = [];
  let isFree = true;

  /** What needs no waiting is done at once: small jobs are taken and answered in one go. */
  function workOn(): void {
    while (isFree) {
      const first = jobs.shift();
      if (first === undefined) return;
      const { number, job } = first;
      if (Atomics.compareExchange(next, 0, number, number + 1n) !== number) continue;
      const begun = performance.now();
      const result = carryOut(job);
      const finishing =
        result instanceof Promise ? result.then((later) => finish(later, begun)) : finish(result, begun);
      if (finishing === undefined) continue;
      isFree = false;
      void workOnAfter(finishing);
    }
  }

  async function workOnAfter(finishing: Promise<void>): Promise<void> {
    await finishing;
    isFree = true;
    workOn();
  }

  function finish({ answer, isSpent = false }: JobResult<Answer>, begun: number): void | Promise<void> {
    send({ answer, tookMs: performance.now() - begun, isSpent, cpuMs: cpuMs() });
    return isSpent ? forever() : reset?.();
  }

  parentPort?.on('message', ({ number, jobs: handed }: HandedJobs<Job>) => {
    handed.forEach((job, index) => jobs.push({ number: number + BigInt(index), job }));
    workOn();
  });
  send({ isReady: true, cpuMs: cpuMs() });
}

/** A worker that is spent waits for its end. */
function forever(): Promise<never> {
  return new Promise(() => {});
}
