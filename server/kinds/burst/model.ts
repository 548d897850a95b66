// What the main thread and a worker tell each other of a burst. All of it is copied between threads.
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

/** How far a burst is. */
export interface Progress {
  decided: number;
  /** Steps that the decisions moved, and bytes of their inputs and outputs. */
  steps: number;
  bytes: number;
  /** The time of the last decision, in milliseconds since 1970. */
  now: number;
  /** When the timers that are set and not due are due, by number. */
  timers: Map<number, number>;
  /** Timers that are due, in the order of their setting. */
  due: DueTimer[];
  /** The call that is to be made. */
  call: { command: StartRun; data: JsonObject; index: number } | undefined;
  /** Something else is requested: what follows is decided after the commit. */
  isBlocked: boolean;
}

export interface DueTimer {
  number: number;
  data: JsonObject;
  index: number;
}

/** A function whose result depends on its input alone, as a worker carries it out. */
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

/** How a worker decides about the runs of a version as their kind does. */
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
  /** Whether `parts` holds every part there is. */
  isWhole: boolean;
  functions: readonly PureFunction[];
  /** When the first of the stored timers of the run is due. */
  firstTimer: number;
  /** How long the calls may take together, in milliseconds. */
  leftMs: number;
  /** A shared memory: see `Control`. */
  control: Int32Array;
}

/** Places in `BurstJob.control`. */
export const CONTROL = {
  /** 1: no further call is begun. */
  stopped: 0,
  /** The number of the function that is carried out, from 1; 0: none was begun. */
  inProgress: 1,
} as const;

export interface CarriedOn {
  decided: readonly Decided[];
  progress: Progress;
  /** A call that has ended, whose ending only the main thread can decide about. */
  ended?: CalledRun;
  /** The function that was stopped because it took too long. */
  tooSlow?: number;
}

/** How much of `leftMs` must remain where a call begins, in milliseconds. */
export const LEAST_MS = 50;

/** Only the main thread can do it: the burst goes on there. */
export class NotHere extends Error {}
