// The kinds of tasks as the table lists them. The table itself imports the descriptors, which need nothing from here.
import { TASK_TYPES, type TaskKind } from '../task-types.ts';
import type { Task } from './dsl.ts';
import type { TaskDescriptor } from './tasks/descriptor.ts';

export type { TaskKind };

/** The keywords that say what a task does. */
export const TASK_KINDS = Object.keys(TASK_TYPES) as TaskKind[];

/** The kind of a task of a checked document. */
export function taskKindOf(task: Task): TaskKind {
  const kind = TASK_KINDS.find((keyword) => Object.hasOwn(task, keyword));
  if (kind === undefined) throw new Error('A task of a checked document has no keyword.');
  return kind;
}

export function descriptorOf(kind: TaskKind): TaskDescriptor {
  return TASK_TYPES[kind].descriptor;
}
