import type { EventEmitter } from 'node:events';
import type { Callable } from '../../operations/index.ts';

/** Emits `changed` when the tools of some playbook may have changed. */
export type ToolChanges = EventEmitter<{ changed: [] }>;

/** The operation, whichever interface carries it out, with `changed` emitted where it may change tools. */
export function announcing(callable: Callable, toolChanges: ToolChanges): Callable {
  if (callable.operation.forAgents.changesTools !== true) return callable;
  return {
    ...callable,
    async carryOut(...given) {
      const answer = await callable.carryOut(...given);
      toolChanges.emit('changed');
      return answer;
    },
  };
}
