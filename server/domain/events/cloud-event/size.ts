import type { Json } from '../../../../shared/json.ts';

/** Whether a value nests at most that many levels: a scalar has 0, `[]` 1, `[[]]` 2. Does not recurse deeper than that. */
export function nestsAtMost(value: Json, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return true;
  if (levels === 0) return false;
  for (const member of Object.values(value)) if (!nestsAtMost(member, levels - 1)) return false;
  return true;
}

/** The most bytes that a number or a literal takes as JSON. */
const SCALAR = 25;
/** A control character or half of a surrogate pair is written as an escape of six; another unit takes three at most. */
const UNIT = 6;

/**
 * An upper bound of the bytes that a value takes as JSON, computed without serializing it.
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
