import { isJsonObject } from '../../../../shared/json.ts';
import { wholeExpression } from '../../../lib/jq/index.ts';
import type { Reference } from '../../checked.ts';
import { calledDefinition } from './definition-name.ts';
import type { Task } from './dsl.ts';
import type { Walk } from './walk.ts';

/** The definitions that a document calls, each once, in its order. */
export function referencesOf({ steps }: Walk): Reference[] {
  const found = new Map<string, Reference>();
  for (const { task } of steps) {
    const called = calledBy(task);
    if (called !== undefined) found.set(`${called.type}/${called.name}`, { ...called, use: 'calls' });
  }
  return [...found.values()];
}

/** The definition that a step calls or runs. */
export function calledBy(task: Task): Omit<Reference, 'use'> | undefined {
  if ('run' in task) return { type: 'workflow', name: task.run.workflow.name };
  return 'call' in task ? calledDefinition(task.call) : undefined;
}

/** The tools that a document calls by their names, SERVER/TOOL, each once. */
export function toolsOf({ steps }: Walk): string[] {
  return [...new Set(steps.map(({ task }) => toolOf(task)).filter((tool) => tool !== undefined))];
}

/** The tool of a `call: tool`, where it is not left to an expression. */
export function toolOf(task: Task): string | undefined {
  const tool = 'call' in task && task.call === 'tool' && isJsonObject(task.with) ? task.with['tool'] : undefined;
  return typeof tool === 'string' && wholeExpression(tool) === undefined ? tool : undefined;
}
