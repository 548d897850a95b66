// What the engine works with, in types that refer to each other: the plan of a document, the work of one input, and what
// each type of task has to say.
//
// A type of task has an engine part, a TaskEngine: how a step of the type begins, and what its frames do.
// A step that waits or runs others opens a frame. The rules of a frame's kind stand with the task that opens it; what a
// kind does not have it leaves out. Rules never look at frames of other kinds.
import type { Awaited } from '../../../../shared/run-status.ts';
import type { Issue } from '../../../../shared/issues.ts';
import type { Json, JsonObject } from '../../../../shared/json.ts';
import type { CancelKind, CloudEvent, Command, MovedStep, RunInput } from '../../durable.ts';
import type { Ending } from '../../run.ts';
import type { Extension, Task, WorkflowDocument } from '../document/dsl.ts';
import type { Fault, WorkflowError } from './faults.ts';
import type { Frame, FrameOf, RootFrame } from './frames.ts';
import type { Asking } from './requests.ts';

/** A list of steps that run one after the other, or the branches of a fork. */
export interface PlannedScope {
  steps: readonly PlannedStep[];
}

export interface PlannedStep {
  /** Its index in `Plan.steps`. */
  number: number;
  name: string;
  /** JSON Pointer in the document. */
  reference: string;
  task: Task;
  /** Its type of task, or `extension` for a step around one that is extended. */
  kind: string;
  engine: AnyTaskEngine;
  /** Its scope, and its index there. */
  scope: PlannedScope;
  place: number;
  /** The steps under it: of `do`, `for`, `fork`, `try`, `listen.foreach`, or the step that is extended. */
  body?: PlannedScope;
  /** The steps of a catch. */
  handler?: PlannedScope;
  before?: PlannedScope;
  after?: PlannedScope;
  extension?: Extension;
  /** For a step of an extension: the step that is extended, which is what `$task` means there. */
  extends?: PlannedStep;
}

export interface Plan {
  document: WorkflowDocument;
  root: PlannedScope;
  steps: readonly PlannedStep[];
  /** The workflow's own functions, each a list of one step. */
  functions: ReadonlyMap<string, PlannedScope>;
}

/** Which list of steps of a frame's step is meant. */
export type ListName = 'body' | 'handler' | 'before' | 'after';

/** What is to be done next. Actions are taken last in, first out, so that a step's own steps come before its next. */
export type Action =
  /** `raw` is absent for a branch: it is given what its fork was given. */
  | { do: 'enter'; parent: number; list: ListName; place: number; raw?: Json }
  | { do: 'done'; parent: number; step: number; output: Json; then: string }
  /** A list of steps ended. */
  | { do: 'over'; parent: number; list: ListName; output: Json; hasExited: boolean }
  | { do: 'fail'; parent: number; error: WorkflowError; issues: Issue[] | null; isRaised: boolean };

/** What the engine knows of a run beside its state. */
export interface Facts {
  runId: string;
  /** When the input is applied, in milliseconds since 1970. */
  now: number;
  /** The definition's name and version, the playbook. */
  name: string;
  version: number;
  org: string;
  playbook: string;
  /** The product's version. */
  runtimeVersion: string;
  /** Variables that the operator gives to the playbook's workflows. */
  secrets: Readonly<Record<string, string>>;
  /** Whether the playbook is known to have another event with the same source and id. */
  isTaken: (event: JsonObject) => boolean;
  /** What is wrong with an event that is to be published. */
  checkEvent: (event: JsonObject) => readonly Issue[];
}

export interface Work {
  plan: Plan;
  facts: Facts;
  root: RootFrame;
  /** Parts as they are now: changed ones, and those that were read. */
  known: Map<string, Json | undefined>;
  changed: Set<string>;
  commands: Command[];
  moved: { visit: number; step: MovedStep }[];
  actions: Action[];
  ending: Ending | undefined;
  /** Ids of sent events that this decision took. */
  takenEvents: Set<string>;
  /** Visits of steps that open no frame are numbered downwards. */
  visits: number;
  /** What history has of the input, where it is replayed. */
  replay: Replay | undefined;
}

/** How history has a visit of a step in one input. */
export type RecordedOutcome = { output: Json; isRedacted: boolean } | { error: WorkflowError };

/** What is known of one input that is replayed. */
export interface Replay {
  /** The outcomes that history has of a step in this input, in order, by `visitKey`; undefined: the step was skipped. */
  outcomes: ReadonlyMap<string, readonly (RecordedOutcome | undefined)[]>;
  /** The step before which the replay stops, by `visitKey`. */
  target: ReplayTarget;
  /** Nothing is moved: what is left to do stays for later. */
  isHeld: boolean;
  /** The frame whose call was answered from the record: its raw output is not known. */
  answered: number | undefined;
}

export interface ReplayTarget {
  key: string;
  /** At which of its visits in this input the replay stops, from 1; 0: at none. */
  visit: number;
  isReached: boolean;
  /** The context when it was last entered. */
  context: Json;
}

/** Where an expression stands: what its arguments mean there. */
export interface ExpressionContext {
  /** The frame above, whose variables are in scope; undefined at the root of the workflow. */
  parent: number | undefined;
  step?: PlannedStep;
  /** The step's raw input, transformed input, raw output and transformed output, as far as they are there. */
  raw?: Json;
  input?: Json;
  rawOutput?: Json;
  output?: Json;
  startedAt?: number;
  /** How the call of the step proved who it was. */
  authorization?: JsonObject | null;
  /** Variables of the expression itself, beside those of the frames above. */
  variables?: Readonly<Record<string, Json>>;
}

/** A step with all its data: where it was entered, or as its frame holds it. */
export interface Visit extends ExpressionContext {
  parent: number;
  step: PlannedStep;
  raw: Json;
  input: Json;
  startedAt: number;
}

export interface TaskEngine<T extends Task, F extends FrameOf<string> = never> {
  /** Begins the task of a step, and ends it where it need not wait. @throws Fault */
  begin(work: Work, visit: Visit, task: T): Asking<void>;
  /** The rules of the frames that it opens, by their kinds. */
  frames: { readonly [Kind in F['kind']]: FrameRules<Extract<F, { kind: Kind }>> };
}

/** The engine's part of any type of task. */
export interface AnyTaskEngine {
  begin(work: Work, visit: Visit, task: Task): Asking<void>;
  frames: Readonly<Record<string, FrameRules>>;
}

export interface FrameRules<F extends FrameOf<string> = Frame> {
  /** No step runs under it: it is written once, in one part with what it was given. */
  isLeaf?: boolean;
  /** It stands for no step of the document, as a branch does: it leaves no history, and no limit counts it. */
  isInner?: boolean;
  /** What the run waits for while it is open; undefined: for nothing, or for a call out of the service. */
  awaits?(frame: Partial<F>): Awaited | undefined;

  /** Which list of its step runs now; absent: `body`. */
  list?(frame: F): ListName;
  /** The steps that it runs; absent: the list of its step. */
  steps?(work: Work, frame: F): PlannedScope;
  /** A step under it is done. True: that was all there is to do; false: the run continues with the next step. */
  stepDone?(work: Work, frame: F, done: { output: Json; then: string }): Asking<boolean>;
  /** The list that it runs ended, or a step of it exited; absent: it runs no list. */
  over?(work: Work, frame: F, end: ListEnd): Asking<void>;
  /** Catches an error of the steps under it; false when it is not for this frame. @throws Fault of its own */
  catchFault?(work: Work, frame: F, error: Fault): Asking<boolean>;
  /** Variables that the steps under it see. */
  variables?(work: Work, frame: F): Asking<Record<string, Json>>;
  /** Which iteration the steps under it belong to, from 0. */
  iteration?(frame: F): number;

  /** Applies an input that is for the frame; false when it does not wait for that, or no longer does. */
  apply?(work: Work, frame: F, input: RunInput): Asking<boolean>;
  /** Offers it an event; false when it does not take it. */
  offer?(work: Work, frame: F, event: CloudEvent): Asking<boolean>;
  /** The frames under it, where they are other than its `child`. */
  branchFrames?(frame: F): readonly number[];
  /** Stops what it waits for by itself, and lets go what it kept, once what runs under it has stopped. */
  stop?(work: Work, frame: F, kind: CancelKind): void;
}

export interface ListEnd {
  list: ListName;
  output: Json;
  hasExited: boolean;
}
