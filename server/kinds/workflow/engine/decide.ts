// The engine: the decision that follows from one input. A pure function of the state and the input; it has no I/O, no clock and no
// randomness of its own.
//
// 1. An input moves every step that need not wait, at most MOST_MOVED of them with MOST_MOVED_BYTES of outputs; what is
//    left is kept and a `resumed` input continues with it, so that no loop holds the process.
// 2. An input that finds nothing waiting for it, because it arrived twice or too late, has no effect.
// 3. Deciding again gives the same. Whatever is done under a command's number is done once.
import type { Action, Facts, Plan, Replay, Work } from './model.ts';
import type { Json, JsonObject } from '../../../../shared/json.ts';
import { runInput } from '../../../../shared/run-input.ts';
import { MIB } from '../../../../shared/product.ts';
import type { Rejection } from '../../../lib/rejection.ts';
import type { CloudEvent, Decision, RunInput } from '../../durable.ts';
import { bytesOf } from '../step-bounds.ts';
import { cancelAll, cancelUnder } from './cancel.ts';
import { endWithError } from './endings.ts';
import { Fault } from './faults.ts';
import { act } from './flow.ts';
import { coldKey, hotKey, PENDING_KEY, ROOT, type RootFrame } from './frames.ts';
import { continueWith } from './next-step.ts';
import { decisionOf, keepPending } from './pending.ts';
import { answerFromRecord, stopsBefore } from './replay.ts';
import { askPart, type Asking } from './requests.ts';
import { failFrame } from './steps.ts';
import { endOf, timedOut, timeoutOf } from './time.ts';
import { check, transform } from './values.ts';
import { newWork, Oversized, readPart, rulesOf, startTimer, stepOf, takeFrame, takeSent, writePart } from './work.ts';

const MOST_MOVED = 200;
/** No further step is moved once the outputs have about so many bytes as JSON: all of them are recorded in one commit. */
const MOST_MOVED_BYTES = MIB;
/** Steps that a run moves at most without waiting: more than a loop of 10,000 turns with a few steps each has. */
const MOST_UNWAITED = 100_000;
const LONGEST_RUN_MS = 366 * 24 * 60 * 60 * 1000;

/** The run would never end. */
class Endless extends Error {}

/** @param replay what history has of the input, where it is decided again */
export function* decide(plan: Plan, facts: Facts, input: RunInput, replay?: Replay): Asking<Decision | undefined> {
  const before = (yield* askPart(hotKey(ROOT))) as unknown as RootFrame | undefined;
  if (before === undefined && input.kind !== 'started') return undefined;
  const work = newWork(plan, facts, before, replay);
  try {
    const isMeant = yield* apply(work, input, before === undefined);
    if (!isMeant) return undefined;
    yield* move(work);
  } catch (error) {
    if (!(error instanceof Oversized || error instanceof Endless)) throw error;
    const kind = error instanceof Oversized ? 'oversized' : 'unworkable';
    yield* reject(work, { reason: 'conflict', kind, detail: error.message });
  }
  return decisionOf(work);
}

/** Ends the run whatever it still does. */
function* reject(work: Work, rejection: Rejection): Asking<void> {
  yield* cancelAll(work, 'parent_ended');
  work.ending = { status: 'rejected', rejection };
}

/** Takes actions until none is left or enough has moved. */
function* move(work: Work): Asking<void> {
  let bytes = 0;
  let counted = 0;
  while (
    work.ending === undefined &&
    work.actions.length > 0 &&
    work.moved.length < MOST_MOVED &&
    bytes < MOST_MOVED_BYTES
  ) {
    const action = work.actions.pop();
    if (action === undefined) break;
    if (work.replay !== undefined && (yield* stopsBefore(work, work.replay, action))) {
      work.actions.push(action);
      break;
    }
    yield* act(work, action);
    for (const { step } of work.moved.slice(counted)) bytes += bytesOf(step.output ?? null, MOST_MOVED_BYTES);
    counted = work.moved.length;
  }
  if (work.ending !== undefined || work.actions.length === 0) {
    work.root.unwaited = 0;
    return;
  }
  work.root.unwaited += work.moved.length;
  if (work.root.unwaited > MOST_UNWAITED)
    throw new Endless(`The run moved ${MOST_UNWAITED} steps without waiting: it loops, or does too much at a time.`);
  yield* keepPending(work);
}

/** Sets going what the input means; false when nothing waits for it. */
function* apply(work: Work, input: RunInput, isNew: boolean): Asking<boolean> {
  const { kind, data } = input;
  switch (kind) {
    case 'started':
      return isNew && (yield* begin(work, runInput(data['input'])));
    case 'resumed': {
      if (!work.root.isResuming) return false;
      work.root.isResuming = false;
      work.actions = [...(((yield* readPart(work, PENDING_KEY)) ?? []) as unknown as Action[])];
      writePart(work, PENDING_KEY, undefined);
      return true;
    }
    case 'called_run_ended':
    case 'call_answered':
      if (work.replay !== undefined) return yield* answerAgain(work, work.replay, input);
      return yield* deliver(work, input);
    case 'timer_due':
      return yield* timerDue(work, input);
    case 'event_received':
      return yield* eventReceived(work, data);
    // A workflow puts requests and expects uploads through the functions that it calls.
    case 'request_ended':
    case 'upload_ended':
      return false;
    case 'cancel_requested':
      yield* reject(work, { reason: 'cancelled', kind: String(data['kind']), detail: String(data['detail']) });
      return true;
    case 'given_up':
      yield* reject(work, { reason: 'conflict', kind: 'unworkable', detail: String(data['detail']) });
      return true;
  }
}

function* begin(work: Work, input: Json): Asking<boolean> {
  const { document } = work.plan;
  work.root.overrun = startTimer(work, work.facts.now + LONGEST_RUN_MS, { frame: ROOT, for: 'overrun' });
  writePart(work, coldKey(ROOT), { raw: input, input });
  try {
    yield* check(document.input?.schema, input, { what: "The workflow's input", pointer: '/input' });
    const given = yield* transform(work, { parent: undefined }, document.input?.from, input);
    writePart(work, coldKey(ROOT), { raw: input, input: given });
    const timeout = timeoutOf(work, document.timeout);
    if (timeout !== undefined) {
      const at = yield* endOf(work, { parent: undefined }, timeout.after, given);
      work.root.timeout = startTimer(work, at, { frame: ROOT, for: 'workflow' });
    }
    continueWith(work, work.root, 'body', 0, given);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    yield* endWithError(work, error);
  }
  return true;
}

/** Hands an input to the frame that it is for; false when that is gone or does not wait for it. */
function* deliver(work: Work, input: RunInput): Asking<boolean> {
  const frame = yield* takeFrame(work, Number(input.data['frame']));
  const rules = frame === undefined ? undefined : rulesOf(work, frame);
  return frame !== undefined && rules?.apply !== undefined && (yield* rules.apply(work, frame, input));
}

/** As `deliver`, with what history has of the answer. */
function* answerAgain(work: Work, replay: Replay, { data }: RunInput): Asking<boolean> {
  const frame = yield* takeFrame(work, Number(data['frame']));
  if (frame === undefined) return false;
  yield* answerFromRecord(work, replay, frame);
  return true;
}

function* timerDue(work: Work, input: RunInput): Asking<boolean> {
  const { data } = input;
  const number = Number(data['number']);
  switch (data['for']) {
    case 'timeout': {
      const frame = yield* takeFrame(work, Number(data['frame']));
      if (frame === undefined || frame.timeout !== number) return false;
      frame.timeout = 0;
      yield* cancelUnder(work, frame, 'deadline');
      yield* failFrame(work, frame, timedOut(stepOf(work, frame).reference));
      return true;
    }
    case 'workflow':
      if (work.root.timeout !== number) return false;
      work.root.timeout = 0;
      yield* cancelUnder(work, work.root, 'deadline');
      yield* endWithError(work, timedOut(''));
      return true;
    case 'overrun': {
      if (work.root.overrun !== number) return false;
      work.root.overrun = 0;
      const detail = 'The workflow ran for the longest time that a run may take: 366 days.';
      yield* reject(work, { reason: 'cancelled', kind: 'overrun', detail });
      return true;
    }
    default:
      return yield* deliver(work, input);
  }
}

function* eventReceived(work: Work, data: JsonObject): Asking<boolean> {
  const event = data['event'] as CloudEvent;
  if (typeof data['listener'] === 'number') return yield* offer(work, data['listener'], event);
  for (const listener of work.root.listens) {
    if (!(yield* offer(work, listener, event))) continue;
    takeSent(work, event);
    return true;
  }
  return false;
}

function* offer(work: Work, listener: number, event: CloudEvent): Asking<boolean> {
  const frame = yield* takeFrame(work, listener);
  const rules = frame === undefined ? undefined : rulesOf(work, frame);
  return frame !== undefined && rules?.offer !== undefined && (yield* rules.offer(work, frame, event));
}
