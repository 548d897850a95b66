// Continues a burst in a worker: executes the next call, decides, executes the call that this decision makes, and so on.
import { LIMITS } from '../../../shared/limits.ts';
import { canonicalJson, jsonBytes } from '../../lib/canonical-json.ts';
import type { SchemaChecker } from '../../lib/schemas/index.ts';
import { sha256 } from '../../lib/sha256.ts';
import { boundedEnding } from '../ending-data.ts';
import { refusalOfInput } from '../refuse-input.ts';
import type { Ending } from '../run.ts';
import type { RunState } from '../durable.ts';
import { Burst } from './burst.ts';
import {
  type BurstJob,
  type CalledRun,
  type Continued,
  CONTROL,
  type Decide,
  LEAST_MS,
  NeedsMainThread,
  type PureFunction,
  type StartRun,
} from './model.ts';

export interface ContinueMeans {
  /** In milliseconds since 1970. */
  now: () => number;
  /** The remaining time for calls, in milliseconds. */
  leftMs: () => number;
  decide: Decide;
  schemas: Pick<SchemaChecker, 'compileSchema'>;
  /** Executes a call whose input matches the function's schema. Undefined if the function takes longer than the remaining time. @throws NeedsMainThread */
  execute: (
    called: PureFunction,
    call: StartRun,
    start: Pick<CalledRun, 'inputSha256' | 'startedAt'>,
  ) => Promise<Ending | undefined>;
}

export async function continueBurst(
  job: BurstJob,
  { now, leftMs, decide, schemas, execute }: ContinueMeans,
): Promise<Continued> {
  const { run, functions, firstTimer, control } = job;
  const burst = new Burst(stateOf(job), job.progress);
  let ended: CalledRun | undefined;
  let tooSlow: number | undefined;

  async function call(command: StartRun): Promise<CalledRun | undefined> {
    const index = functions.findIndex(({ type, name }) => type === command.type && name === command.name);
    const called = functions[index];
    if (called === undefined || Atomics.load(control, CONTROL.stopped) === 1 || leftMs() < LEAST_MS) return undefined;
    // The call's task refuses such an input.
    if (jsonBytes(command.input) > LIMITS.inputBytes) return undefined;
    Atomics.store(control, CONTROL.inProgress, index + 1);
    const start = { inputSha256: sha256(canonicalJson(command.input)), startedAt: now() };
    const refusal = await refusalOfInput(schemas, called, called.inputSchema, command.input);
    const ending = refusal ?? (await execute(called, command, start));
    Atomics.store(control, CONTROL.inProgress, 0);
    if (ending === undefined) {
      tooSlow = index;
      return undefined;
    }
    const endedAt = now();
    if (endedAt >= firstTimer) return undefined;
    ended = { call: command, ...start, endedAt, ending: boundedEnding(ending) };
    return ended;
  }

  const decideAt = (state: RunState, input: Parameters<Decide>[2], at: number) =>
    decide({ ...run, now: at, takenEventKeys: new Set() }, state, input);
  try {
    await burst.moveOn({ decide: decideAt, call });
  } catch {
    // The main thread decides about the same input, with everything that the worker lacks, and reports the error.
  }
  const { progress } = burst;
  const isLeft = ended !== undefined && progress.call?.command.runId === ended.call.runId;
  return {
    decided: burst.result(),
    progress,
    ...(isLeft && ended !== undefined ? { ended } : {}),
    ...(tooSlow === undefined ? {} : { tooSlow }),
  };
}

function stateOf({ parts, isWhole }: BurstJob): RunState {
  return {
    part(key) {
      if (isWhole || parts.has(key)) return parts.get(key);
      throw new NeedsMainThread();
    },
    mailbox: () => Promise.reject(new NeedsMainThread()),
  };
}
