import { TASK_KINDS, type TaskKind } from '../task-kind.ts';
import {
  byKey,
  listOf,
  object,
  oneOfTexts,
  refused,
  refusedBeside,
  refusedWholly,
  type Schema,
  text,
  textOrObject,
} from './build.ts';
import { CALLS, DEFINITION_CALL, FUNCTION_WITH, REFUSED_CALLS } from './calls.ts';
import { ERROR, ERROR_FILTER, RETRY_POLICY } from './errors.ts';
import { EMITTED_EVENT } from './events.ts';
import {
  ANYTHING,
  BOOLEAN,
  DURATION,
  EXPORT,
  FLOW_DIRECTIVE,
  INPUT,
  OPEN_OBJECT,
  OUTPUT,
  READ,
  TIMEOUT_OR_NAME,
} from './values.ts';

const TASK: Schema = { $ref: '#/$defs/task' };
export const TASK_LIST: Schema = { $ref: '#/$defs/taskList' };
export const STRATEGY_REFERENCE: Schema = { $ref: '#/$defs/strategy' };

const BASE: Readonly<Record<string, Schema>> = {
  if: text('must be jq, for example .amount > 100'),
  input: INPUT,
  output: OUTPUT,
  export: EXPORT,
  timeout: TIMEOUT_OR_NAME,
  then: FLOW_DIRECTIVE,
  metadata: OPEN_OBJECT,
};

/** A task: what every task may have, and what its own kind has. Keywords of other kinds are named as such. */
function task(kind: TaskKind, own: Readonly<Record<string, Schema>>, required: readonly string[] = [kind]): Schema {
  const others = TASK_KINDS.filter((other) => !Object.hasOwn(own, other));
  const why = 'a step does one thing; write a step of its own, or a `do` with both';
  return object({ ...refusedBeside(kind, others, why), ...own, ...BASE }, { required });
}

const CALL_NAME = text(
  'must be the name of what is called: http, openapi, mcp, tool, TYPE/NAME or a function of `use.functions`',
);

function callTask(withForm: Schema, required: readonly string[]): Schema {
  return task('call', { call: CALL_NAME, with: withForm }, ['call', ...required]);
}

const CALL = Object.entries(CALLS).reduceRight<Schema>(
  (rest, [name, form]) => ({
    if: calls({ const: name }),
    then: callTask(form.with, form.isWithRequired ? ['with'] : []),
    else: rest,
  }),
  Object.entries(REFUSED_CALLS).reduceRight<Schema>(
    (rest, [name, says]) => ({
      if: calls({ const: name }),
      then: { properties: { call: refusedWholly(`\`call: ${name}\` ${says}.`) } },
      else: rest,
    }),
    {
      if: calls({ pattern: DEFINITION_CALL.pattern }),
      then: callTask(DEFINITION_CALL.with, []),
      else: callTask(FUNCTION_WITH, []),
    },
  ),
);

function calls(name: Schema): Schema {
  return { properties: { call: { type: 'string', ...name } } };
}

const FOR = object(
  {
    each: text('must be the name of a variable'),
    in: {
      type: ['string', 'array'],
      says: 'must be jq that gives a list, or a list of objects',
      items: { type: 'object', says: 'must be an object in an inline list; for other items write ${ [1, 2] }' },
    },
    at: text('must be the name of a variable'),
  },
  { required: ['in'], says: 'must be { each, in }, with `do` beside it' },
);

const FOREACH = object(
  {
    item: text('must be the name of a variable'),
    at: text('must be the name of a variable'),
    do: TASK_LIST,
    output: OUTPUT,
    export: EXPORT,
  },
  { says: 'must be { item, do }' },
);

const NO_PROCESS =
  'is not served: a workflow runs nothing on the machine; write a computation and `call: computation/NAME`, or use a tool server';

const RUN_MEMBERS = { await: BOOLEAN, return: oneOfTexts(['stdout', 'stderr', 'code', 'all', 'none']) };

const PROCESSES = Object.fromEntries(
  ['container', 'script', 'shell'].map((name) => [name, refusedWholly(`\`run: ${name}\` ${NO_PROCESS}.`)]),
);

const RUN: Schema = {
  type: 'object',
  says: 'must be { workflow: { name } }',
  ...byKey(
    {
      ...Object.fromEntries(Object.keys(PROCESSES).map((name) => [name, { properties: PROCESSES }])),
      workflow: object({
        workflow: object(
          { namespace: text(), name: text(), version: text('must be a text such as latest'), input: ANYTHING },
          { required: ['name'], says: 'must be { name, input }' },
        ),
        ...RUN_MEMBERS,
      }),
    },
    refused('must be { workflow: { name } }'),
  ),
};

const CASE = object(
  { when: text('must be jq, for example .amount > 100'), then: FLOW_DIRECTIVE },
  { required: ['then'], says: 'must be a case: { when, then }' },
);

const CATCH = object(
  {
    errors: object({ with: ERROR_FILTER }, { isOpen: true, says: 'must be { with: { type, status } }' }),
    as: text('must be the name of a variable'),
    when: text('must be jq'),
    exceptWhen: text('must be jq'),
    retry: textOrObject(
      { text: text(), object: RETRY_POLICY },
      'must be a retry policy, or the name of one of `use.retries`',
    ),
    do: TASK_LIST,
    then: FLOW_DIRECTIVE,
  },
  { says: 'must be an object: { errors, retry, do }; `{}` catches everything' },
);

const FORMS: Readonly<Record<TaskKind, Schema>> = {
  call: CALL,
  emit: task('emit', {
    emit: object(
      {
        event: object(
          { with: EMITTED_EVENT },
          { isOpen: true, required: ['with'], says: 'must be { with: { type, data } }' },
        ),
      },
      { required: ['event'], says: 'must be { event: { with: { type, data } } }' },
    ),
  }),
  for: task('for', { for: FOR, while: text('must be jq'), do: TASK_LIST }, ['for', 'do']),
  fork: task('fork', {
    fork: object(
      { branches: TASK_LIST, compete: BOOLEAN },
      { required: ['branches'], says: 'must be { branches: [STEPS] }' },
    ),
  }),
  listen: task('listen', {
    listen: object(
      { to: STRATEGY_REFERENCE, read: READ },
      { required: ['to'], says: 'must be { to: { one: { with: { type } } } }' },
    ),
    foreach: FOREACH,
  }),
  raise: task('raise', {
    raise: object(
      { error: textOrObject({ text: text(), object: ERROR }, 'must be an error, or the name of one of `use.errors`') },
      { required: ['error'], says: 'must be { error: { type, status } }' },
    ),
  }),
  run: task('run', { run: RUN }),
  set: task('set', {
    set: {
      type: ['string', 'object'],
      says: 'must be an object with at least one member, or an expression in ${ }',
      minProperties: 1,
    },
  }),
  switch: task('switch', {
    switch: {
      ...listOf(
        {
          type: 'object',
          says: 'must hold one case: its name, with `when` and `then` below it',
          minProperties: 1,
          maxProperties: 1,
          additionalProperties: CASE,
        },
        'must be a list with at least one case',
      ),
      minItems: 1,
    },
  }),
  try: task('try', { try: TASK_LIST, catch: CATCH }, ['try', 'catch']),
  wait: task('wait', { wait: DURATION }),
  do: task('do', { do: TASK_LIST }),
};

/** Schemas that refer to themselves. */
export const TASK_DEFINITIONS: Readonly<Record<string, Schema>> = {
  task: {
    type: 'object',
    says: 'holds no task; indent what it does below its name, for example `set`',
    ...byKey(FORMS, {
      not: {},
      says: `has no task; it needs one of ${TASK_KINDS.map((kind) => `\`${kind}\``).join(', ')}`,
      nearest: TASK_KINDS,
    }),
  },
  taskList: listOf(
    {
      type: 'object',
      says: 'must hold one step: its name, with what it does indented below it, and a dash before each step',
      minProperties: 1,
      maxProperties: 1,
      additionalProperties: TASK,
    },
    'must be a list of steps, each with a dash before its name',
  ),
};
