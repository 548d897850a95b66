// The schema of a task: of each type its own, by the keyword.
import { descriptorOf, TASK_KINDS, type TaskKind } from '../task-kind.ts';
import { byKey, listOf, object, refusedBeside, type Schema, type TaskForm, text } from './build.ts';
import { EXPORT, FLOW_DIRECTIVE, INPUT, OPEN_OBJECT, OUTPUT, TASK, TIMEOUT_OR_NAME } from './values.ts';

const BASE: Readonly<Record<string, Schema>> = {
  if: text('must be a jq expression, for example .amount > 100'),
  input: INPUT,
  output: OUTPUT,
  export: EXPORT,
  timeout: TIMEOUT_OR_NAME,
  then: FLOW_DIRECTIVE,
  metadata: OPEN_OBJECT,
};

/** A task: what every task may have, and what its own type has. Keywords of other types are named as such. */
function formOf(kind: TaskKind): TaskForm {
  return (own, required = [kind]) => {
    const others = TASK_KINDS.filter((other) => !Object.hasOwn(own, other));
    const why = 'a step does one thing; write a separate step, or a `do` with both';
    return object({ ...refusedBeside(kind, others, why), ...own, ...BASE }, { required });
  };
}

const FORMS = Object.fromEntries(TASK_KINDS.map((kind) => [kind, descriptorOf(kind).form(formOf(kind))]));

/** Schemas that refer to themselves. */
export const TASK_DEFINITIONS: Readonly<Record<string, Schema>> = {
  task: {
    type: 'object',
    says: 'has no task; indent the task below its name, for example `set`',
    ...byKey(FORMS, {
      not: {},
      says: `has no task; it needs one of ${TASK_KINDS.map((kind) => `\`${kind}\``).join(', ')}`,
      nearest: TASK_KINDS,
    }),
  },
  taskList: listOf(
    {
      type: 'object',
      says: 'must contain one step: its name, with the task indented below it, and a dash before each step',
      minProperties: 1,
      maxProperties: 1,
      additionalProperties: TASK,
    },
    'must be a list of steps, each with a dash before its name',
  ),
};

/** What `extend` of an extension may name. */
export const EXTENDED: readonly string[] = [
  ...['composite', ...TASK_KINDS.filter((kind) => descriptorOf(kind).isComposite !== true)].toSorted(),
  'all',
];
