// JSON Pointers, RFC 6901.

/** A pointer in an answer is at most this long; one that would be longer points at what holds the place. */
const MOST_CHARACTERS = 2000;

export function escapeToken(token: string): string {
  return token.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The names and indexes that a pointer is made of. */
export function tokensOf(pointer: string): string[] {
  if (pointer === '') return [];
  return pointer
    .slice(1)
    .split('/')
    .map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** The pointer, or the nearest place above it whose pointer is short enough to be told: names come from callers. */
export function boundedPointer(pointer: string): string {
  return pointer.length <= MOST_CHARACTERS ? pointer : pointer.slice(0, pointer.lastIndexOf('/', MOST_CHARACTERS));
}
