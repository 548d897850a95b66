import type { SwitchTask } from '../../document/tasks/switch.ts';
import type { TaskEngine } from '../model.ts';
import { finish } from '../steps.ts';
import { holds } from '../values.ts';

/** The first case that holds says where the run continues; the data passes through. */
export const SWITCH_ENGINE: TaskEngine<SwitchTask> = {
  *begin(work, visit, task) {
    const cases = task.switch.flatMap((item) => Object.entries(item));
    for (const [taken, { when, then }] of cases) {
      if (when === undefined || !(yield* holds(work, visit, when, visit.input))) continue;
      return yield* finish(work, visit, visit.input, { then, taken });
    }
    const otherwise = cases.find(([, { when }]) => when === undefined);
    if (otherwise === undefined) return yield* finish(work, visit, visit.input);
    const [taken, { then }] = otherwise;
    yield* finish(work, visit, visit.input, { then, taken });
  },
  frames: {},
};
