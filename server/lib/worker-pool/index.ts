export { FairQueue, type Owner, ownerIn, type PlaybookRef, type Queued } from './fair-queue.ts';
export { WorkerPool, IDLE_MS, type JobOptions, type JobOutcome as Outcome } from './worker-pool.ts';
export { type JobResult, restartDeadline, serveJobs, workerInput } from './serve-jobs.ts';
