import type { Callable } from '../operations/index.ts';

/** What may change which definitions are tools, or what they take. */
const CHANGES_TOOLS = [
  'create_definition',
  'update_definition',
  'retire_definition',
  'apply_playbook',
  'retire_playbook',
];

/** The operation, whatever face carries it out; clients are told when it may have changed their tools. */
export function announcing(callable: Callable, changed: () => void): Callable {
  if (!CHANGES_TOOLS.includes(callable.operation.name)) return callable;
  return {
    ...callable,
    async carryOut(...given) {
      const answer = await callable.carryOut(...given);
      changed();
      return answer;
    },
  };
}
