// The types of tasks: one line for each. What is known of a type stands in its two files: `document/tasks` says what a
// document may hold and what the checks, the graph and the overview make of it, `engine/tasks` how a run carries it out.
import { CALL } from './document/tasks/call.ts';
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
import { CALL_ENGINE } from './engine/tasks/call.ts';
import { DO_ENGINE } from './engine/tasks/do.ts';
import { EMIT_ENGINE } from './engine/tasks/emit.ts';
import { FOR_ENGINE } from './engine/tasks/for.ts';
import { FORK_ENGINE } from './engine/tasks/fork.ts';
import { LISTEN_ENGINE } from './engine/tasks/listen.ts';
import { RAISE_ENGINE } from './engine/tasks/raise.ts';
import { RUN_ENGINE } from './engine/tasks/run.ts';
import { SET_ENGINE } from './engine/tasks/set.ts';
import { SWITCH_ENGINE } from './engine/tasks/switch.ts';
import { TRY_ENGINE } from './engine/tasks/try.ts';
import { WAIT_ENGINE } from './engine/tasks/wait.ts';

/** By the keyword of each. `for` has a `do` beside it: a task is of the first type whose keyword it has. */
export const TASK_TYPES = {
  call: { descriptor: CALL, engine: CALL_ENGINE },
  emit: { descriptor: EMIT, engine: EMIT_ENGINE },
  for: { descriptor: FOR, engine: FOR_ENGINE },
  fork: { descriptor: FORK, engine: FORK_ENGINE },
  listen: { descriptor: LISTEN, engine: LISTEN_ENGINE },
  raise: { descriptor: RAISE, engine: RAISE_ENGINE },
  run: { descriptor: RUN, engine: RUN_ENGINE },
  set: { descriptor: SET, engine: SET_ENGINE },
  switch: { descriptor: SWITCH, engine: SWITCH_ENGINE },
  try: { descriptor: TRY, engine: TRY_ENGINE },
  wait: { descriptor: WAIT, engine: WAIT_ENGINE },
  do: { descriptor: DO, engine: DO_ENGINE },
};

export type TaskKind = keyof typeof TASK_TYPES;
