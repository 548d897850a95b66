// What the pool and its workers send each other.

/** What a worker gets when it starts. */
export interface WorkerStart {
  data: unknown;
  /**
   * The number of the job that the worker takes next, in memory that both sides share. The worker takes a job only
   * by counting this up from the job's number, and the pool withdraws jobs by counting it past theirs.
   */
  next: BigInt64Array;
}

/** Jobs for a worker: the first one has this number, each further one the next. */
export interface HandedJobs<Job> {
  number: bigint;
  jobs: readonly Job[];
}

/** `cpuMs`: the processor time that the worker's thread has used since it started, in milliseconds. */
export type Reply<Answer> =
  | { isReady: true; cpuMs: number }
  /** The job that is running gets this many milliseconds from now on. */
  | { deadlineMs: number; cpuMs: number }
  /** `tookMs`: milliseconds that the job took; `isSpent`: the worker must not be used again. */
  | { answer: Answer; tookMs: number; isSpent: boolean; cpuMs: number };
