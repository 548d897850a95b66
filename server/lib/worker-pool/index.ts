export { createFairQueue, type Owner, ownerIn, type PlaybookPlace, type Queued } from './fair-queue.ts';
export {
  createWorkerPool,
  IDLE_MS,
  type JobOptions,
  type JobOutcome as Outcome,
  type WorkerPool,
} from './worker-pool.ts';
export { type JobResult, restartDeadline, serveJobs, workerInput } from './serve-jobs.ts';
