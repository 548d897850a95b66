// How a run moves from step to step: entering, finishing and failing, up and down the frames.
//
// 1. Each action leaves the frames whole: whatever is cut off after one can go on with the next.
// 2. A step's data flows in the standard's order: `if`, input schema, `input.from`, the task, `output.as`, output
//    schema, `export.as`, export schema, then the next step.
// 3. An error goes up frame by frame; what ran beside it is cancelled on the way.
import type { Action, ExpressionPlace, ListEnd, Work } from './model.ts';
import { assertNever } from '../../../../shared/assert-never.ts';
import { endWorkflow, finishWorkflow } from './endings.ts';
import { Fault } from './faults.ts';
import { type Frame, ROOT } from './frames.ts';
import type { Asking } from './requests.ts';
import { failFrame, failIn, continueWith, innermost, leave, listOf, located } from './steps.ts';
import { check, holds, transform } from './values.ts';
import { coldOf, noteVisit, rulesOf, stepOf, takeFrame } from './work.ts';

/** Carries out one action. */
export function* act(work: Work, action: Action): Asking<void> {
  const parent = yield* takeFrame(work, action.parent);
  // What an action belongs to may have been cancelled before its turn came.
  if (parent === undefined) return;
  switch (action.do) {
    case 'enter':
      return yield* enter(work, parent, action);
    case 'done':
      return yield* done(work, parent, action);
    case 'over':
      return yield* over(work, parent, action);
    case 'fail': {
      const options = { isRaised: action.isRaised, ...(action.issues === null ? {} : { issues: action.issues }) };
      return yield* fail(work, parent, new Fault(action.error, options));
    }
    default:
      return assertNever(action);
  }
}

function* enter(work: Work, parent: Frame, action: Action & { do: 'enter' }): Asking<void> {
  const step = listOf(work, parent, action.list).steps[action.place];
  if (step === undefined) throw new Error('A step of the plan is missing.');
  const raw = action.raw === undefined ? (yield* coldOf(work, parent.parent)).input : action.raw;
  const place: ExpressionPlace = { parent: parent.id, step, raw, startedAt: work.facts.now };
  try {
    const { task } = step;
    if (task.if !== undefined && !(yield* holds(work, place, task.if, raw))) {
      yield* noteVisit(work, { parent: parent.id, step: innermost(step) }, 'skipped', { because: 'condition' });
      leave(work, parent.id, step, raw, 'continue');
      return;
    }
    if (step.kind !== 'extension') {
      yield* check(task.input?.schema, raw, { what: `The input of ${step.reference}`, pointer: '/input' });
      place.input = yield* transform(work, place, task.input?.from, raw);
    } else place.input = raw;
    const visit = { ...place, parent: parent.id, step, raw, input: place.input, startedAt: work.facts.now };
    yield* step.engine.begin(work, visit, task);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const visit = { parent: parent.id, step: innermost(step) };
    yield* noteVisit(work, visit, 'failed', { error: located(error, step).error });
    failIn(work, parent.id, located(error, step));
  }
}

function* done(work: Work, frame: Frame, { step: number, output, then }: Action & { do: 'done' }): Asking<void> {
  const step = stepOf(work, { step: number });
  const rules = rulesOf(work, frame);
  if (rules.stepDone !== undefined && (yield* rules.stepDone(work, frame, { output, then }))) return;
  if (then === 'end') return yield* endWorkflow(work, output);
  const list = rules.list?.(frame) ?? 'body';
  if (then === 'exit') return yield* over(work, frame, { list, output, hasExited: true });
  const place = then === 'continue' ? -1 : step.scope.steps.findIndex(({ name }) => name === then);
  return continueWith(work, frame, list, place === -1 ? step.place + 1 : place, output);
}

/** A list of steps came to its end, or a step of it exited. */
function* over(work: Work, frame: Frame, end: ListEnd): Asking<void> {
  if (frame.id === ROOT) return yield* finishWorkflow(work, end.output);
  const rules = rulesOf(work, frame);
  if (rules.over === undefined) throw new Error(`A frame of the kind ${frame.kind} runs no list of steps.`);
  yield* rules.over(work, frame, end);
}

/** Something under the frame failed: it is caught here, or goes further up. */
function* fail(work: Work, frame: Frame, error: Fault): Asking<void> {
  const rules = rulesOf(work, frame);
  try {
    if (rules.catchFault !== undefined && (yield* rules.catchFault(work, frame, error))) return;
  } catch (own) {
    if (!(own instanceof Fault)) throw own;
    return yield* failFrame(work, frame, own);
  }
  return yield* failFrame(work, frame, error);
}
