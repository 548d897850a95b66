import type { Json } from '../../../../../shared/json.ts';
import type { Asking } from '../requests.ts';
import { finish, type Visit } from '../steps.ts';
import { evaluate, fill } from '../values.ts';
import type { Work } from '../work.ts';

export function* beginSet(work: Work, visit: Visit): Asking<void> {
  const { task } = visit.step;
  if (!('set' in task)) return;
  const set = task.set as Json;
  const isWhole = typeof set === 'string';
  yield* finish(
    work,
    visit,
    isWhole ? yield* evaluate(work, visit, set, visit.input) : yield* fill(work, visit, set, visit.input),
  );
}
