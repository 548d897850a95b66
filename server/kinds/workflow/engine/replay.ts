// Replaying the inputs of a run: where it stops, how calls are answered, and how a step is taken back to its beginning.
import type { Action, Facts, Plan, Replay, Work } from './model.ts';
import type { Json } from '../../../../shared/json.ts';
import type { Decision } from '../../durable.ts';
import { cancelUnder } from './cancel.ts';
import { Fault } from './faults.ts';
import { CONTEXT_KEY, type Frame, hotKey, ROOT, type RootFrame } from './frames.ts';
import { decisionOf, keepPending } from './pending.ts';
import { Diverged, recordedOutcome, visitKey } from './recorded.ts';
import { askPart, type Asking } from './requests.ts';
import { listOf } from './next-step.ts';
import { failFrame, finishFrame } from './steps.ts';
import {
  closeFrame,
  coldOf,
  contextOf,
  iterationsUnder,
  newWork,
  rulesOf,
  stepOf,
  takeFrame,
  writePart,
} from './work.ts';

/** Answers a call of a frame from the record. */
export function* answerFromRecord(work: Work, replay: Replay, frame: Frame): Asking<void> {
  const { reference } = stepOf(work, frame);
  const outcome = recordedOutcome(work, replay, reference, frame.iterations);
  if (outcome === undefined) throw new Diverged(reference);
  replay.answered = frame.id;
  if ('error' in outcome) yield* failFrame(work, frame, new Fault(outcome.error));
  else yield* finishFrame(work, frame, outcome.output);
}

/** Whether the replay stops before an action. */
export function* stopsBefore(work: Work, replay: Replay, action: Action): Asking<boolean> {
  if (replay.isHeld) return true;
  const { target } = replay;
  if (action.do !== 'enter') return false;
  const parent = yield* takeFrame(work, action.parent);
  const step = parent === undefined ? undefined : listOf(work, parent, action.list).steps[action.place];
  if (step === undefined || step.kind === 'extension') return false;
  const { iterations } = iterationsUnder(work, parent);
  if (visitKey(step.reference, iterations) !== target.key) return false;
  target.context = yield* contextOf(work);
  target.visit -= 1;
  target.isReached = target.visit === 0;
  return target.isReached;
}

/**
 * Takes the step of an open frame back to its beginning: all under it is stopped, and entering it is left to do.
 * @param context as it was when the step began; absent: it stays as it is
 */
export function* reopen(plan: Plan, facts: Facts, id: number, context?: Json): Asking<Decision> {
  const work = newWork(plan, facts, (yield* askPart(hotKey(ROOT))) as unknown as RootFrame);
  const frame = yield* takeFrame(work, id);
  const parent = frame && (yield* takeFrame(work, frame.parent));
  if (frame === undefined || parent === undefined) throw new Error(`The frame ${id} is not open.`);
  const { raw } = yield* coldOf(work, id);
  const step = stepOf(work, frame);
  yield* cancelUnder(work, frame, 'parent_ended');
  yield* closeFrame(work, frame);
  if (context !== undefined) writePart(work, CONTEXT_KEY, context);
  const list = rulesOf(work, parent).list?.(parent) ?? 'body';
  work.actions.push({ do: 'enter', parent: parent.id, list, place: step.place, raw });
  yield* keepPending(work);
  return decisionOf(work);
}
