import type { Json } from '../../shared/json.ts';

/**
 * One text for all JSON texts of an equal value: members sorted by name, numbers as doubles (1 and 1.0 are the same).
 * Recursive: the value may nest a few thousand levels, more than anything that is read from a caller.
 * @param value JSON: no undefined members, no cycles
 */
export function canonicalJson(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.keys(value)
    .toSorted()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(value[name] ?? null)}`);
  return `{${members.join(',')}}`;
}

/** UTF-8 bytes of the value as JSON without white space. */
export function jsonBytes(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value));
}
