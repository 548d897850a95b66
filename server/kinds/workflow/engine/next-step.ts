// Which step of a run comes next: the one behind, the one that `then` names, or none, where a list or the workflow is over. Where
// a `switch` sets `then`, tasks/switch.ts has chosen it.
import type { Json } from '../../../../shared/json.ts';
import { endWorkflow, finishWorkflow } from './endings.ts';
import { type Frame, ROOT } from './frames.ts';
import type { Action, ListEnd, ListName, PlannedScope, Work } from './model.ts';
import type { Asking } from './requests.ts';
import { rulesOf, stepOf } from './work.ts';

/** A step is done: the run continues behind it, or where its `then` says. */
export function* afterStep(
  work: Work,
  frame: Frame,
  { step: number, output, then }: Action & { do: 'done' },
): Asking<void> {
  const step = stepOf(work, { step: number });
  const rules = rulesOf(work, frame);
  if (rules.stepDone !== undefined && (yield* rules.stepDone(work, frame, { output, then }))) return;
  if (then === 'end') return yield* endWorkflow(work, output);
  const list = rules.list?.(frame) ?? 'body';
  if (then === 'exit') return yield* afterList(work, frame, { list, output, hasExited: true });
  const index = then === 'continue' ? -1 : step.scope.steps.findIndex(({ name }) => name === then);
  return continueWith(work, frame, list, index === -1 ? step.place + 1 : index, output);
}

/** A list of steps ended, or a step of it exited. */
export function* afterList(work: Work, frame: Frame, end: ListEnd): Asking<void> {
  if (frame.id === ROOT) return yield* finishWorkflow(work, end.output);
  const rules = rulesOf(work, frame);
  if (rules.over === undefined) throw new Error(`A frame of the kind ${frame.kind} runs no list of steps.`);
  yield* rules.over(work, frame, end);
}

/** The steps that a frame runs, by the name of the list. */
export function listOf(work: Work, frame: Frame, list: ListName): PlannedScope {
  if (frame.kind === 'root') return work.plan.root;
  const step = stepOf(work, frame);
  return rulesOf(work, frame).steps?.(work, frame) ?? step[list] ?? { steps: [] };
}

/** Continues with the steps of a list from an index on; past its end the list is over. */
export function continueWith(work: Work, frame: Frame, list: ListName, index: number, raw: Json): void {
  if (index < listOf(work, frame, list).steps.length) {
    work.actions.push({ do: 'enter', parent: frame.id, list, place: index, raw });
  } else work.actions.push({ do: 'over', parent: frame.id, list, output: raw, hasExited: false });
}
