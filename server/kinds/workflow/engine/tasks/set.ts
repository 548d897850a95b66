import type { SetTask } from '../../document/tasks/set.ts';
import type { TaskEngine } from '../model.ts';
import { finish } from '../steps.ts';
import { transform } from '../values.ts';

export const SET_ENGINE: TaskEngine<SetTask> = {
  *begin(work, visit, { set }) {
    yield* finish(work, visit, yield* transform(work, visit, set, visit.input));
  },
  frames: {},
};
