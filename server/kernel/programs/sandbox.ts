import os from 'node:os';
import type { CheckDone, RunDone, RunJob, RunStopped } from './job.ts';
import { createPool } from './pool.ts';

export interface Sandbox {
  /**
   * Runs a program's default function.
   * @param signal aborted when nobody waits for the run any more
   * @returns 'busy' when no worker came free within ten seconds; 'dropped' when nobody waited for it
   */
  run(job: Omit<RunJob, 'kind'>, signal?: AbortSignal): Promise<RunDone | RunStopped | 'busy' | 'dropped'>;
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
const WAIT_MS = 10_000;
const CHECKERS = 1;
/** Some milliseconds of small programs: as long as the main thread may be busy with a commit. */
const RUNS_HANDED = 16;

/** Checks have workers of their own: programs that run never keep an author waiting. */
export function createSandbox(): Sandbox {
  const runners = createPool({
    size: Math.min(4, Math.max(2, os.availableParallelism())),
    wallClockMs: RUN_WALL_CLOCK_MS,
    mostHanded: RUNS_HANDED,
  });
  const checkers = createPool({ size: CHECKERS, wallClockMs: CHECK_WALL_CLOCK_MS, mostHanded: 1 });

  return {
    async run(job, signal) {
      const patience = { waitMs: WAIT_MS, ...(signal === undefined ? {} : { signal }) };
      const answer = await runners.carryOut({ ...job, kind: 'run' }, patience);
      if (answer === 'busy' || answer === 'dropped') return answer;
      if (answer !== 'late' && answer.kind !== 'checked') return answer;
      const seconds = RUN_WALL_CLOCK_MS / 1000;
      const detail = `The program was ended after ${seconds} seconds inside a built-in; give it less to do at once.`;
      return { kind: 'stopped', detail, console: [], consoleTruncated: false };
    },
    async check(source, exports) {
      const answer = await checkers.carryOut({ kind: 'check', source, exports }, { waitMs: WAIT_MS });
      return answer === 'busy' || (typeof answer === 'object' && answer.kind === 'checked') ? answer : undefined;
    },
    async close() {
      await Promise.all([runners.close(), checkers.close()]);
    },
  };
}
