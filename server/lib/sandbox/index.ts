import os from 'node:os';
import { LRUCache } from 'lru-cache';
import { REQUEST_WAIT_MS } from '../own-work.ts';
import { WorkerPool, IDLE_MS, type JobOptions, type Outcome } from '../worker-pool/index.ts';
import type {
  SandboxReply,
  CheckDone,
  Folded,
  FoldEnded,
  FoldJob,
  ModuleJob,
  SandboxJob,
  NotFolded,
  ProgramForm,
  RunDone,
  RunJob,
  RunStopped,
} from './job.ts';
import { compileWasm } from './wasm-module.ts';

export { ambientDeclarations, type EventKind } from './ambient.ts';
export { declarationsOf } from './declarations.ts';
export type {
  CheckDone,
  Folded,
  FoldEnded,
  ModuleFunction,
  NotFolded,
  Position,
  ProgramForm,
  ProgramIssue,
  Programs,
  RunDone,
  RunStopped,
} from './job.ts';
export { createTypeChecker, type TypeChecker } from './type-checker.ts';

export type SchedulingOptions = Pick<JobOptions, 'owner' | 'signal'>;

type FoldRequest = Omit<FoldJob, 'kind' | 'isStripped' | 'budgetMs' | 'isEachLookedAt' | 'isEachAlone' | 'watched'>;

export interface Sandbox {
  /**
   * Runs a program's default function.
   * @param options whose turn it takes; a signal that is aborted when nobody waits for the run any more
   * @returns 'busy' when no worker came free within ten seconds; 'dropped' when nobody waited for it
   */
  run(
    job: Omit<RunJob, 'kind' | 'isStripped'>,
    options?: SchedulingOptions,
  ): Promise<RunDone | RunStopped | 'busy' | 'dropped'>;
  /**
   * Looks at a source and at what it exports.
   * @returns undefined when it took longer than two seconds; 'busy' when no checker came free within ten
   */
  check(source: string, form: ProgramForm): Promise<CheckDone | undefined | 'busy'>;
  /**
   * Folds events into a view, as many as a second is enough for.
   * @param options as for `run`
   * @returns FoldEnded when an event was inside one built-in for a second; 'busy', 'dropped' as for `run`
   */
  fold(job: FoldRequest, options?: SchedulingOptions): Promise<Folded | NotFolded | FoldEnded | 'busy' | 'dropped'>;
  /** Folds a few events to see whether it can be done, as a check does, and looks at the state after each. */
  tryFold(job: FoldRequest): Promise<Folded | NotFolded | 'late' | 'busy'>;
  /**
   * Calls a function of a module that runs programs on its way.
   * @returns 'late', 'lost' where it ended its worker; 'busy', 'dropped' as for `run`
   */
  carryOut<Answer extends object>(job: Omit<ModuleJob, 'kind'>, options?: SchedulingOptions): Promise<Outcome<Answer>>;
  /** A source as a program is given to `Programs.run`: without its types, where a check found that. */
  programOf(source: string): Pick<RunJob, 'source' | 'isStripped'>;
  close(): Promise<void>;
}

/** For built-ins that never count their work; a program's own work is bounded long before. */
const RUN_WALL_CLOCK_MS = 5000;
const CHECK_WALL_CLOCK_MS = 2000;
const FOLD_BUDGET_MS = 1000;
/** A view that is stuck is to be found soon: its runs wait. Work that is not stuck gives a sign far more often. */
const FOLD_SILENT_MS = 1000;
const TOO_LONG = `The program was stopped after ${RUN_WALL_CLOCK_MS / 1000} seconds inside a built-in function; reduce the work for each event.`;
const TOO_LARGE =
  'The program crashed its worker, most likely by using too much memory; reduce the work for each event.';
const CHECKERS = 1;
/** In characters, of sources and of what they are without their types. */
const MOST_STRIPPED = 4_000_000;
/** Some milliseconds of small programs: as long as the main thread may be busy with a commit. */
const RUNS_HANDED = 16;

/** Checks have workers of their own: programs that run never keep an author waiting. */
export function createSandbox(): Sandbox {
  const runners = createPrograms({
    size: Math.min(4, Math.max(2, os.availableParallelism())),
    wallClockMs: RUN_WALL_CLOCK_MS,
    mostHanded: RUNS_HANDED,
    kept: 1,
  });
  const checkers = createPrograms({ size: CHECKERS, wallClockMs: CHECK_WALL_CLOCK_MS, mostHanded: 1, kept: 0 });
  /**
   * Programs without their types, by source, as checks found them. What strips types takes 15 MiB and 30 ms in each
   * worker that loads it: with these, a worker that runs programs loads it only for what was saved before the start.
   */
  const stripped = new LRUCache<string, string>({
    maxSize: MOST_STRIPPED,
    sizeCalculation: (program, source) => program.length + source.length + 1,
  });
  const programOf = (source: string): Pick<RunJob, 'source' | 'isStripped'> => {
    const program = stripped.get(source);
    return { source: program ?? source, isStripped: program !== undefined };
  };

  async function foldOnce(
    job: FoldRequest,
    isEachAlone: boolean,
    options: SchedulingOptions | undefined,
  ): Promise<Folded | NotFolded | FoldEnded | 'together' | 'busy' | 'dropped'> {
    const inProgress = new Int32Array(new SharedArrayBuffer(8));
    const watched = { inProgress, silentMs: FOLD_SILENT_MS };
    const own = { kind: 'fold', isEachLookedAt: false, isEachAlone, budgetMs: FOLD_BUDGET_MS, watched } as const;
    const fold: FoldJob = { ...job, ...own, ...programOf(job.source) };
    const outcome = await runners.run(fold, { ...options, waitMs: REQUEST_WAIT_MS });
    if (outcome === 'busy' || outcome === 'dropped') return outcome;
    const answer = foldAnswer(outcome);
    if (answer !== undefined) return answer;
    if (typeof outcome === 'object' || Atomics.load(inProgress, 1) > 1) return 'together';
    return { kind: 'ended', index: Atomics.load(inProgress, 0), how: outcome === 'lost' ? outcome : 'late' };
  }

  return {
    async run(job, options) {
      const run: RunJob = { ...job, kind: 'run', ...programOf(job.source) };
      const answer = await runners.run(run, { ...options, waitMs: REQUEST_WAIT_MS });
      if (answer === 'busy' || answer === 'dropped') return answer;
      if (typeof answer === 'object' && (answer.kind === 'ran' || answer.kind === 'stopped')) return answer;
      return {
        kind: 'stopped',
        detail: answer === 'late' ? TOO_LONG : TOO_LARGE,
        console: [],
        consoleTruncated: false,
      };
    },
    async carryOut<Answer extends object>(
      job: Omit<ModuleJob, 'kind'>,
      options?: SchedulingOptions,
    ): Promise<Outcome<Answer>> {
      const outcome = await runners.run({ ...job, kind: 'module' }, { ...options, waitMs: REQUEST_WAIT_MS });
      if (typeof outcome === 'string') return outcome;
      if (outcome.kind !== 'module_done') throw new Error('A worker of the sandbox answered another job.');
      return outcome.answer as Answer;
    },
    programOf,
    async fold(job, options) {
      const whole = await foldOnce(job, false, options);
      // What it is about those that went in together is seen when each goes in alone.
      const alone = whole === 'together' ? await foldOnce(job, true, options) : whole;
      if (alone === 'together') throw new Error('Events that went in alone went in together.');
      return alone;
    },
    async tryFold(job) {
      const whole: FoldJob = {
        ...job,
        ...programOf(job.source),
        kind: 'fold',
        isEachLookedAt: true,
        isEachAlone: true,
        budgetMs: CHECK_WALL_CLOCK_MS,
      };
      const outcome = await checkers.run(whole, { waitMs: REQUEST_WAIT_MS });
      return outcome === 'busy' ? outcome : (foldAnswer(outcome) ?? 'late');
    },
    async check(source, form) {
      const answer = await checkers.run({ kind: 'check', source, form }, { waitMs: REQUEST_WAIT_MS });
      if (answer === 'busy') return answer;
      if (typeof answer !== 'object' || answer.kind !== 'checked') return undefined;
      if (answer.program !== undefined) stripped.set(source, answer.program);
      return answer;
    },
    async close() {
      await Promise.all([runners.close(), checkers.close()]);
    },
  };
}

interface ProgramsOptions {
  size: number;
  wallClockMs: number;
  mostHanded: number;
  /** Workers that are kept when idle. */
  kept: number;
}

function createPrograms({
  size,
  wallClockMs,
  mostHanded,
  kept,
}: ProgramsOptions): WorkerPool<SandboxJob, SandboxReply> {
  return new WorkerPool({
    name: 'sandbox',
    script: new URL('./worker.ts', import.meta.url),
    data: compileWasm,
    size,
    deadlineMs: () => wallClockMs,
    mostHanded,
    limits: { maxOldGenerationSizeMb: 128, maxYoungGenerationSizeMb: 16, stackSizeMb: 16 },
    idle: { ms: IDLE_MS, kept },
  });
}

function foldAnswer(outcome: Outcome<SandboxReply>): Folded | NotFolded | undefined {
  if (typeof outcome === 'string') return undefined;
  return outcome.kind === 'folded' || outcome.kind === 'not_folded' ? outcome : undefined;
}
