// Runs workflows in memory, keeps their histories, and runs them again from their steps, for tests.
import { stringify } from 'yaml';
import type { Json, JsonObject } from '../../../../shared/json.ts';
import type { CloudEvent, Decision } from '../../durable.ts';
import type { ChosenStep, RecordedInput, RecordedMove, RecordedRun } from '../../replaying.ts';
import type { Ending } from '../../run.ts';
import { simulate, type SimulatedKind, type SimulationResult } from '../../simulate.ts';
import type { SimulatedCall } from '../../simulated-calls.ts';
import type { WorkflowKind } from '../index.ts';

export interface TriedRun extends SimulationResult {
  runId: string;
  recorded: RecordedRun;
  /** References of the calls that were made. */
  calls: string[];
  decisions: Decision[];
}

export interface Tried {
  /** Members of the document beside `document`. */
  workflow: JsonObject;
  input?: Json;
  events?: CloudEvent[];
  /** How a call ends; `nth` counts the calls of the step in the run, from 1. */
  answer?: (call: SimulatedCall, nth: number) => Ending | undefined;
}

export const START = Date.UTC(2026, 0, 1);
const ORIGIN = '0192b3a4-5c6d-7e8f-9a0b-1c2d3e4f5a6b';
const RERUN = '0192b3a4-5c6d-7e8f-9a0b-1c2d3e4f5a6c';

function sourceOf(workflow: JsonObject): string {
  return stringify({ document: { dsl: '1.0.3', namespace: 'test', name: 'test', version: '1.0.0' }, ...workflow });
}

export const FAILED: Ending = { status: 'failed', detail: 'The function failed.' };

/** Calls of computations, one after the other. */
export function callsOf(...names: string[]): JsonObject {
  return { do: names.map((name) => ({ [name]: { call: `computation/${name}`, with: '${ . }' } })) };
}

/** The given references fail, each as often as is said. */
export function failing(times: Record<string, number>): NonNullable<Tried['answer']> {
  return ({ reference }, nth) => (nth <= (times[reference] ?? 0) ? FAILED : undefined);
}

export function succeeded(output: Json): Ending {
  return { status: 'succeeded', output, record: {} };
}

/** The kind as it is simulated, and what is kept of it. @param first the result of the start of a rerun */
function keeping(kind: WorkflowKind, tried: Tried, inputs: RecordedInput[], decisions: Decision[], first?: Decision) {
  const kept: SimulatedKind = {
    ...kind,
    async decide(run, state, input) {
      const decision = input.kind === 'started' && first !== undefined ? first : await kind.decide(run, state, input);
      if (decision === undefined) return undefined;
      decisions.push(decision);
      const took = decision.commands.flatMap((command) => (command.do === 'take' ? command.events : []));
      inputs.push({
        kind: input.kind,
        key: input.key,
        now: run.now,
        event: input.data['event'] as CloudEvent | undefined,
        took: (tried.events ?? []).filter(({ id }) => took.includes(id)),
        // As history has it.
        moved: JSON.parse(JSON.stringify(decision.moved)) as RecordedMove[],
      });
      return decision;
    },
  };
  return kept;
}

async function tryRun(kind: WorkflowKind, tried: Tried, runId: string, first?: Decision): Promise<TriedRun> {
  const inputs: RecordedInput[] = [];
  const decisions: Decision[] = [];
  const calls: string[] = [];
  const { workflow, input = {}, events = [] } = tried;
  const source = sourceOf(workflow);
  const answer = (call: SimulatedCall): Ending | undefined => {
    calls.push(call.reference);
    return (
      tried.answer?.(call, calls.filter((one) => one === call.reference).length) ?? succeeded({ of: call.reference })
    );
  };
  const kept = keeping(kind, tried, inputs, decisions, first);
  const result = await simulate(kept, { source, input, events, runId, now: START, answer });
  return { ...result, runId, calls, decisions, recorded: { runId, version: 1, source, depth: 0, input, inputs } };
}

export function runOnce(kind: WorkflowKind, tried: Tried): Promise<TriedRun> {
  return tryRun(kind, tried, ORIGIN);
}

export interface Continuing {
  kind: WorkflowKind;
  until: ChosenStep;
  /** The document of the new run, if it is another one. */
  workflow?: JsonObject;
  now?: number;
}

/** What the rerun begins with. */
export async function beginAgain(before: readonly TriedRun[], { kind, until, workflow, now = START }: Continuing) {
  const [first, ...more] = before;
  if (first === undefined) throw new Error('There is no run.');
  const source = workflow === undefined ? first.recorded.source : sourceOf(workflow);
  const runId = RERUN.slice(0, -1) + String(before.length);
  const run = { org: 'local', playbook: 'test', runId, name: 'test', version: workflow === undefined ? 1 : 2, source };
  const untils = [...more.map((one) => (one as TriedRun & { until: ChosenStep }).until), until];
  return {
    runId,
    ...(await kind.rerun({
      run: { ...run, depth: 0, now, takenEventKeys: new Set() },
      before: before.map(({ recorded }, index) => ({ run: recorded, until: untils[index] ?? until })),
    })),
  };
}

/** Runs again from a step, to the end. */
export async function runAgain(
  before: readonly TriedRun[],
  tried: Tried,
  continuing: Continuing,
): Promise<TriedRun & { until: ChosenStep }> {
  const { decision, runId, from } = await beginAgain(before, continuing);
  return { ...(await tryRun(continuing.kind, tried, runId, decision)), until: from };
}
