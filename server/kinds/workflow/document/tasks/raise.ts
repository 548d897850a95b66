import type { Json } from '../../../../../shared/json.ts';
import type { ErrorDefinition, Task } from '../dsl.ts';
import { templates } from '../expressions/evaluated-text.ts';
import { object, text, textOrObject } from '../schema/build.ts';
import { ERROR } from '../schema/errors.ts';
import { shown } from '../words.ts';
import type { TaskDescriptor } from './descriptor.ts';

export interface RaiseTask extends Task {
  raise: { error: string | ErrorDefinition };
}

export const RAISE: TaskDescriptor<RaiseTask> = {
  form: (task) =>
    task({
      raise: object(
        {
          error: textOrObject({ text: text(), object: ERROR }, 'must be an error, or the name of one of `use.errors`'),
        },
        { required: ['error'], message: 'must be { error: { type, status } }' },
      ),
    }),
  editing: {
    insert: {
      about: 'Fail with an error',
      name: 'fail',
      task: {
        raise: {
          error: {
            type: 'https://serverlessworkflow.io/spec/1.0.0/errors/runtime',
            status: 500,
            title: 'The step failed',
          },
        },
      },
    },
    fields: [{ label: 'Error (JSON)', pointer: '/raise/error', kind: 'json', isRequired: true }],
  },
  words: ({ raise: { error } }) =>
    `raises the error ${shown(typeof error === 'string' ? error : (error.title ?? error.type))}`,
  alwaysFails: true,
  data({ task, pointer }, flow) {
    flow.value(task.raise.error as unknown as Json, `${pointer}/raise/error`);
    return undefined;
  },
  entries: ({ task, pointer }) => [{ of: 'errors', pointer: `${pointer}/raise/error`, name: task.raise.error }],
  texts({ task, pointer }, { own }) {
    const { error } = task.raise;
    return typeof error === 'string' ? [] : templates(error as unknown as Json, `${pointer}/raise/error`, own);
  },
};
