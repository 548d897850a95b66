// How a run moves from step to step: entering, finishing and failing, up and down the frames.
//
// 1. Each action leaves the frames whole: whatever is cut off after one can go on with the next.
// 2. A step's data flows in the standard's order: `if`, input schema, `input.from`, the task, `output.as`, output
//    schema, `export.as`, export schema, then the next step.
// 3. An error goes up frame by frame; what ran beside it is cancelled on the way.
import type { Json } from '../../../../shared/json.ts';
import { assertNever } from '../../../../shared/assert-never.ts';
import { endWorkflow, finishWorkflow } from './endings.ts';
import { Fault } from './faults.ts';
import type { Frame } from './frames.ts';
import type { Asking } from './requests.ts';
import { failFrame, failIn, finishFrame, goOn, innermost, leave, listOf, located } from './steps.ts';
import { branchDone } from './tasks/fork.ts';
import { eventWorked } from './tasks/listen.ts';
import { extensionStepDone, extensionStepsOver } from './tasks/extension.ts';
import { nextTurn } from './tasks/for.ts';
import { catchFault, handled, triedWell } from './tasks/try.ts';
import { beginTask } from './tasks/begin.ts';
import { check, holds, type ExpressionPlace, transform } from './values.ts';
import { type Action, coldOf, type ListName, noteVisit, stepOf, takeFrame, type Work } from './work.ts';

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
    yield* beginTask(work, { ...place, parent: parent.id, step, raw, input: place.input, startedAt: work.facts.now });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const visit = { parent: parent.id, step: innermost(step) };
    yield* noteVisit(work, visit, 'failed', { error: located(error, step).error });
    failIn(work, parent.id, located(error, step));
  }
}

function* done(work: Work, frame: Frame, { step: number, output, then }: Action & { do: 'done' }): Asking<void> {
  const step = stepOf(work, { step: number });
  if (frame.kind === 'extension' && frame.phase === 'extended') {
    return yield* extensionStepDone(work, frame, output, then);
  }
  if (then === 'end') return yield* endWorkflow(work, output);
  if (frame.kind === 'branch') return yield* branchDone(work, frame, output);
  const list = listName(frame);
  if (then === 'exit') return yield* over(work, frame, { list, output, hasExited: true });
  const place = then === 'continue' ? -1 : step.scope.steps.findIndex(({ name }) => name === then);
  return goOn(work, frame, list, place === -1 ? step.place + 1 : place, output);
}

function listName(frame: Frame): ListName {
  if (frame.kind === 'extension' && frame.phase !== 'extended') return frame.phase;
  return frame.kind === 'try' && frame.phase === 'catch' ? 'handler' : 'body';
}

/** A list of steps came to its end, or a step of it exited. */
function* over(work: Work, frame: Frame, end: { list: ListName; output: Json; hasExited: boolean }): Asking<void> {
  const { list, output, hasExited } = end;
  switch (frame.kind) {
    case 'root':
      return yield* finishWorkflow(work, output);
    case 'do':
    case 'function':
      return yield* finishFrame(work, frame, output);
    case 'for':
      frame.turn += 1;
      return yield* nextTurn(work, frame, output);
    case 'try':
      return list === 'handler' ? yield* handled(work, frame, output) : yield* triedWell(work, frame, output);
    case 'listen':
      return yield* eventWorked(work, frame, output);
    case 'extension':
      return yield* extensionStepsOver(work, frame, list, output, hasExited);
    case 'branch':
      return yield* branchDone(work, frame, output);
    case 'fork':
    case 'wait':
    case 'call':
    case 'perform':
      throw new Error(`A frame of the kind ${frame.kind} runs no list of steps.`);
    default:
      return assertNever(frame);
  }
}

/** Something under the frame failed: it is caught here, or goes further up. */
function* fail(work: Work, frame: Frame, error: Fault): Asking<void> {
  if (frame.kind === 'try' && frame.phase === 'try') {
    try {
      if (yield* catchFault(work, frame, error)) return;
    } catch (own) {
      if (!(own instanceof Fault)) throw own;
      return yield* failFrame(work, frame, own);
    }
  }
  return yield* failFrame(work, frame, error);
}
