import type { Json } from '../../../../../shared/json.ts';
import type { Task, TaskList } from '../dsl.ts';
import { bare, rule } from '../expressions/evaluated-text.ts';
import { object, text } from '../schema/build.ts';
import { TASK_LIST } from '../schema/values.ts';
import { shown } from '../words.ts';
import { COMPLETES, type TaskDescriptor } from './descriptor.ts';

export interface ForTask extends Task {
  for: { each?: string; in: string | Json[]; at?: string };
  while?: string;
  do: TaskList;
}

const FORM = object(
  {
    each: text('must be the name of a variable'),
    in: {
      type: ['string', 'array'],
      says: 'must be a jq expression that gives a list, or a list of objects',
      items: { type: 'object', says: 'must be an object in an inline list; for other items write ${ [1, 2] }' },
    },
    at: text('must be the name of a variable'),
  },
  { required: ['in'], message: 'must be { each, in }, with `do` beside it' },
);

export const FOR: TaskDescriptor<ForTask> = {
  form: (task) => task({ for: FORM, while: text('must be a jq expression'), do: TASK_LIST }, ['for', 'do']),
  editing: {
    insert: {
      about: 'Run steps for each item of a list',
      name: 'each',
      task: { for: { each: 'item', in: '[1, 2, 3]' }, do: [{ step: { set: { item: '${ $item }' } } }] },
    },
    fields: [
      { label: 'For each', pointer: '/for/each', kind: 'text', placeholder: 'item' },
      { label: 'In', pointer: '/for/in', kind: 'text', isRequired: true, placeholder: '.items' },
      { label: 'While', pointer: '/while', kind: 'text', placeholder: '.amount > 100' },
    ],
    lists: [{ at: '/do' }],
  },
  words: ({ for: { in: items } }) =>
    typeof items === 'string' ? `for each of ${shown(items)}` : `for each of ${items.length} items`,
  lists: (task) => [
    {
      role: 'body',
      at: '/do',
      tasks: task.do,
      variables: variablesOf(task),
      ...(typeof task.for.in === 'string' && {
        loop: { item: variablesOf(task)[0], in: task.for.in, at: '/for/in' },
      }),
    },
  ],
  // There may be nothing to loop over.
  outcome: (_task, [body = COMPLETES]) => ({ ...body, completes: true }),
  variables: ({ task, pointer }) => ({
    named: [
      [`${pointer}/for/each`, task.for.each],
      [`${pointer}/for/at`, task.for.at],
    ],
    loop: { pointer: `${pointer}/for`, names: variablesOf(task) },
  }),
  texts: ({ task, pointer }, { own }) => [
    ...rule(task.for.in, `${pointer}/for/in`, own),
    ...bare(task.while, `${pointer}/while`, [...own, ...variablesOf(task)]),
  ],
};

function variablesOf({ for: { each, at } }: ForTask): [string, string] {
  return loopVariables(each, at);
}

/** The variables of a loop, as they are called where the author named none. */
export function loopVariables(each: string | undefined, at: string | undefined): [item: string, at: string] {
  return [each ?? 'item', at ?? 'index'];
}
