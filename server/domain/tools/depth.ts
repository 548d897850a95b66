import type { Json } from '../../../shared/json.ts';

/** Deeper values are not legitimate data and would exhaust the stack of code that walks through them. */
const MOST_LEVELS = 200;

/** The JSON of a text; undefined for a text that is none, or nests too deeply. */
export function readShallowJson(text: string): Json | undefined {
  try {
    const value = JSON.parse(text) as Json;
    return isShallow(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Whether a value nests at most 200 levels. Walks without recursion. */
export function isShallow(value: Json): boolean {
  let level: Json[] = [value];
  for (let depth = 0; depth <= MOST_LEVELS; depth += 1) {
    level = level.flatMap((one) => (typeof one === 'object' && one !== null ? Object.values(one) : []));
    if (level.length === 0) return true;
  }
  return false;
}
