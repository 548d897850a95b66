import type { Json } from '../../../shared/json.ts';

/** Whether a value nests at most so many levels: a scalar nests 0, `[]` 1, `[[]]` 2. Does not recurse. */
export function nestsAtMost(value: Json, levels: number): boolean {
  let holders = [value].filter(isHolder);
  for (let level = 1; holders.length > 0; level += 1) {
    if (level > levels) return false;
    holders = holders.flatMap((holder) => Object.values(holder).filter(isHolder));
  }
  return true;
}

function isHolder(value: Json): value is Exclude<Json, string | number | boolean | null> {
  return typeof value === 'object' && value !== null;
}
