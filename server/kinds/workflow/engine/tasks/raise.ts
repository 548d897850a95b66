import { isJsonObject, type Json, type JsonObject } from '../../../../../shared/json.ts';
import { Fault, fault } from '../faults.ts';
import type { Asking } from '../requests.ts';
import type { Visit } from '../steps.ts';
import { fill } from '../values.ts';
import type { Work } from '../work.ts';

/** Raises the error that the author described, with the step's pointer where it names no other. */
export function* beginRaise(work: Work, visit: Visit): Asking<void> {
  const { task, reference } = visit.step;
  if (!('raise' in task)) return;
  const named = task.raise.error;
  const definition = typeof named === 'string' ? work.plan.document.use?.errors?.[named] : named;
  const described = yield* fill(work, visit, (definition ?? null) as Json, visit.input);
  if (!isJsonObject(described) || typeof described['type'] !== 'string') {
    throw fault('configuration', 500, `The error of ${reference} has no type that is a text.`);
  }
  throw new Fault(
    { instance: reference, ...described, type: described['type'], ...statusOf(described) },
    { isRaised: true },
  );
}

function statusOf({ status }: JsonObject): { status: number } {
  const number = Number(status);
  return { status: Number.isInteger(number) ? number : 500 };
}
