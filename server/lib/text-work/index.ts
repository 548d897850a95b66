export { type TextJob, textJob } from './text-job.ts';
export { createTextWork, LARGE_BYTES, type TextWork, textWorkOf } from './text-work.ts';
