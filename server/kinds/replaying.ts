// Runs that have ended, as another run of their kind continues from one of their steps.
import type { Json, JsonObject } from '../../shared/json.ts';
import type { CloudEvent, Decision, DurableRun, MovedStep, RunInput } from './durable.ts';

/** A step of a run. */
export interface ChosenStep {
  /** The JSON Pointer of the step, or its name where only one step has that name. */
  step: string;
  /** The iterations of the enclosing loops, outermost first, from 0; absent: the last ones in which the step ran. */
  iterations?: readonly number[];
}

/** An input that moved a run, as history has it. */
export interface RecordedInput {
  kind: RunInput['kind'];
  key: string;
  /** When it was applied, in milliseconds since 1970. */
  now: number;
  /** Of `event_received`: the event, if it is still kept. */
  event?: CloudEvent | undefined;
  /** Events that were sent to the run and that it took with the input. */
  took: readonly CloudEvent[];
  moved: readonly RecordedMove[];
}

/** A step as an input left it. The output is as it was recorded. */
export type RecordedMove = Pick<MovedStep, 'step' | 'kind' | 'iterations' | 'state'> & {
  output?: Json;
  error?: JsonObject;
};

/** A run that has ended, or one that it continued from. */
export interface RecordedRun {
  runId: string;
  version: number;
  /** The version's document. */
  source: string;
  /** Reactions that led to it. */
  depth: number;
  input: Json;
  /** What moved it, in order. */
  inputs: readonly RecordedInput[];
}

export interface ReplayRequest {
  /** The new run. Its `version` and `source` may be others than those of the run that it continues from. */
  run: DurableRun;
  /** The run to continue from, behind those that it continued from itself, with the steps where each was left. */
  before: readonly { run: RecordedRun; until: ChosenStep }[];
}

export interface Replayed {
  /** The result of starting the new run: the state that it takes over, and what it does from there. */
  decision: Decision;
  /** The step that it begins with. */
  from: ChosenStep;
}
