import { union } from '../data/known.ts';
import type { ErrorFilter, RetryPolicy, Task, TaskList } from '../dsl.ts';
import { bare, retryTexts } from '../expressions/evaluated-text.ts';
import { object, text, textOrObject } from '../schema/build.ts';
import { ERROR_FILTER, RETRY_POLICY } from '../schema/errors.ts';
import { FLOW_DIRECTIVE, TASK_LIST } from '../schema/values.ts';
import { COMPLETES, type FlowOutcome, NONE, type TaskDescriptor } from './descriptor.ts';

export interface TryTask extends Task {
  try: TaskList;
  catch: {
    errors?: { with?: ErrorFilter };
    as?: string;
    when?: string;
    exceptWhen?: string;
    retry?: string | RetryPolicy;
    do?: TaskList;
    then?: string;
  };
}

const CATCH = object(
  {
    errors: object({ with: ERROR_FILTER }, { isOpen: true, message: 'must be { with: { type, status } }' }),
    as: text('must be the name of a variable'),
    when: text('must be a jq expression'),
    exceptWhen: text('must be a jq expression'),
    retry: textOrObject(
      { text: text(), object: RETRY_POLICY },
      'must be a retry policy, or the name of one of `use.retries`',
    ),
    do: TASK_LIST,
    then: FLOW_DIRECTIVE,
  },
  { message: 'must be an object: { errors, retry, do }; `{}` catches everything' },
);

const ERROR_MEMBERS = ['type', 'status', 'instance', 'title', 'detail', 'rejection'];

export const TRY: TaskDescriptor<TryTask> = {
  form: (task) => task({ try: TASK_LIST, catch: CATCH }, ['try', 'catch']),
  editing: {
    insert: {
      about: 'Catch the errors of steps',
      name: 'attempt',
      task: {
        try: [{ step: { set: { value: 1 } } }],
        catch: { errors: {}, do: [{ recover: { set: { error: '${ $error.title }' } } }] },
      },
    },
    lists: [{ at: '/try' }, { at: '/catch/do' }],
  },
  words: (task) => (task.catch.retry === undefined ? 'tries' : 'tries, with retries'),
  lists: (task) => [
    { role: 'body', at: '/try', tasks: task.try, startsWithInput: true },
    ...(task.catch.do === undefined
      ? []
      : [{ role: 'handler', at: '/catch/do', tasks: task.catch.do, variables: [errorVariable(task)] } as const]),
  ],
  directives: ({ task, pointer }) =>
    task.catch.then === undefined ? [] : [{ pointer: `${pointer}/catch/then`, then: task.catch.then, of: 'catch' }],
  outcome(task, [tried = COMPLETES, caught]) {
    // What the steps under it raise is caught, as far as the document shows.
    const handled = outcomeOfCatch(task, caught);
    return {
      completes: tried.completes || handled.completes,
      ends: tried.ends || handled.ends,
      stops: handled.stops,
    };
  },
  continuations(task, [tried, caught]) {
    return [
      ...(tried?.completes === true ? [task.then] : []),
      ...(outcomeOfCatch(task, caught).completes ? [task.catch.then ?? task.then] : []),
    ];
  },
  data: ({ task }, { bodies: [tried, caught] }) => (task.catch.do === undefined ? undefined : union(tried, caught)),
  entries: ({ task, pointer }) => [{ of: 'retries', pointer: `${pointer}/catch/retry`, name: task.catch.retry }],
  variables: ({ task, pointer }) => ({ named: [[`${pointer}/catch/as`, task.catch.as]] }),
  texts({ task, pointer }, { own }) {
    const { when, exceptWhen, retry } = task.catch;
    const caught = [...own, errorVariable(task)];
    return [
      ...bare(when, `${pointer}/catch/when`, caught),
      ...bare(exceptWhen, `${pointer}/catch/exceptWhen`, caught),
      ...(typeof retry === 'object' ? retryTexts(retry, `${pointer}/catch/retry`, caught) : []),
    ];
  },
  retry({ task, pointer }) {
    const { retry } = task.catch;
    return retry === undefined
      ? undefined
      : { retry, pointer: `${pointer}/catch/retry`, variable: errorVariable(task) };
  },
  openMembers: ({ task, pointer }) => [
    { value: task.catch.errors, known: ['with'], pointer: `${pointer}/catch/errors` },
    { value: task.catch.errors?.with, known: ERROR_MEMBERS, pointer: `${pointer}/catch/errors/with` },
  ],
};

function errorVariable(task: TryTask): string {
  return task.catch.as ?? 'error';
}

/** Steps that are not there raise nothing to be caught. */
function outcomeOfCatch(task: TryTask, handler: FlowOutcome | undefined): FlowOutcome {
  return task.try.length > 0 ? (handler ?? COMPLETES) : NONE;
}
