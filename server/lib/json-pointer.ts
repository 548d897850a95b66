// JSON Pointers, RFC 6901, and how long one in an answer is.
export { escapeToken, tokensOf } from '../../shared/json-pointer.ts';

/** A pointer in an answer is at most this long; one that would be longer points at what holds the place. */
const MOST_CHARACTERS = 2000;

/** The pointer, or the nearest place above it whose pointer is short enough to be told: names come from callers. */
export function boundedPointer(pointer: string): string {
  return pointer.length <= MOST_CHARACTERS ? pointer : pointer.slice(0, pointer.lastIndexOf('/', MOST_CHARACTERS));
}
