import type { Task, TaskList } from '../dsl.ts';
import { TASK_LIST } from '../schema/values.ts';
import type { TaskDescriptor } from './descriptor.ts';

export interface DoTask extends Task {
  do: TaskList;
}

export const DO: TaskDescriptor<DoTask> = {
  form: (task) => task({ do: TASK_LIST }),
  editing: {
    insert: { about: 'Group steps', name: 'group', task: { do: [{ step: { set: { value: 1 } } }] } },
    lists: [{ at: '/do' }],
  },
  words: () => 'runs its steps in order',
  isComposite: true,
  lists: (task) => [{ role: 'body', at: '/do', tasks: task.do, startsWithInput: true }],
  data: (_placed, { bodies: [body] }) => body,
};
