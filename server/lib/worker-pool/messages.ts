// Messages between the pool and its workers.

/** The data of a worker at its start. */
export interface WorkerStart {
  data: unknown;
  /**
   * The number of the job that the worker takes next, in shared memory. The worker takes a job only by incrementing
   * this from the job's number; the pool withdraws jobs by raising it past their numbers.
   */
  next: BigInt64Array;
}

/** Jobs for a worker, numbered consecutively from `number`. */
export interface HandedJobs<Job> {
  number: bigint;
  jobs: readonly Job[];
}

/** `cpuMs`: the processor time of the worker's thread since its start, in milliseconds. */
export type Reply<Answer> =
  | { isReady: true; cpuMs: number }
  /** The running job gets a new deadline, this many milliseconds from now. */
  | { deadlineMs: number; cpuMs: number }
  /** `tookMs`: the duration of the job in milliseconds; `isSpent`: the worker must not be used again. */
  | { answer: Answer; tookMs: number; isSpent: boolean; cpuMs: number };
