// Replaying a run from its history: the engine decides as it did, but the results of steps are taken from the record.
//
// 1. A recorded output or error stands for the step's own; expressions before and after it are evaluated again.
// 2. Commands of a replay are not executed by the engine: its caller decides what becomes of them.
// 3. A replay that does not do what the history says has Diverged; nothing is guessed.
import type { RecordedOutcome, Replay, Visit, Work } from './model.ts';
import type { Json } from '../../../../shared/json.ts';
import type { MovedStep } from '../../durable.ts';
import { Fault } from './faults.ts';
import type { Frame } from './frames.ts';
import type { Asking } from './requests.ts';
import { iterationsUnder, takeFrame } from './work.ts';

/** Names a step in its iterations. */
export function visitKey(reference: string, iterations: readonly number[] | undefined): string {
  return `${reference} ${JSON.stringify(iterations ?? [])}`;
}

/** The history says something else than what the engine decides. */
export class Diverged extends Error {
  readonly reference: string;

  constructor(reference: string) {
    super(`The history has no outcome of ${reference}.`);
    this.reference = reference;
  }
}

const LEFT: ReadonlySet<MovedStep['state']> = new Set(['finished', 'failed', 'skipped']);

/** What history has of the next visit of a step in this input. */
export function recordedOutcome(
  work: Work,
  replay: Replay,
  reference: string,
  iterations: readonly number[] | undefined,
): RecordedOutcome | undefined {
  const key = visitKey(reference, iterations);
  const before = work.moved.filter(
    ({ step }) => step.step === reference && LEFT.has(step.state) && visitKey(reference, step.iterations) === key,
  );
  return replay.outcomes.get(key)?.[before.length];
}

/** The recorded output of a step; undefined where it is to be made again. @throws Fault as recorded, Diverged */
export function* outputFromRecord(work: Work, replay: Replay, visit: Visit, frame?: Frame): Asking<Json | undefined> {
  const { iterations } = frame ?? iterationsUnder(work, yield* takeFrame(work, visit.parent));
  const outcome = recordedOutcome(work, replay, visit.step.reference, iterations);
  if (outcome === undefined) throw new Diverged(visit.step.reference);
  if ('error' in outcome) throw new Fault(outcome.error);
  // Secrets are redacted from history; a step that needs nothing from outside makes its output again.
  if (outcome.isRedacted && frame?.id !== replay.answered) return undefined;
  return outcome.output;
}
