import type { Json } from '../../../../shared/json.ts';

/** Whether a value nests at most so many levels: a scalar nests 0, `[]` 1, `[[]]` 2. Goes no deeper than that itself. */
export function nestsAtMost(value: Json, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0) return false;
  for (const member of Object.values(value)) if (!nestsAtMost(member, levels - 1)) return false;
  return true;
}

/** What a number or a literal takes at most as JSON. */
const SCALAR = 25;
/** A control character or half of a surrogate pair is written as an escape of six; another unit takes three at most. */
const UNIT = 6;

/**
 * No fewer bytes than a value takes as JSON, found without writing it: mostly enough to know that it is small enough.
 * @param value of a depth that was checked
 */
export function mostBytes(value: Json): number {
  if (typeof value === 'string') return UNIT * value.length + 2;
  if (typeof value !== 'object' || value === null) return SCALAR;
  let bytes = 2;
  if (Array.isArray(value)) for (const item of value) bytes += mostBytes(item) + 1;
  else for (const name of Object.keys(value)) bytes += UNIT * name.length + mostBytes(value[name] ?? null) + 4;
  return bytes;
}
