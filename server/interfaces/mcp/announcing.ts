import type { Callable } from '../../operations/index.ts';

/** The operation, whatever face carries it out; clients are told when it may have changed their tools. */
export function announcing(callable: Callable, changed: () => void): Callable {
  if (callable.operation.forAgents.changesTools !== true) return callable;
  return {
    ...callable,
    async carryOut(...given) {
      const answer = await callable.carryOut(...given);
      changed();
      return answer;
    },
  };
}
