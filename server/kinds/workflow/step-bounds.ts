// What a step may make or get at most. The main thread stores it, and passes it on.
import type { Json } from '../../../shared/json.ts';
import { MIB } from '../../../shared/product.ts';

/** Bytes of a value as JSON. */
export const MOST_VALUE_BYTES = 4 * MIB;
/** Values and names of members that an answer may hold: as many as a JSON body. */
const MOST_VALUES = 140_000;

/**
 * What is too much in an answer for a step to hold, to continue a sentence with.
 * @param bytes of the answer as JSON
 * @param values its values and names of members
 */
export function excessOf({ bytes, values }: { bytes: number; values: number }): string | undefined {
  if (bytes > MOST_VALUE_BYTES)
    return `has more than ${MOST_VALUE_BYTES / MIB} MiB as JSON, which is more than a step can hold`;
  if (values > MOST_VALUES) return `contains more than ${MOST_VALUES} values, which is more than a step can hold`;
  return undefined;
}

/**
 * About how many bytes a value has as JSON; counting ends where `most` is passed. Parts that occur several times
 * count at each, as they do in the text.
 */
export function bytesOf(value: Json, most = Number.MAX_SAFE_INTEGER): number {
  let bytes = 0;
  const open: Json[] = [value];
  while (open.length > 0 && bytes <= most) {
    const next = open.pop();
    if (typeof next === 'string') bytes += next.length + 2;
    else if (typeof next !== 'object' || next === null) bytes += 4;
    else if (Array.isArray(next)) {
      bytes += next.length + 2;
      if (bytes <= most) for (const item of next) open.push(item);
    } else {
      bytes += 2;
      for (const [name, member] of Object.entries(next)) {
        bytes += name.length + 4;
        open.push(member);
      }
    }
  }
  return bytes;
}
