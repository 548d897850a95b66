// The types of tasks: one line for each. What is known of a type stands in its two files: `document/tasks` says what a
// document may hold and what the checks, the graph and the overview make of it, `engine/tasks` how a run carries it out.
import { CALL } from './document/tasks/call.ts';
import type { TaskDescriptor } from './document/tasks/descriptor.ts';
import { DO } from './document/tasks/do.ts';
import { EMIT } from './document/tasks/emit.ts';
import { FOR } from './document/tasks/for.ts';
import { FORK } from './document/tasks/fork.ts';
import { LISTEN } from './document/tasks/listen.ts';
import { RAISE } from './document/tasks/raise.ts';
import { RUN } from './document/tasks/run.ts';
import { SET } from './document/tasks/set.ts';
import { SWITCH } from './document/tasks/switch.ts';
import { TRY } from './document/tasks/try.ts';
import { WAIT } from './document/tasks/wait.ts';

/** By the keyword of each. `for` has a `do` beside it: a task is of the first type whose keyword it has. */
export const TASK_TYPES = {
  call: { descriptor: CALL },
  emit: { descriptor: EMIT },
  for: { descriptor: FOR },
  fork: { descriptor: FORK },
  listen: { descriptor: LISTEN },
  raise: { descriptor: RAISE },
  run: { descriptor: RUN },
  set: { descriptor: SET },
  switch: { descriptor: SWITCH },
  try: { descriptor: TRY },
  wait: { descriptor: WAIT },
  do: { descriptor: DO },
};

export type TaskKind = keyof typeof TASK_TYPES;

/** A task of any type. */
export type AnyTask = { [Kind in TaskKind]: TaskOf<(typeof TASK_TYPES)[Kind]['descriptor']> }[TaskKind];

type TaskOf<Descriptor> = Descriptor extends TaskDescriptor<infer Own> ? Own : never;
