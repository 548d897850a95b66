// How a run moves from step to step: entering, finishing and failing, up and down the frames. next-step.ts chooses the step.
//
// 1. Each action leaves the frames whole: whatever is interrupted after one can continue with the next.
// 2. A step's data flows in the standard's order: `if`, input schema, `input.from`, the task, `output.as`, output
//    schema, `export.as`, export schema, then the next step.
// 3. An error goes up frame by frame; what ran beside it is cancelled on the way.
import type { Action, ExpressionContext, Work } from './model.ts';
import { assertNever } from '../../../../shared/assert-never.ts';
import { Fault } from './faults.ts';
import type { Frame } from './frames.ts';
import { afterList, afterStep, listOf } from './next-step.ts';
import type { Asking } from './requests.ts';
import { failFrame, failIn, innermost, leave, located } from './steps.ts';
import { check, holds, transform } from './values.ts';
import { coldOf, noteVisit, rulesOf, takeFrame } from './work.ts';

/** Carries out one action. */
export function* act(work: Work, action: Action): Asking<void> {
  const parent = yield* takeFrame(work, action.parent);
  // What an action belongs to may have been cancelled before its turn.
  if (parent === undefined) return;
  switch (action.do) {
    case 'enter':
      return yield* enter(work, parent, action);
    case 'done':
      return yield* afterStep(work, parent, action);
    case 'over':
      return yield* afterList(work, parent, action);
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
  const context: ExpressionContext = { parent: parent.id, step, raw, startedAt: work.facts.now };
  try {
    const { task } = step;
    if (task.if !== undefined && !(yield* holds(work, context, task.if, raw))) {
      yield* noteVisit(work, { parent: parent.id, step: innermost(step) }, 'skipped', { because: 'condition' });
      leave(work, parent.id, step, raw, 'continue');
      return;
    }
    if (step.kind !== 'extension') {
      yield* check(task.input?.schema, raw, { what: `The input of ${step.reference}`, pointer: '/input' });
      context.input = yield* transform(work, context, task.input?.from, raw);
    } else context.input = raw;
    const visit = { ...context, parent: parent.id, step, raw, input: context.input, startedAt: work.facts.now };
    yield* step.engine.begin(work, visit, task);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const visit = { parent: parent.id, step: innermost(step) };
    yield* noteVisit(work, visit, 'failed', { error: located(error, step).error });
    failIn(work, parent.id, located(error, step));
  }
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
