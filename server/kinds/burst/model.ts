// The messages between the main thread and a worker about a burst. All of them are copied between threads.
import type { DefinitionType } from '../../../shared/definition-types.ts';
import type { Json, JsonObject } from '../../../shared/json.ts';
import type { Programs } from '../../lib/sandbox/index.ts';
import type { SchemaChecker } from '../../lib/schemas/index.ts';
import type { Command, Decision, DurableRun, RunInput, RunState } from '../durable.ts';
import type { Ending } from '../run.ts';

export type StartRun = Extract<Command, { do: 'start_run' }>;

/** An input and the decision about it. The input is absent for the refusal of a start. */
export interface Decided {
  input?: Pick<RunInput, 'kind' | 'key'>;
  decision: Decision;
  /** Where it follows from another decision of the same commit. */
  follows?: Follows;
}

export interface Follows {
  /** The index of the decision that set the timer or called the run. */
  index: number;
  /** In milliseconds since 1970. */
  now: number;
  /** The run whose ending is the input. */
  called?: CalledRun;
}

/** A called run that has ended before its call is committed: both are recorded in one commit, or neither. */
export interface CalledRun {
  call: StartRun;
  inputSha256: string;
  /** In milliseconds since 1970. */
  startedAt: number;
  endedAt: number;
  ending: Ending;
}

/** The progress of a burst. */
export interface Progress {
  decided: number;
  /** Steps that the decisions moved, and bytes of their inputs and outputs. */
  steps: number;
  bytes: number;
  /** The time of the last decision, in milliseconds since 1970. */
  now: number;
  /** Due times of the timers that are set and not yet due, by their number; in milliseconds since 1970. */
  timers: Map<number, number>;
  /** Timers that are due, in the order of their setting. */
  due: DueTimer[];
  /** The next call. */
  call: { command: StartRun; data: JsonObject; index: number } | undefined;
  /** The run requests something else, so its next decision is made after the commit. */
  isBlocked: boolean;
}

export interface DueTimer {
  number: number;
  data: JsonObject;
  index: number;
}

/** A function whose result depends on its input alone, as a worker executes it. */
export interface PureFunction {
  type: DefinitionType;
  name: string;
  /** Of the module that exports `endPure`, an `EndPure`. */
  module: string;
  source: string;
  isStripped: boolean;
  inputSchema: JsonObject | undefined;
  outputSchema: JsonObject | undefined;
}

export type EndPure = (
  called: Omit<PureFunction, 'module'> & { input: Json; inputSha256: string; startedAt: number },
  programs: { run: (job: Parameters<Programs['run']>[0]) => ReturnType<Programs['run']> },
  schemas: Pick<SchemaChecker, 'compileSchema'>,
) => Promise<Ending | undefined>;

/** The module with which a worker decides about the runs of a version, as their kind does on the main thread. */
export interface WorkerDecider {
  /** Of the module that exports `createDecide`, a `CreateDecide`. */
  module: string;
  given: JsonObject;
  /** The functions that the version may call. */
  calls: readonly { type: DefinitionType; name: string }[];
}

export type Decide = (run: DurableRun, state: RunState, input: RunInput) => Promise<Decision | undefined>;
export type CreateDecide = (given: never, schemas: Pick<SchemaChecker, 'compileSchema'>) => Decide;

/** A run that is decided about: `now` and `takenEventKeys` are those of the burst. */
export type BurstRun = Omit<DurableRun, 'now' | 'takenEventKeys'>;

export interface BurstJob {
  run: BurstRun;
  progress: Progress;
  /** The state as it is after the decisions so far. */
  parts: ReadonlyMap<string, Json | undefined>;
  /** Whether `parts` contains every part of the state. */
  isWhole: boolean;
  functions: readonly PureFunction[];
  /** When the first stored timer of the run is due, in milliseconds since 1970; infinite without one. */
  firstTimer: number;
  /** How long the calls may take together, in milliseconds. */
  leftMs: number;
  /** Shared memory, at the indexes of `CONTROL`. */
  control: Int32Array;
}

/** Indexes of `BurstJob.control`. */
export const CONTROL = {
  /** 1: no further call is begun. */
  stopped: 0,
  /** The number of the function in progress, from 1; 0: none. */
  inProgress: 1,
} as const;

export interface Continued {
  decided: readonly Decided[];
  progress: Progress;
  /** A call that has ended, if only the main thread can make the decision that follows. */
  ended?: CalledRun;
  /** The index of the function that was stopped because it took too long. */
  tooSlow?: number;
}

/** No call begins with less than this time remaining, in milliseconds. */
export const LEAST_MS = 50;

/** The worker lacks something that the main thread has, so the burst continues there. */
export class NeedsMainThread extends Error {}

/** When a message was sent: the time of the server's clock, and of one that all threads have. */
export interface SentAt {
  /** In milliseconds since 1970. */
  now: number;
  at: number;
}

/** The same in all threads, unlike `performance.now`. */
export function monotonicMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1000 + nanoseconds / 1e6;
}
