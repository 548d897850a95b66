// Runs a workflow again from one of its steps, with the recorded results of the steps before it.
import type { Json } from '../../../../shared/json.ts';
import { PUT_INSTEAD } from '../../../lib/scrub/index.ts';
import type { Decision, DurableRun, RunInput, RunState } from '../../durable.ts';
import type { ChosenStep, RecordedRun, Replayed, ReplayRequest } from '../../replaying.ts';
import { type AnswerRequest, drive } from '../drive.ts';
import { decide, type Facts, type Plan, reopen } from '../engine/index.ts';
import { carryOver, changeVersion } from './carry-over.ts';
import { findVisit, type FoundVisit } from './find-visit.ts';
import { replayRun, type Replaying } from './replay-run.ts';
import { applyDecision, newReplayedState, readerOf, type ReplayedState } from './replayed-state.ts';

export interface RerunOptions {
  planFor: (source: string) => Promise<Plan>;
  factsOf: (run: DurableRun) => Facts;
  answerWith: (state: RunState, run: DurableRun) => AnswerRequest;
  /** Decides an input live. */
  decideOn: (run: DurableRun, state: RunState, input: RunInput) => Promise<Decision | undefined>;
}

/** @throws Refused `invalid_input`, `conflict` */
export async function rerun({ run, before }: ReplayRequest, options: RerunOptions): Promise<Replayed> {
  const { planFor } = options;
  const state = newReplayedState();
  const ran = new Set<string>();
  let chosen: FoundVisit | undefined;
  for (const [index, { run: recorded, until }] of before.entries()) {
    // oxlint-disable-next-line no-await-in-loop -- each run continues the one before
    chosen = await replayOne(state, { run, recorded, until, isContinued: index > 0, ran }, options);
    const next = before[index + 1]?.run ?? run;
    const now = 'now' in next ? next.now : (next.inputs[0]?.now ?? 0);
    // oxlint-disable-next-line no-await-in-loop -- as above
    const [from, to] = [await planFor(recorded.source), await planFor(next.source)];
    if (recorded.source !== next.source) {
      const versions = [
        { plan: from, version: recorded.version },
        { plan: to, version: next.version },
      ] as const;
      changeVersion(state, ...versions, { ran, chosen: chosen.step.reference });
    }
    carryOver(state, next.runId, { then: recorded.inputs[chosen.until]?.now ?? now, now });
  }
  if (chosen === undefined) throw new Error('There is no run to continue from.');
  const begun = [...state.open.values()];
  const decision = await options.decideOn(run, readerOf(state), { kind: 'resumed', key: '', data: {} });
  if (decision === undefined) throw new Error('A run was continued and decided nothing.');
  applyDecision(state, { parts: decision.parts, commands: [] });
  const { step, iterations } = chosen;
  return {
    decision: { ...decision, parts: state.parts, commands: [...begun, ...decision.commands] },
    from: { step: step.reference, ...(iterations === undefined ? {} : { iterations }) },
  };
}

async function replayOne(
  state: ReplayedState,
  given: { run: DurableRun; recorded: RecordedRun; until: ChosenStep; isContinued: boolean; ran: Set<string> },
  { planFor, factsOf, answerWith }: RerunOptions,
): Promise<FoundVisit> {
  const { recorded, until, isContinued, ran } = given;
  const { runId, version, source, depth } = recorded;
  const plan = await planFor(source);
  const runAt = (now: number): DurableRun => {
    return { ...given.run, runId, version, source, depth, now, takenEventKeys: new Set() };
  };
  const replaying: Replaying = {
    plan,
    decide: (now, reader, input, replay) =>
      drive(decide(plan, factsOf(runAt(now)), input, replay), answerWith(reader, runAt(now))),
    reopen: (now, reader, frame, context) =>
      drive(reopen(plan, factsOf(runAt(now)), frame, context), answerWith(reader, runAt(now))),
    isRedacted: (value: Json) => JSON.stringify(value).includes(PUT_INSTEAD),
  };
  const visit = findVisit(plan, recorded, until);
  for (const reference of await replayRun(state, recorded, visit, replaying, isContinued)) ran.add(reference);
  return visit;
}
