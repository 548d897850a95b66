import type { RaiseTask } from '../../document/tasks/raise.ts';
import type { TaskEngine } from '../model.ts';
import { isJsonObject, type Json, type JsonObject } from '../../../../../shared/json.ts';
import { Fault, fault } from '../faults.ts';
import { fill } from '../values.ts';

/** Raises the error that the author described, with the step's pointer where it names no other. */
export const RAISE_ENGINE: TaskEngine<RaiseTask> = {
  *begin(work, visit, task) {
    const { reference } = visit.step;
    const named = task.raise.error;
    const definition = typeof named === 'string' ? work.plan.document.use?.errors?.[named] : named;
    const described = yield* fill(work, visit, (definition ?? null) as Json, visit.input);
    if (!isJsonObject(described) || typeof described['type'] !== 'string') {
      throw fault('configuration', 500, `The error of ${reference} has no \`type\` string.`);
    }
    throw new Fault(
      { instance: reference, ...described, type: described['type'], ...statusOf(described) },
      { isRaised: true },
    );
  },
  frames: {},
};

function statusOf({ status }: JsonObject): { status: number } {
  const number = Number(status);
  return { status: Number.isInteger(number) ? number : 500 };
}
