import type { RunListEntry } from '../../../../shared/api/index.ts';

/** "1 run", "3 runs". */
export function runsWords(count: number): string {
  return count === 1 ? '1 run' : `${count.toLocaleString()} runs`;
}

/** How many runs of each definition, the most first: "2 runs of triage-score, 1 run of handle-report". */
export function countsByDefinition(runs: readonly RunListEntry[]): string {
  const counts = new Map<string, number>();
  for (const { name } of runs) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts]
    .toSorted(([, one], [, other]) => other - one)
    .map(([name, count]) => `${runsWords(count)} of ${name}`)
    .join(', ');
}
