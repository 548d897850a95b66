import { escapeToken } from '../../../../lib/json-pointer.ts';
import type { WalkedStep } from '../walk.ts';

/** Where a step may go on, as its author wrote it. */
export interface Directive {
  pointer: string;
  then: string;
  /** The step's own `then`, one of a switch's cases, or the one of a catch. */
  of: 'task' | 'case' | 'catch';
  /** Name of the case. */
  label?: string;
  isDefault?: boolean;
}

export function directivesOf({ task, pointer }: WalkedStep): Directive[] {
  const found: Directive[] = [];
  if (task.then !== undefined) found.push({ pointer: `${pointer}/then`, then: task.then, of: 'task' });
  if ('switch' in task) {
    for (const [place, item] of task.switch.entries()) {
      for (const [label, { when, then }] of Object.entries(item)) {
        const at = `${pointer}/switch/${place}/${escapeToken(label)}/then`;
        found.push({ pointer: at, then, of: 'case', label, isDefault: when === undefined });
      }
    }
  }
  if ('try' in task && task.catch.then !== undefined) {
    found.push({ pointer: `${pointer}/catch/then`, then: task.catch.then, of: 'catch' });
  }
  return found;
}
