// What an import changes, in words.
import type { ImportChanges } from './plan-import.ts';

export type Change = Exclude<ImportChanges['definitions'][number]['change'], 'retire'>;

const NUMBERED: readonly (readonly [change: Change, word: string])[] = [
  ['create', 'new'],
  ['update', 'changed'],
  ['unchanged', 'unchanged'],
  ['missing', 'kept'],
  ['retired', 'refused'],
];

/** How many definitions there are of each change: "2 new, 1 changed". */
export function countWords({ definitions }: ImportChanges): string {
  const counts = NUMBERED.flatMap(([change, word]) => {
    const count = definitions.filter((one) => one.change === change).length;
    return count === 0 ? [] : [`${count} ${word}`];
  });
  return counts.length === 0 ? 'no definitions' : counts.join(', ');
}

/** Whether nothing would be saved. */
export function isWithoutEffect({ playbook, definitions }: ImportChanges): boolean {
  return playbook === 'unchanged' && definitions.every(({ change }) => change !== 'create' && change !== 'update');
}

/** A retired name is never used again, so the service refuses the archive. */
export function isRefused({ definitions }: ImportChanges): boolean {
  return definitions.some(({ change }) => change === 'retired');
}
