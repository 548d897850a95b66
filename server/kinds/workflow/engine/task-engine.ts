// What the engine asks of its part of a type of task: how a step of the type begins, and what its frames do.
//
// A step that waits or runs others opens a frame. The rules of a frame's kind stand with the task that opens it; what a
// kind does not have it leaves out. Rules never look at frames of other kinds.
import type { Awaited } from '../../../../shared/awaited.ts';
import type { Json } from '../../../../shared/json.ts';
import type { CancelKind, CloudEvent, RunInput } from '../../durable.ts';
import type { Task, TaskBase } from '../document/index.ts';
import type { Fault } from './faults.ts';
import type { Frame, FrameOf } from './frames.ts';
import type { PlannedScope } from './plan.ts';
import type { Asking } from './requests.ts';
import type { Visit } from './steps.ts';
import type { ListName, Work } from './work.ts';

export interface TaskEngine<T extends TaskBase, F extends FrameOf<string> = never> {
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
  /** The list that it runs came to its end, or a step of it exited; absent: it runs no list. */
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
