import type { ConsumptionStrategy, Export, OutputRule, ReadAs, Task, TaskList } from '../dsl.ts';
import { AT_EXPORT, rule } from '../expressions/evaluated-text.ts';
import { allFiltersOf, filterTexts } from '../expressions/event-texts.ts';
import { object, text } from '../schema/build.ts';
import { EXPORT, OUTPUT, READ, STRATEGY_REFERENCE, TASK_LIST } from '../schema/values.ts';
import { shown } from '../words.ts';
import { COMPLETES, type TaskDescriptor } from './descriptor.ts';
import { loopVariables } from './for.ts';

export interface ListenTask extends Task {
  listen: { to: ConsumptionStrategy; read?: ReadAs };
  foreach?: { item?: string; at?: string; do?: TaskList; output?: OutputRule; export?: Export };
}

const FOREACH = object(
  {
    item: text('must be the name of a variable'),
    at: text('must be the name of a variable'),
    do: TASK_LIST,
    output: OUTPUT,
    export: EXPORT,
  },
  { message: 'must be { item, do }' },
);

export const LISTEN: TaskDescriptor<ListenTask> = {
  form: (task) =>
    task({
      listen: object(
        { to: STRATEGY_REFERENCE, read: READ },
        { required: ['to'], message: 'must be { to: { one: { with: { type } } } }' },
      ),
      foreach: FOREACH,
    }),
  editing: {
    insert: {
      about: 'Wait for an event',
      name: 'listen',
      task: { listen: { to: { one: { with: { type: 'step.done' } } } } },
    },
    fields: [{ label: 'Listen to (JSON)', pointer: '/listen/to', kind: 'json', isRequired: true }],
    lists: [{ at: '/foreach/do' }],
  },
  words: ({ listen }) => `waits for ${strategyWords(listen.to)}`,
  lists: (task) =>
    task.foreach?.do === undefined
      ? []
      : [{ role: 'body', at: '/foreach/do', tasks: task.foreach.do, variables: variablesOf(task) }],
  exports: ({ foreach }) => foreach?.export !== undefined,
  // There may be no event to work through.
  outcome: (_task, [body = COMPLETES]) => ({ ...body, completes: true }),
  variables: ({ task, pointer }) => ({
    named: [
      [`${pointer}/foreach/item`, task.foreach?.item],
      [`${pointer}/foreach/at`, task.foreach?.at],
    ],
    ...(task.foreach === undefined ? {} : { loop: { pointer: `${pointer}/foreach`, names: variablesOf(task) } }),
  }),
  texts({ task, pointer }, { own, around }) {
    const loop = variablesOf(task);
    return [
      ...filterTexts(task.listen.to, `${pointer}/listen/to`, own),
      ...rule(task.foreach?.output?.as, `${pointer}/foreach/output/as`, [...own, ...loop]),
      ...rule(task.foreach?.export?.as, `${pointer}/foreach/export/as`, [...AT_EXPORT, ...around, ...loop]),
    ];
  },
  schemas: ({ task, pointer }) => [
    { schema: task.foreach?.output?.schema, pointer: `${pointer}/foreach/output/schema` },
    { schema: task.foreach?.export?.schema, pointer: `${pointer}/foreach/export/schema` },
  ],
  filters: ({ task, pointer }) => allFiltersOf(task.listen.to, `${pointer}/listen/to`),
};

function variablesOf({ foreach }: ListenTask): [string, string] {
  return loopVariables(foreach?.item, foreach?.at);
}

function strategyWords(strategy: ConsumptionStrategy): string {
  if ('one' in strategy) return `an event of ${typeOf(strategy.one)}`;
  if ('all' in strategy) return `events of ${strategy.all.map(typeOf).join(' and ')}`;
  const types = strategy.any.length === 0 ? 'any event' : `an event of ${strategy.any.map(typeOf).join(' or ')}`;
  if (strategy.until === undefined) return types;
  const until = typeof strategy.until === 'string' ? shown(strategy.until) : strategyWords(strategy.until);
  return `${types}, until ${until}`;
}

function typeOf(filter: { with: object }): string {
  const { type } = filter.with as { type?: unknown };
  return type === undefined ? 'any type' : `type ${shown(type)}`;
}
