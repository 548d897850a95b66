import os from 'node:os';
import type { CheckDone, RunDone, RunJob, RunStopped } from './job.ts';
import { createPool } from './pool.ts';

export interface Sandbox {
  /** Runs a program's default function. */
  run(job: Omit<RunJob, 'kind'>): Promise<RunDone | RunStopped>;
  /**
   * Looks at a source and at what it exports.
   * @returns undefined when it took longer than two seconds; 'busy' when no checker came free within ten
   */
  check(source: string, exports: readonly string[]): Promise<CheckDone | undefined | 'busy'>;
  close(): Promise<void>;
}

/** For built-ins that never count their work; a program's own work is bounded long before. */
const RUN_WALL_CLOCK_MS = 5000;
const CHECK_WALL_CLOCK_MS = 2000;
const CHECK_WAIT_MS = 10_000;
const CHECKERS = 1;

/** Checks have workers of their own: programs that run never keep an author waiting. */
export function createSandbox(): Sandbox {
  const runners = createPool(Math.min(4, Math.max(2, os.availableParallelism())), RUN_WALL_CLOCK_MS);
  const checkers = createPool(CHECKERS, CHECK_WALL_CLOCK_MS);

  return {
    async run(job) {
      const answer = await runners.carryOut({ ...job, kind: 'run' });
      if (answer !== undefined && answer !== 'busy' && answer.kind !== 'checked') return answer;
      const seconds = RUN_WALL_CLOCK_MS / 1000;
      const detail = `The program was ended after ${seconds} seconds inside a built-in; give it less to do at once.`;
      return { kind: 'stopped', detail, console: [], consoleTruncated: false };
    },
    async check(source, exports) {
      const answer = await checkers.carryOut({ kind: 'check', source, exports }, CHECK_WAIT_MS);
      return answer === 'busy' || answer?.kind === 'checked' ? answer : undefined;
    },
    async close() {
      await Promise.all([runners.close(), checkers.close()]);
    },
  };
}
