// What a step may make or get at most. The main thread stores it, and passes it on.
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
  if (values > MOST_VALUES) return `holds more than ${MOST_VALUES} values, which is more than a step can hold`;
  return undefined;
}
