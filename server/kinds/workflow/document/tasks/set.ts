import type { JsonObject } from '../../../../../shared/json.ts';
import type { Task } from '../dsl.ts';
import { rule } from '../expressions/evaluated-text.ts';
import { shown } from '../words.ts';
import type { TaskDescriptor } from './descriptor.ts';

export interface SetTask extends Task {
  set: string | JsonObject;
}

export const SET: TaskDescriptor<SetTask> = {
  form: (task) =>
    task({
      set: {
        type: ['string', 'object'],
        says: 'must be an object with at least one member, or an expression in ${ }',
        minProperties: 1,
      },
    }),
  editing: {
    insert: { about: 'Set the output to a value', name: 'set', task: { set: { value: 1 } } },
    fields: [{ label: 'Set (JSON)', pointer: '/set', kind: 'json', isRequired: true }],
  },
  words: ({ set }) =>
    typeof set === 'string' ? `sets ${shown(set)}` : `sets ${Object.keys(set).map(shown).join(', ')}`,
  data: ({ task, pointer }, flow) => flow.value(task.set, `${pointer}/set`),
  texts: ({ task, pointer }, { own }) => rule(task.set, `${pointer}/set`, own),
};
