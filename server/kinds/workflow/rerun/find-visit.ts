// Which visit of a step a rerun begins with: the last one that the history of the run has.
import { nearestName } from '../../../../shared/nearest-name.ts';
import { conflict, Refused } from '../../../lib/rejection.ts';
import type { ChosenStep, RecordedInput, RecordedMove, RecordedRun } from '../../replaying.ts';
import { type Plan, type PlannedStep, visitKey } from '../engine/index.ts';

export interface FoundVisit {
  step: PlannedStep;
  iterations: readonly number[] | undefined;
  /** As `visitKey` makes it. */
  key: string;
  /** The index of the input in which the visit ended, or before which everything is replayed. */
  until: number;
  /** How often that input left the step. */
  left: number;
}

/** @throws Refused `invalid_input` for a step that the run did not reach */
export function findVisit(plan: Plan, { runId, inputs }: RecordedRun, chosen: ChosenStep): FoundVisit {
  const step = stepNamed(plan, chosen.step);
  const visits = inputs.flatMap(({ moved }, input) =>
    moved.filter((move) => move.step === step.reference).map((move) => ({ ...move, input })),
  );
  if (visits.length === 0) throw neverRan(step, runId, inputs);
  const wanted = chosen.iterations && visitKey(step.reference, chosen.iterations);
  const last = visits.findLast(
    ({ iterations }) => wanted === undefined || visitKey(step.reference, iterations) === wanted,
  );
  if (last === undefined) {
    const known = [...new Set(visits.map(({ iterations }) => JSON.stringify(iterations ?? [])))];
    const some = known.length > 5 ? [...known.slice(0, 2), '…', ...known.slice(-2)] : known;
    const detail = `The step ${step.reference} did not run in the iterations ${JSON.stringify(chosen.iterations)}; it ran in ${some.join(', ')}.`;
    throw invalid('/iterations', detail);
  }
  const { iterations, input } = last;
  const key = visitKey(step.reference, iterations);
  const isOpen = !hasLeft(last);
  // A visit that never ended was cut off with the run: by its last input, which ended the run without moving it.
  const until = isOpen ? inputs.length - 1 : input;
  const left = (inputs[until]?.moved ?? []).filter(
    (move) => hasLeft(move) && visitKey(move.step, move.iterations) === key,
  ).length;
  return { step, iterations, key, until, left };
}

function hasLeft({ state }: RecordedMove): boolean {
  return state === 'finished' || state === 'failed' || state === 'skipped';
}

function stepNamed({ steps }: Plan, named: string): PlannedStep {
  const own = steps.filter(({ kind }) => kind !== 'extension');
  const exact = own.find(({ reference }) => reference === named);
  if (exact !== undefined) return exact;
  const same = [...new Map(own.filter(({ name }) => name === named).map((step) => [step.reference, step])).values()];
  const [only, other] = same;
  if (only !== undefined && other === undefined) return only;
  if (only !== undefined) {
    const references = same.map(({ reference }) => reference).slice(0, 5);
    throw invalid(
      '/step',
      `Several steps have the name ${named}; give the JSON Pointer of one: ${references.join(', ')}.`,
    );
  }
  const isPointer = named.startsWith('/');
  const near = nearestName(
    named,
    own.map(({ name, reference }) => (isPointer ? reference : name)),
  );
  const names = [...new Set(own.map(({ name }) => name))].slice(0, 10);
  const hint = near === undefined ? `Its steps: ${names.join(', ')}.` : `Did you mean ${near}?`;
  throw invalid('/step', `The workflow has no step ${JSON.stringify(named.slice(0, 200))}. ${hint}`);
}

/** Names the steps that ran next to it. */
function neverRan({ reference }: PlannedStep, runId: string, inputs: readonly RecordedInput[]): Refused {
  const ran = [...new Set(inputs.flatMap(({ moved }) => moved.map(({ step }) => step)))];
  if (ran.length === 0) return conflict(`The run ${runId} ended before its first step; run the workflow again.`);
  const near = ran.toSorted((one, other) => distance(reference, one) - distance(reference, other)).slice(0, 3);
  return invalid(
    '/step',
    `The step ${reference} did not run in the run ${runId}. The nearest steps that ran: ${near.join(', ')}.`,
  );
}

/** How far apart two steps stand: by their indexes where their lists differ first. */
function distance(one: string, other: string): number {
  const [locations, others] = [one.split('/'), other.split('/')];
  const same = locations.findIndex((token, index) => token !== others[index]);
  const at = same === -1 ? locations.length : same;
  const apart = Math.abs(Number(locations[at] ?? 0) - Number(others[at] ?? 0));
  return (locations.length + others.length - 2 * at) * 1000 + (Number.isNaN(apart) ? 999 : apart);
}

function invalid(pointer: string, detail: string): Refused {
  return new Refused({ reason: 'invalid_input', detail, issues: [{ pointer, detail }] });
}
