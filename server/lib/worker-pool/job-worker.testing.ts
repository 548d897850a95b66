// A worker whose jobs do what can happen in one.
import { type JobResult, restartDeadline, serveJobs, workerInput } from './serve-jobs.ts';

export type TestJob =
  | { kind: 'echo'; value: number }
  | { kind: 'input' }
  | { kind: 'spin'; ms: number }
  /** Waits, as a thread does that gets no processor. */
  | { kind: 'starve'; ms: number }
  /** Each phase takes this long, and gives the next one this deadline. */
  | { kind: 'phases'; ms: number; deadlineMs: number; count: number }
  | { kind: 'later'; value: number }
  | { kind: 'endless' }
  | { kind: 'exhaust memory' }
  | { kind: 'throw' }
  | { kind: 'spend' };

export interface TestAnswer {
  value: unknown;
  /** How many jobs the worker did before. */
  before: number;
}

let done = 0;

function spin(ms: number): void {
  const until = performance.now() + ms;
  while (performance.now() < until);
}

function valueOf(job: TestJob): unknown {
  switch (job.kind) {
    case 'echo':
      return job.value;
    case 'input':
      return workerInput();
    case 'spin':
      return spin(job.ms);
    case 'starve':
      return Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, job.ms);
    case 'phases':
      for (let phase = 0; phase < job.count; phase += 1) {
        restartDeadline(job.deadlineMs);
        spin(job.ms);
      }
      return undefined;
    case 'endless':
      for (;;);
    case 'exhaust memory':
      for (const all: unknown[] = []; ; ) all.push([...all, all.length]);
    case 'throw':
      throw new Error('The job failed.');
    default:
      return undefined;
  }
}

// How long this worker takes to start.
spin((workerInput() as { startMs?: number } | undefined)?.startMs ?? 0);
serveJobs<TestJob, TestAnswer>({
  run(job): JobResult<TestAnswer> | Promise<JobResult<TestAnswer>> {
    const before = done;
    done += 1;
    if (job.kind === 'later') return Promise.resolve({ answer: { value: job.value, before } });
    return { answer: { value: valueOf(job), before }, isSpent: job.kind === 'spend' };
  },
});
