// `try`: an error under it is filtered, perhaps tried again after a wait, then handled.
import { isJsonObject, type Json, type JsonObject } from '../../../../../shared/json.ts';
import { isoTime } from '../../../../lib/clock.ts';
import type { ErrorFilter } from '../../document/index.ts';
import { setPhase } from '../awaited.ts';
import { cancelUnder } from '../cancel.ts';
import { type Fault, isSameType, standardName, type WorkflowError } from '../faults.ts';
import { caughtKey, type TryFrame } from '../frames.ts';
import type { Asking } from '../requests.ts';
import { finishFrame, goOn, type Visit, visitOf } from '../steps.ts';
import { boundTime, endOf, timeLimit } from '../time.ts';
import { holds, type ExpressionPlace } from '../values.ts';
import { note, openFrame, startTimer, stepOf, stopTimer, type Work, writePart } from '../work.ts';
import { nextTry, policyOf } from './retry.ts';

export function* beginTry(work: Work, visit: Visit): Asking<void> {
  const limit = yield* timeLimit(work, visit);
  const tried = { phase: 'try', retries: 0, firstTriedAt: work.facts.now, timer: 0, child: 0 } as const;
  const frame = yield* openFrame(work, visit, { kind: 'try', ...tried }, { raw: visit.raw, input: visit.input });
  boundTime(work, frame, limit);
  note(work, frame, 'started');
  if (frame.kind === 'try') yield* tryAgain(work, frame);
}

/** Begins a try: the first one, or one after a wait. */
export function* tryAgain(work: Work, frame: TryFrame): Asking<void> {
  const visit = yield* visitOf(work, frame);
  setPhase(work.root, frame, 'try');
  const duration = policyOf(work, frame)?.limit?.attempt?.duration;
  const until = duration === undefined ? undefined : yield* endOf(work, visit, duration, visit.input);
  frame.timer = until === undefined ? 0 : startTimer(work, until, { frame: frame.id, for: 'attempt' });
  goOn(work, frame, 'body', 0, visit.input);
}

export function* triedWell(work: Work, frame: TryFrame, output: Json): Asking<void> {
  stopTimer(work, frame.timer);
  yield* finishFrame(work, frame, output);
}

/** The steps of the catch are done. */
export function* handled(work: Work, frame: TryFrame, output: Json): Asking<void> {
  const { task } = stepOf(work, frame);
  writePart(work, caughtKey(frame.id), undefined);
  yield* finishFrame(work, frame, output, 'try' in task ? task.catch.then : undefined);
}

/** Catches an error of the steps under the frame; false when it is not for this catch. @throws Fault of its own */
export function* catchFault(work: Work, frame: TryFrame, { error }: Fault): Asking<boolean> {
  const { task } = stepOf(work, frame);
  if (!('try' in task)) return false;
  const { errors, as: name = 'error', when, exceptWhen } = task.catch;
  if (!matches(errors?.with, error)) return false;
  const visit = yield* visitOf(work, frame);
  const place: ExpressionPlace = { ...visit, variables: { [name]: error } };
  if (when !== undefined && !(yield* holds(work, place, when, visit.input))) return false;
  if (exceptWhen !== undefined && (yield* holds(work, place, exceptWhen, visit.input))) return false;
  yield* cancelUnder(work, frame, 'parent_ended');
  frame.timer = 0;
  const next = yield* nextTry(work, frame, { ...place, input: visit.input });
  if (next !== undefined) {
    setPhase(work.root, frame, 'wait');
    frame.retries += 1;
    frame.timer = startTimer(work, next, { frame: frame.id, for: 'retry' });
    const waitsFor = `the time ${isoTime(next)}, to try again (retry ${frame.retries})`;
    note(work, frame, 'waiting', { waitsFor });
    return true;
  }
  // A policy that is used up handles nothing by itself.
  if (task.catch.retry !== undefined && task.catch.do === undefined && task.catch.then === undefined) return false;
  frame.phase = 'catch';
  writePart(work, caughtKey(frame.id), { error });
  goOn(work, frame, 'handler', 0, visit.input);
  return true;
}

/** A filter holds when the error has each of its values. A standard error's type has several names, a bare one too. */
function matches(filter: ErrorFilter | undefined, error: WorkflowError): boolean {
  return Object.entries((filter ?? {}) as JsonObject).every(([name, wanted]) => {
    const found = error[name];
    if (name === 'type' && typeof wanted === 'string') {
      return isSameType(error.type, wanted) || standardName(error.type) === wanted;
    }
    return isJsonObject(wanted) ? JSON.stringify(wanted) === JSON.stringify(found) : wanted === found;
  });
}
