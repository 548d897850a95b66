import type { WalkedStep } from './walk.ts';
import { shown, thenWords } from './words.ts';

/** What a step does, in a few words. */
export function stepWords({ task, descriptor }: WalkedStep): string {
  const condition = task.if === undefined ? '' : `if ${shown(task.if)}, `;
  const then = task.then === undefined || task.then === 'continue' ? '' : `, then ${thenWords(task.then)}`;
  return `${condition}${descriptor.words(task)}${then}`;
}
