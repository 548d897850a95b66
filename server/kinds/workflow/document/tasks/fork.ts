import type { Task, TaskList } from '../dsl.ts';
import { object } from '../schema/build.ts';
import { BOOLEAN, TASK_LIST } from '../schema/values.ts';
import { COMPLETES, type TaskDescriptor } from './descriptor.ts';

export interface ForkTask extends Task {
  fork: { branches: TaskList; compete?: boolean };
}

export const FORK: TaskDescriptor<ForkTask> = {
  form: (task) =>
    task({
      fork: object(
        { branches: TASK_LIST, compete: BOOLEAN },
        { required: ['branches'], message: 'must be { branches: [STEPS] }' },
      ),
    }),
  editing: {
    insert: {
      about: 'Run branches in parallel',
      name: 'parallel',
      task: { fork: { branches: [{ first: { set: { value: 1 } } }, { second: { set: { value: 2 } } }] } },
    },
    lists: [{ at: '/fork/branches', isBranches: true }],
  },
  words: ({ fork }) =>
    fork.compete === true ? 'runs its branches in parallel, the first one wins' : 'runs its branches in parallel',
  isComposite: true,
  lists: ({ fork }) => [{ role: 'branches', at: '/fork/branches', tasks: fork.branches, startsWithInput: true }],
  outcome({ fork }, [branches]) {
    if (branches === undefined || fork.compete !== true) return branches ?? COMPLETES;
    const each = branches.steps();
    return { ...branches, completes: each.length === 0 || each.some(({ completes }) => completes) };
  },
};
