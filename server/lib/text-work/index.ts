// Work on texts whose cost their author decides: it runs in workers, under a deadline that terminates it.
import { KIB } from '../../../shared/product.ts';
import { REQUEST_WAIT_MS } from '../own-work.ts';
import { unavailable } from '../rejection.ts';
import { WorkerPool, IDLE_MS, ownerIn, type PlaybookRef } from '../worker-pool/index.ts';

export interface TextWork {
  /**
   * Carries out a job in a worker.
   * @param playbookKey the playbook that the job runs for, where it is known
   * @returns 'unfinished' when it took longer than its deadline, or more memory than a worker has
   * @throws Refused `unavailable` when no worker is free within ten seconds, and once it is closed
   */
  run<Input, Answer extends object>(
    job: TextJob<Input, Answer>,
    input: Input,
    playbookKey?: PlaybookRef,
  ): Promise<Answer | 'unfinished'>;
  close(): Promise<void>;
}

/** Text work whose jobs take the turns of one playbook. */
export function textWorkOf(playbookKey: PlaybookRef, textWork: TextWork): TextWork {
  return { ...textWork, run: (job, input) => textWork.run(job, input, playbookKey) };
}

/** What a worker gets. */
export interface TextRequest {
  module: string;
  name: string;
  deadlineMs: number;
  input: unknown;
}

/** A text or an answer of more bytes is read by a worker. */
export const LARGE_BYTES = 64 * KIB;

const WORKERS = 2;
/** For loading a job's function. The worker then restarts the deadline with the job's own. */
const LOAD_DEADLINE_MS = 30_000;

export function createTextWork(): TextWork {
  const pool = new WorkerPool<TextRequest, object>({
    name: 'text work',
    script: new URL('./text-worker.ts', import.meta.url),
    size: WORKERS,
    deadlineMs: () => LOAD_DEADLINE_MS,
    // An OpenAPI document of 8 MiB as YAML needs much of it.
    limits: { maxOldGenerationSizeMb: 1024, stackSizeMb: 4 },
    idle: { ms: IDLE_MS, kept: 0 },
  });
  return {
    async run<Input, Answer extends object>(
      { module, name, deadlineMs }: TextJob<Input, Answer>,
      input: Input,
      playbookKey?: PlaybookRef,
    ) {
      const owner = playbookKey === undefined ? (['text work', name] as const) : ownerIn(playbookKey, name);
      const outcome = await pool.run(
        { module: module.href, name, deadlineMs, input },
        { owner, waitMs: REQUEST_WAIT_MS },
      );
      if (typeof outcome === 'object') return outcome as Answer;
      if (outcome !== 'busy') return 'unfinished';
      throw unavailable('Other texts are being processed; try again in a moment.', { retryAfter: 1 });
    },
    close: () => pool.close(),
  };
}

// The function that a text worker runs: a plain function of one argument that answers an object, or a promise of one. Both
// are copied between threads. It stands in a `NAME.job.ts` beside the code that needs it, and only a worker loads it.

export interface TextJob<Input, Answer extends object> {
  /** The module that exports the function. */
  module: URL;
  /** The name of its export. */
  name: string;
  /** How much processor time it may take, in milliseconds, once it is loaded. */
  deadlineMs: number;
  /** Never set: the type of the function. */
  run?: (input: Input) => Answer | Promise<Answer>;
}

/** Describes the job whose function has the type `Carrying`. */
export function textJob<Carrying extends (input: never) => object>(
  job: Pick<TextJob<never, object>, 'module' | 'name' | 'deadlineMs'>,
): TextJob<Parameters<Carrying>[0], Awaited<ReturnType<Carrying>>> {
  return job;
}
