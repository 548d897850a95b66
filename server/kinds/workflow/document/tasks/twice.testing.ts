// The first file of a type of task that the language does not have: `twice` does its steps two times.
import type { Task, TaskList } from '../dsl.ts';
import { bare } from '../expressions/evaluated-text.ts';
import { object, text } from '../schema/build.ts';
import { TASK_LIST } from '../schema/values.ts';
import type { TaskDescriptor } from './descriptor.ts';

export interface TwiceTask extends Task {
  twice: { from?: string; do: TaskList };
}

export const TWICE: TaskDescriptor<TwiceTask> = {
  form: (task) =>
    task({
      twice: object(
        { from: text('must be a jq expression'), do: TASK_LIST },
        { required: ['do'], message: 'must be { do }' },
      ),
    }),
  editing: {
    insert: { about: 'Do steps two times', name: 'repeat', task: { twice: { do: [{ step: { set: { value: 1 } } }] } } },
    fields: [{ label: 'From', pointer: '/twice/from', kind: 'text' }],
    lists: [{ at: '/twice/do' }],
    schema: { alternatives: { at: '/$defs/task', add: [{ title: 'TwiceTask', required: ['twice'] }] } },
  },
  words: () => 'does it twice',
  lists: ({ twice }) => [{ role: 'body', at: '/twice/do', tasks: twice.do, variables: ['round'] }],
  texts: ({ task, pointer }, { own }) => bare(task.twice.from, `${pointer}/twice/from`, own),
  check({ task, pointer }, findings) {
    if (task.twice.do.length === 0) findings.warn(`${pointer}/twice/do`, 'Nothing is done twice; add a step.');
  },
};
