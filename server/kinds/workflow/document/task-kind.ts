import type { Task } from './dsl.ts';

/** The keywords that say what a task does. `for` has a `do` beside it, so that it is looked for first. */
export const TASK_KINDS = [
  'call',
  'emit',
  'for',
  'fork',
  'listen',
  'raise',
  'run',
  'set',
  'switch',
  'try',
  'wait',
  'do',
] as const;

export type TaskKind = (typeof TASK_KINDS)[number];

/** What a task of a checked document does. */
export function taskKindOf(task: Task): TaskKind {
  const kind = TASK_KINDS.find((keyword) => Object.hasOwn(task, keyword));
  if (kind === undefined) throw new Error('A task of a checked document has no keyword.');
  return kind;
}
