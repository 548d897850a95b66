import type { JsonObject } from '../../../../../shared/json.ts';
import type { Task } from '../dsl.ts';
import { templates } from '../expressions/evaluated-text.ts';
import { object } from '../schema/build.ts';
import { EMITTED_EVENT } from '../schema/events.ts';
import { shown } from '../words.ts';
import type { TaskDescriptor } from './descriptor.ts';

export interface EmitTask extends Task {
  emit: { event: { with: JsonObject } };
}

export const EMIT: TaskDescriptor<EmitTask> = {
  form: (task) =>
    task({
      emit: object(
        {
          event: object(
            { with: EMITTED_EVENT },
            { isOpen: true, required: ['with'], message: 'must be { with: { type, data } }' },
          ),
        },
        { required: ['event'], message: 'must be { event: { with: { type, data } } }' },
      ),
    }),
  editing: {
    insert: { about: 'Publish an event', name: 'announce', task: { emit: { event: { with: { type: 'step.done' } } } } },
    fields: [{ label: 'Event (JSON)', pointer: '/emit/event/with', kind: 'json', isRequired: true }],
  },
  words: ({ emit }) => `emits an event of type ${shown(emit.event.with['type'])}`,
  data({ task, pointer }, flow) {
    flow.value(task.emit.event.with, `${pointer}/emit/event/with`);
    return undefined;
  },
  emits: ({ task, pointer }) => ({ type: task.emit.event.with['type'], pointer: `${pointer}/emit/event/with/type` }),
  texts: ({ task, pointer }, { own }) => templates(task.emit.event.with, `${pointer}/emit/event/with`, own),
  openMembers: ({ task, pointer }) => [
    { value: task.emit.event, known: ['with'], pointer: `${pointer}/emit/event` },
    { value: task.emit.event.with, known: 'attributes', pointer: `${pointer}/emit/event/with` },
  ],
};
