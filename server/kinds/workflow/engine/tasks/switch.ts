import type { Asking } from '../requests.ts';
import { finish, type Visit } from '../steps.ts';
import { holds } from '../values.ts';
import type { Work } from '../work.ts';

/** The first case that holds says where to go on; the data passes through. */
export function* beginSwitch(work: Work, visit: Visit): Asking<void> {
  const { task } = visit.step;
  if (!('switch' in task)) return;
  const cases = task.switch.flatMap((item) => Object.values(item));
  for (const { when, then } of cases) {
    if (when === undefined || !(yield* holds(work, visit, when, visit.input))) continue;
    return yield* finish(work, visit, visit.input, undefined, then);
  }
  const otherwise = cases.find(({ when }) => when === undefined);
  yield* finish(work, visit, visit.input, undefined, otherwise?.then);
}
