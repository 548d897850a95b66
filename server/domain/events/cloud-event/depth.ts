import type { Json } from '../../../../shared/json.ts';

/** Whether a value nests at most so many levels: a scalar nests 0, `[]` 1, `[[]]` 2. Goes no deeper than that itself. */
export function nestsAtMost(value: Json, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0) return false;
  for (const member of Object.values(value)) if (!nestsAtMost(member, levels - 1)) return false;
  return true;
}
