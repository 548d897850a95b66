// The worker's side of the pool: runs jobs one after another and answers them.
import { parentPort, workerData } from 'node:worker_threads';
import type { HandedJobs, Reply, WorkerStart } from './messages.ts';

export interface JobResult<Answer> {
  answer: Answer;
  /** The worker must not be used again: the pool replaces it. */
  isSpent?: boolean;
}

export interface JobServer<Job, Answer> {
  /** If it throws, the worker ends and the job is lost. */
  run: (job: Job) => JobResult<Answer> | Promise<JobResult<Answer>>;
  /** Prepares for the next job. Runs after the answer was sent, so that the caller does not wait for it. */
  reset?: () => void | Promise<void>;
}

/** The `data` of the pool. */
export function workerInput(): unknown {
  return (workerData as WorkerStart).data;
}

/** Sets a new deadline for the running job, in milliseconds from now. */
export function restartDeadline(deadlineMs: number): void {
  send({ deadlineMs, cpuMs: cpuMs() });
}

/** The processor time of this thread; 0 in Node 22.18, which does not report it. */
function cpuMs(): number {
  if (!('threadCpuUsage' in process)) return 0;
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

function send(reply: Reply<unknown>): void {
  parentPort?.postMessage(reply);
}

/** Starts answering jobs. The worker must be ready for the first one. */
export function serveJobs<Job, Answer>({ run, reset }: JobServer<Job, Answer>): void {
  const { next } = workerData as WorkerStart;
  const jobs: { number: bigint; job: Job }[] = [];
  let isFree = true;

  /** Synchronous jobs are taken and answered in one loop, without yielding. */
  function workOn(): void {
    while (isFree) {
      const first = jobs.shift();
      if (first === undefined) return;
      const { number, job } = first;
      if (Atomics.compareExchange(next, 0, number, number + 1n) !== number) continue;
      const begun = performance.now();
      const result = run(job);
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

/** A spent worker waits to be terminated. */
function forever(): Promise<never> {
  return new Promise(() => {});
}
