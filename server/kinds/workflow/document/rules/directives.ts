import type { Directive } from '../tasks/descriptor.ts';
import type { WalkedStep } from '../walk.ts';

/** Where a step may continue: by its own `then`, and by what its type of task has. */
export function directivesOf({ task, pointer, descriptor }: WalkedStep): Directive[] {
  return [
    ...(task.then === undefined ? [] : [{ pointer: `${pointer}/then`, then: task.then, of: 'task' } as const]),
    ...(descriptor.directives?.({ task, pointer }) ?? []),
  ];
}
