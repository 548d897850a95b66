// JSON Pointers, RFC 6901, and how long one in an answer is.
export { escapeToken, tokensOf } from '../../shared/json-pointer.ts';

/** A pointer in an answer is at most this long; one that would be longer points at the nearest holder. */
const MOST_CHARACTERS = 2000;

/** The pointer, or that of the nearest holder that is short enough to be returned: names come from callers. */
export function boundedPointer(pointer: string): string {
  return pointer.length <= MOST_CHARACTERS ? pointer : pointer.slice(0, pointer.lastIndexOf('/', MOST_CHARACTERS));
}
