// The steps that can be inserted: each is short and valid, and is completed in the form or in the source.
import type { JsonObject } from '../../../../shared/json.ts';

export interface NewStep {
  /** How it is offered. */
  title: string;
  about: string;
  /** The name of the inserted step; another one if its list has it already. */
  name: string;
  task: JsonObject;
}

/** A step of each type of task, but for calls of definitions. */
export const NEW_STEPS: readonly NewStep[] = [
  { title: 'set', about: 'Set the output to a value', name: 'set', task: { set: { value: 1 } } },
  {
    title: 'switch',
    about: 'Continue depending on conditions',
    name: 'choose',
    task: { switch: [{ matches: { when: '. != null', then: 'continue' } }, { otherwise: { then: 'continue' } }] },
  },
  {
    title: 'for',
    about: 'Run steps for each item of a list',
    name: 'each',
    task: { for: { each: 'item', in: '[1, 2, 3]' }, do: [{ step: { set: { item: '${ $item }' } } }] },
  },
  { title: 'do', about: 'Group steps', name: 'group', task: { do: [{ step: { set: { value: 1 } } }] } },
  {
    title: 'fork',
    about: 'Run branches in parallel',
    name: 'parallel',
    task: { fork: { branches: [{ first: { set: { value: 1 } } }, { second: { set: { value: 2 } } }] } },
  },
  {
    title: 'try',
    about: 'Catch the errors of steps',
    name: 'attempt',
    task: {
      try: [{ step: { set: { value: 1 } } }],
      catch: { errors: {}, do: [{ recover: { set: { error: '${ $error.title }' } } }] },
    },
  },
  { title: 'wait', about: 'Wait for a time', name: 'pause', task: { wait: 'PT5S' } },
  {
    title: 'emit',
    about: 'Publish an event',
    name: 'announce',
    task: { emit: { event: { with: { type: 'step.done' } } } },
  },
  {
    title: 'listen',
    about: 'Wait for an event',
    name: 'listen',
    task: { listen: { to: { one: { with: { type: 'step.done' } } } } },
  },
  {
    title: 'raise',
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
];

/** A definition that a step can call. */
export interface Callable {
  /** TYPE/NAME. */
  reference: string;
  /** What the document says about itself. */
  description?: string | undefined;
}

/** A step that calls a definition of the playbook. */
export function callOf({ reference, description }: Callable): NewStep {
  const name = reference.slice(reference.indexOf('/') + 1);
  return { title: reference, about: description ?? 'Call it and wait for its output', name, task: { call: reference } };
}
