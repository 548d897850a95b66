// The steps of a run, whatever they are: what stands above them, how their data flows out, how they fail.
import type { Export } from '../document/dsl.ts';
import type { ExpressionContext, PlannedStep, Visit, Work } from './model.ts';
import type { Json } from '../../../../shared/json.ts';
import { jsonBytes } from '../../../lib/canonical-json.ts';
import { cancelUnder } from './cancel.ts';
import { endWithError } from './endings.ts';
import { Fault } from './faults.ts';
import { CONTEXT_KEY, type Frame, ROOT } from './frames.ts';
import { outputFromRecord } from './recorded.ts';
import type { Asking } from './requests.ts';
import { check, transform } from './values.ts';
import { closeFrame, coldOf, contextOf, note, noteVisit, Oversized, rulesOf, stepOf, writePart } from './work.ts';

const CONTEXT_BYTES = 1_048_576;

/** The step that a wrapper of extensions stands for. */
export function innermost(step: PlannedStep): PlannedStep {
  const inner = step.kind === 'extension' ? step.body?.steps[0] : undefined;
  return inner === undefined ? step : innermost(inner);
}

export function* visitOf(work: Work, frame: Frame): Asking<Visit> {
  const { raw, input } = yield* coldOf(work, frame.id);
  const { parent, startedAt, authorization = null } = frame;
  return { parent, step: stepOf(work, frame), raw, input, startedAt, authorization };
}

/** How a step finished. */
interface Finish {
  /** The frame of the step, where it opened one. */
  frame?: Frame | undefined;
  /** Where the run continues; absent: where the task says. */
  then?: string | undefined;
  /** The case that a `switch` took. */
  taken?: string;
}

/** The task of a step is done: its output flows on. @throws Fault */
export function* finish(work: Work, visit: Visit, rawOutput: Json, how: Finish = {}): Asking<void> {
  const { frame, then, taken } = how;
  const { step, parent } = visit;
  const { task } = step;
  const after = { ...visit, rawOutput };
  const output = yield* outputOf(work, after, rawOutput, frame);
  yield* exportContext(work, { ...after, output }, task.export, output, step.reference);
  if (frame !== undefined) yield* closeFrame(work, frame);
  if (frame === undefined)
    yield* noteVisit(work, visit, 'finished', { output, ...(taken === undefined ? {} : { taken }) });
  else note(work, frame, 'finished', { output });
  leave(work, parent, step, output, then ?? task.then ?? 'continue');
}

/** What `output.as` makes of the raw output, or what history has. @throws Fault */
function* outputOf(work: Work, after: Visit, rawOutput: Json, frame: Frame | undefined): Asking<Json> {
  const { step } = after;
  const { output: rule } = step.task;
  const recorded = work.replay === undefined ? undefined : yield* outputFromRecord(work, work.replay, after, frame);
  if (recorded !== undefined) return recorded;
  const output = yield* transform(work, after, rule?.as, rawOutput);
  yield* check(rule?.schema, output, { what: `The output of ${step.reference}`, pointer: '/output' });
  return output;
}

/** `export.as` replaces the context; its schema is asked in any case. @throws Fault */
export function* exportContext(
  work: Work,
  place: ExpressionContext,
  rule: Export | undefined,
  output: Json,
  reference: string,
): Asking<void> {
  if (rule === undefined) return;
  const before = yield* contextOf(work);
  const context = rule.as === undefined ? before : yield* transform(work, place, rule.as, output);
  yield* check(rule.schema, context, { what: `The context that ${reference} exports`, pointer: '/context' });
  if (rule.as !== undefined) setContext(work, context);
}

function setContext(work: Work, context: Json): void {
  const bytes = jsonBytes(context);
  if (bytes > CONTEXT_BYTES) {
    throw new Oversized(`The context has ${bytes} bytes as JSON, and the maximum is ${CONTEXT_BYTES}; export less.`);
  }
  writePart(work, CONTEXT_KEY, context);
}

/** As `finish` for a frame that has ended; an error of its output is the step's own. */
export function* finishFrame(work: Work, frame: Frame, rawOutput: Json, then?: string): Asking<void> {
  try {
    yield* finish(work, yield* visitOf(work, frame), rawOutput, { frame, then });
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    yield* failFrame(work, frame, error);
  }
}

/** A step is done: its parent continues. */
export function leave(work: Work, parent: number, step: PlannedStep, output: Json, then: string): void {
  work.actions.push({ do: 'done', parent, step: step.number, output, then });
}

/** The frame's own step fails. */
export function* failFrame(work: Work, frame: Frame, error: Fault): Asking<void> {
  if (frame.id === ROOT) return yield* endWithError(work, error);
  const step = stepOf(work, frame);
  yield* cancelUnder(work, frame, 'parent_ended');
  yield* closeFrame(work, frame);
  const found = located(error, step);
  if (rulesOf(work, frame).isInner !== true) note(work, frame, 'failed', { error: found.error });
  failIn(work, frame.parent, found);
}

export function failIn(work: Work, parent: number, { error, issues, isRaised }: Fault): void {
  work.actions.push({ do: 'fail', parent, error, issues: issues === undefined ? null : [...issues], isRaised });
}

/** The error with the pointer of the step that raised it, where it has none yet. */
export function located(fault: Fault, step: PlannedStep): Fault {
  if (fault.error['instance'] !== undefined) return fault;
  const { isRaised, issues } = fault;
  const error = { ...fault.error, instance: step.reference };
  return new Fault(error, { isRaised, ...(issues === undefined ? {} : { issues }) });
}
