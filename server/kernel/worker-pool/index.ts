export { createWorkerPool, type Outcome, type Patience, type WorkerPool } from './worker-pool.ts';
export { type JobResult, restartDeadline, serveJobs, workerInput } from './serve-jobs.ts';
