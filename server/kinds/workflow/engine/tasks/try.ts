// `try`: an error under it is filtered, perhaps tried again after a wait, then handled.
import { isJsonObject, type Json, type JsonObject } from '../../../../../shared/json.ts';
import type { Awaited } from '../../../../../shared/run-status.ts';
import { isoTime } from '../../../../lib/clock.ts';
import type { ErrorFilter } from '../../document/dsl.ts';
import type { TryTask } from '../../document/tasks/try.ts';
import { cancelUnder } from '../cancel.ts';
import { Fault, isSameType, standardName, type WorkflowError } from '../faults.ts';
import { countAwaited, type FrameOf, type Sequence } from '../frames.ts';
import type { ExpressionContext, TaskEngine, Work } from '../model.ts';
import type { Asking } from '../requests.ts';
import { continueWith } from '../next-step.ts';
import { failFrame, failIn, finishFrame, visitOf } from '../steps.ts';
import { boundTime, endOf, timedOut, timeLimit } from '../time.ts';
import { holds } from '../values.ts';
import { note, openFrame, readPart, startTimer, stepOf, stopTimer, writePart } from '../work.ts';
import { nextTry, policyOf } from './retry.ts';

export type TryFrame = FrameOf<'try'> &
  Sequence & {
    phase: 'try' | 'wait' | 'catch';
    retries: number;
    firstTriedAt: number;
    /** Number of the timer that bounds this try or ends the wait for the next one; 0 when there is none. */
    timer: number;
  };

interface CaughtError extends JsonObject {
  error: WorkflowError;
}

/** The part of the state that holds the error which a `try` works on. */
const caughtKey = (frame: number): string => `e${frame}`;

const awaits = ({ phase }: Partial<TryFrame>): Awaited | undefined => (phase === 'wait' ? 'timer' : undefined);

export const TRY_ENGINE: TaskEngine<TryTask, TryFrame> = {
  *begin(work, visit) {
    const limit = yield* timeLimit(work, visit);
    const tried = { phase: 'try', retries: 0, firstTriedAt: work.facts.now, timer: 0, child: 0 } as const;
    const given = { raw: visit.raw, input: visit.input };
    const frame = yield* openFrame<TryFrame>(work, visit, { kind: 'try', ...tried }, given);
    boundTime(work, frame, limit);
    note(work, frame, 'started');
    yield* tryAgain(work, frame);
  },
  frames: {
    try: {
      awaits,
      list: ({ phase }) => (phase === 'catch' ? 'handler' : 'body'),
      over: (work, frame, { list, output }) =>
        list === 'handler' ? handled(work, frame, output) : triedWell(work, frame, output),
      *catchFault(work, frame, fault) {
        return frame.phase === 'try' && (yield* catchFault(work, frame, fault));
      },
      *variables(work, frame) {
        if (frame.phase !== 'catch') return {};
        const { as: name = 'error' } = (stepOf(work, frame).task as TryTask).catch;
        const caught = (yield* readPart(work, caughtKey(frame.id))) as CaughtError | undefined;
        return { [name]: caught?.error ?? null };
      },
      *apply(work, frame, { data }) {
        if (frame.timer !== Number(data['number'])) return false;
        if (data['for'] === 'retry' && frame.phase === 'wait') yield* retryDue(work, frame);
        else if (data['for'] === 'attempt' && frame.phase === 'try') yield* attemptTimedOut(work, frame);
        else return false;
        return true;
      },
      stop(work, frame) {
        stopTimer(work, frame.timer);
        frame.timer = 0;
        writePart(work, caughtKey(frame.id), undefined);
      },
    },
  },
};

function setPhase(work: Work, frame: TryFrame, phase: TryFrame['phase']): void {
  countAwaited(work.root, awaits(frame), -1);
  frame.phase = phase;
  countAwaited(work.root, awaits(frame), 1);
}

/** An error that shows only now is the step's own. */
function* retryDue(work: Work, frame: TryFrame): Asking<void> {
  note(work, frame, 'started');
  try {
    yield* tryAgain(work, frame);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    yield* failFrame(work, frame, error);
  }
}

function* attemptTimedOut(work: Work, frame: TryFrame): Asking<void> {
  frame.timer = 0;
  yield* cancelUnder(work, frame, 'deadline');
  failIn(work, frame.id, timedOut(stepOf(work, frame).reference));
}

/** Begins a try: the first one, or one after a wait. */
function* tryAgain(work: Work, frame: TryFrame): Asking<void> {
  const visit = yield* visitOf(work, frame);
  setPhase(work, frame, 'try');
  const duration = policyOf(work, frame)?.limit?.attempt?.duration;
  const until = duration === undefined ? undefined : yield* endOf(work, visit, duration, visit.input);
  frame.timer = until === undefined ? 0 : startTimer(work, until, { frame: frame.id, for: 'attempt' });
  continueWith(work, frame, 'body', 0, visit.input);
}

function* triedWell(work: Work, frame: TryFrame, output: Json): Asking<void> {
  stopTimer(work, frame.timer);
  yield* finishFrame(work, frame, output);
}

/** The steps of the catch are done. */
function* handled(work: Work, frame: TryFrame, output: Json): Asking<void> {
  writePart(work, caughtKey(frame.id), undefined);
  yield* finishFrame(work, frame, output, (stepOf(work, frame).task as TryTask).catch.then);
}

/** Catches an error of the steps under the frame; false when it is not for this catch. @throws Fault of its own */
function* catchFault(work: Work, frame: TryFrame, { error }: Fault): Asking<boolean> {
  const task = stepOf(work, frame).task as TryTask;
  const { errors, as: name = 'error', when, exceptWhen } = task.catch;
  if (!matches(errors?.with, error)) return false;
  const visit = yield* visitOf(work, frame);
  const context: ExpressionContext = { ...visit, variables: { [name]: error } };
  if (when !== undefined && !(yield* holds(work, context, when, visit.input))) return false;
  if (exceptWhen !== undefined && (yield* holds(work, context, exceptWhen, visit.input))) return false;
  yield* cancelUnder(work, frame, 'parent_ended');
  frame.timer = 0;
  const next = yield* nextTry(work, frame, { ...context, input: visit.input });
  if (next !== undefined) {
    setPhase(work, frame, 'wait');
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
  continueWith(work, frame, 'handler', 0, visit.input);
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
