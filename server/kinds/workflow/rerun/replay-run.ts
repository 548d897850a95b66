// Replays the history of a run up to the end of a visit of a step, and takes that step back to its beginning.
//
// 1. Every input is decided again, by the engine, on the document of the run's own version. Nothing has effects.
// 2. What the branches beside the step did until its visit ended is kept. A call that they waited for then keeps its
//    recorded output, if it succeeded later; everything else that they waited for begins again.
// 3. Each decision must move the steps that history says; otherwise the run is not replayed.
import { isJsonObject, type Json, type JsonObject } from '../../../../shared/json.ts';
import { conflict } from '../../../lib/rejection.ts';
import type { Decision, RunInput, RunState } from '../../durable.ts';
import type { RecordedInput, RecordedMove, RecordedRun } from '../../replaying.ts';
import {
  Diverged,
  type Plan,
  type RecordedOutcome,
  type Replay,
  type ReplayTarget,
  visitKey,
  type WorkflowError,
} from '../engine/index.ts';
import type { FoundVisit } from './find-visit.ts';
import {
  applyDecision,
  frameOf,
  framesOf,
  readerOf,
  type ReplayedState,
  rootOf,
  takeAnswered,
} from './replayed-state.ts';

/** Decides about a run as it was at a time. */
export interface Replaying {
  plan: Plan;
  decide: (now: number, state: RunState, input: RunInput, replay: Replay) => Promise<Decision | undefined>;
  reopen: (now: number, state: RunState, frame: number, context: Json | undefined) => Promise<Decision>;
  /** Whether a recorded value lacks a secret. */
  isRedacted: (value: Json) => boolean;
}

/**
 * Brings the state to where the step is to be entered.
 * @param isContinued the run continued from another one, whose state it is
 * @returns the references of the steps that ran until then
 * @throws Refused `conflict` if the history cannot be replayed
 */
export async function replayRun(
  state: ReplayedState,
  run: RecordedRun,
  visit: FoundVisit,
  replaying: Replaying,
  isContinued: boolean,
): Promise<Set<string>> {
  const target: ReplayTarget = { key: visit.key, visit: 0, isReached: false, context: null };
  const ran = new Set<string>();
  const play = async (recorded: RecordedInput): Promise<void> => {
    const decision = await decideAgain(state, run, recorded, replaying, { target, isContinued });
    applyDecision(state, decision);
    for (const { step } of decision.moved) ran.add(step);
  };
  try {
    for (const recorded of run.inputs.slice(0, visit.until)) {
      // oxlint-disable-next-line no-await-in-loop -- each input is decided on the state after the one before
      await play(recorded);
    }
    const last = run.inputs[visit.until];
    if (last === undefined) throw new Diverged(visit.step.reference);
    const frame = framesOf(state).find(
      ({ step, kind, iterations }) =>
        step === visit.step.number && kind !== 'branch' && visitKey(visit.step.reference, iterations) === visit.key,
    );
    target.visit = visit.left - (frame === undefined ? 0 : 1);
    if (target.visit > 0) {
      await play(last);
      if (!target.isReached) throw new Diverged(visit.step.reference);
    } else {
      if (frame === undefined) throw new Diverged(visit.step.reference);
      // Steps under it may have exported a context of their own.
      const context = visit.step.body === undefined ? undefined : target.context;
      applyDecision(state, await replaying.reopen(last.now, readerOf(state), frame.id, context));
    }
    await keepAnswers(state, run, visit, replaying);
  } catch (error) {
    if (!(error instanceof Diverged)) throw error;
    throw conflict(
      `The history of the run ${run.runId} cannot be replayed up to ${visit.step.reference}: it differs at ${error.reference}. Choose an earlier step, or run the workflow again.`,
    );
  }
  return ran;
}

async function decideAgain(
  state: ReplayedState,
  run: RecordedRun,
  recorded: RecordedInput,
  { decide, isRedacted }: Replaying,
  { target, isContinued }: { target: ReplayTarget; isContinued: boolean },
): Promise<Decision> {
  const outcomes = outcomesOf(recorded.moved, isRedacted);
  let differing: Diverged | undefined;
  // A listen that begins with the input does not find the event of the input itself.
  const others = recorded.took.filter(({ id }) => id !== recorded.event?.id);
  // History does not say which listen an event was for: it is the one with which the same steps move.
  for (const input of inputsOf(state, run, recorded, isContinued)) {
    const tried = { ...target };
    const replay: Replay = { outcomes, target: tried, isHeld: false, answered: undefined };
    try {
      // oxlint-disable-next-line no-await-in-loop -- an event is offered to one listen after the other
      const decision = await decide(recorded.now, readerOf(state, others), input, replay);
      if (decision === undefined) continue;
      if (!tried.isReached) requireSame(recorded, decision);
      Object.assign(target, tried);
      if (input.kind === 'event_received') state.offered.add(offerOf(input));
      return decision;
    } catch (error) {
      if (!(error instanceof Diverged)) throw error;
      differing ??= error;
    }
  }
  throw differing ?? new Diverged(recorded.moved[0]?.step ?? 'an input');
}

/** The input as it was; an event that may be for several listens has one each. */
function inputsOf(
  state: ReplayedState,
  { runId, input }: RecordedRun,
  recorded: RecordedInput,
  isContinued: boolean,
): RunInput[] {
  const { kind, key, event, moved } = recorded;
  switch (kind) {
    case 'started':
      return isContinued ? [{ kind: 'resumed', key, data: {} }] : [{ kind, key: runId, data: { input } }];
    case 'resumed':
      return [{ kind, key, data: {} }];
    case 'event_received': {
      if (event === undefined) throw new Diverged(moved[0]?.step ?? 'an event that is no longer kept');
      const offers = rootOf(state).listens.map((listener) => ({ kind, key, data: { event, listener } }));
      // An event may have reached a listen again, but rather to one that did not have it.
      const isNew = (one: RunInput): boolean => !state.offered.has(offerOf(one));
      return [...offers.filter(isNew), ...offers.filter((one) => !isNew(one))];
    }
    case 'timer_due':
    case 'called_run_ended':
    case 'call_answered': {
      const command = takeAnswered(state, runId, recorded);
      if (command === undefined || !('data' in command)) throw new Diverged(moved[0]?.step ?? `the input ${key}`);
      const number = 'number' in command ? { number: command.number } : {};
      return [{ kind, key, data: { ...command.data, ...number } }];
    }
    default:
      throw new Diverged(moved[0]?.step ?? kind);
  }
}

function offerOf({ key, data }: RunInput): string {
  return `${String(data['listener'])} ${key}`;
}

/** In the order in which the input left the steps; what left a step without an outcome keeps its position. */
function outcomesOf(moved: readonly RecordedMove[], isRedacted: Replaying['isRedacted']): Replay['outcomes'] {
  const outcomes = new Map<string, (RecordedOutcome | undefined)[]>();
  for (const { step, iterations, state, output = null, error } of moved) {
    if (state === 'started' || state === 'waiting') continue;
    const key = visitKey(step, iterations);
    const all = outcomes.get(key) ?? [];
    outcomes.set(key, all);
    if (state === 'finished') all.push({ output, isRedacted: isRedacted(output) });
    else all.push(state === 'failed' && isJsonObject(error) ? { error: error as WorkflowError } : undefined);
  }
  return outcomes;
}

function requireSame({ moved }: RecordedInput, decision: Decision): void {
  const words = ({ step, iterations, state }: RecordedMove): string => `${state} ${visitKey(step, iterations)}`;
  for (let index = 0; index < Math.max(moved.length, decision.moved.length); index += 1) {
    const [one, other] = [moved[index], decision.moved[index]];
    if (one === undefined || other === undefined || words(one) !== words(other)) {
      throw new Diverged((one ?? other)?.step ?? 'an input');
    }
  }
  if (decision.ending !== undefined) throw new Diverged(moved.at(-1)?.step ?? 'the end');
}

/** Calls of other branches that were answered later keep their outputs; they are not made again. */
async function keepAnswers(
  state: ReplayedState,
  run: RecordedRun,
  { until, key }: FoundVisit,
  { plan, decide, isRedacted }: Replaying,
): Promise<void> {
  const target: ReplayTarget = { key, visit: 0, isReached: false, context: null };
  for (const recorded of run.inputs.slice(until)) {
    if (recorded.kind !== 'called_run_ended' && recorded.kind !== 'call_answered') continue;
    const command = takeAnswered(state, run.runId, recorded);
    if (command === undefined || !('data' in command) || command.data === null) continue;
    const putBack = (): void => applyDecision(state, { parts: new Map(), commands: [command] });
    const frame = frameOf(state, Number(command.data['frame']));
    const step = frame === undefined ? undefined : plan.steps[frame.step];
    const outcomes = outcomesOf(recorded.moved, isRedacted);
    const outcome = step && frame && outcomes.get(visitKey(step.reference, frame.iterations))?.[0];
    if (frame === undefined || outcome === undefined || 'error' in outcome || isInRace(state, plan, frame.parent)) {
      putBack();
      continue;
    }
    const data: JsonObject = { ...command.data };
    const replay: Replay = { outcomes, target, isHeld: true, answered: undefined };
    const input = { kind: recorded.kind, key: recorded.key, data };
    // oxlint-disable-next-line no-await-in-loop -- each changes the state
    const decision = await decide(recorded.now, readerOf(state), input, replay);
    if (decision !== undefined) applyDecision(state, decision);
  }
}

/** In a fork whose branches compete, a kept answer would decide the race. */
function isInRace(state: ReplayedState, plan: Plan, id: number): boolean {
  const frame = id === 0 ? undefined : frameOf(state, id);
  if (frame === undefined) return false;
  const task = plan.steps[frame.step]?.task as { fork?: { compete?: boolean } } | undefined;
  return (frame.kind === 'fork' && task?.fork?.compete === true) || isInRace(state, plan, frame.parent);
}
