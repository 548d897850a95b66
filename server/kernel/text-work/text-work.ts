// Work on texts whose cost their author decides: it runs in workers, under a deadline that terminates it.
import { unavailable } from '../rejection.ts';
import { createWorkerPool } from '../worker-pool/index.ts';
import type { TextAnswer, TextInput, TextJobName } from './jobs.ts';

export interface TextWork {
  /**
   * Carries out one of the jobs in `jobs.ts`.
   * @returns 'unfinished' when it took longer than its deadline, or more memory than a worker has
   * @throws Refused `unavailable` when no worker is free within ten seconds, and once it is closed
   */
  carryOut<Name extends TextJobName>(name: Name, input: TextInput<Name>): Promise<TextAnswer<Name> | 'unfinished'>;
  close(): Promise<void>;
}

/** What a worker gets. */
export interface TextRequest {
  name: TextJobName;
  input: unknown;
}

const WORKERS = 2;
const WAIT_MS = 10_000;
/** For loading a job's function. The worker then restarts the deadline with the job's own. */
const LOAD_DEADLINE_MS = 30_000;

export function createTextWork(): TextWork {
  const pool = createWorkerPool<TextRequest, object>({
    name: 'text work',
    script: new URL('./text-worker.ts', import.meta.url),
    size: WORKERS,
    deadlineMs: () => LOAD_DEADLINE_MS,
    // An OpenAPI document of 8 MiB as YAML needs much of it.
    limits: { maxOldGenerationSizeMb: 1024, stackSizeMb: 4 },
  });
  return {
    async carryOut<Name extends TextJobName>(name: Name, input: TextInput<Name>) {
      const outcome = await pool.carryOut({ name, input }, { owner: ['text work', name], waitMs: WAIT_MS });
      if (typeof outcome === 'object') return outcome as TextAnswer<Name>;
      if (outcome !== 'busy') return 'unfinished';
      throw unavailable('Other texts are being processed; try again in a moment.', { retryAfter: 1 });
    },
    close: () => pool.close(),
  };
}
