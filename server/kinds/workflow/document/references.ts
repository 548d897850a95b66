import type { Reference } from '../../checked.ts';
import type { Walk } from './walk.ts';

/** The definitions that a document calls, each once, in its order. */
export function referencesOf({ steps }: Walk): Reference[] {
  const found = new Map<string, Reference>();
  for (const { task, descriptor } of steps) {
    const called = descriptor.reaches?.(task).definition;
    if (called !== undefined) found.set(`${called.type}/${called.name}`, { ...called, use: 'calls' });
  }
  return [...found.values()];
}

/** The tools that a document calls by their names, SERVER/TOOL, each once. */
export function toolsOf({ steps }: Walk): string[] {
  const tools = steps.map(({ task, descriptor }) => descriptor.reaches?.(task).tool);
  return [...new Set(tools.filter((tool) => tool !== undefined))];
}
