// Pieces repeated until a source is as long as it may be.

/** What a case is about, and the source of its document. */
export type HostileText = readonly [name: string, source: string];

/** UTF-8 bytes that a source may have. */
export const MOST_SOURCE_BYTES = 65_536;

/** The piece as often as it fits. */
export function fill(
  piece: (index: number) => string,
  { before = '', after = '', most = MOST_SOURCE_BYTES } = {},
): string {
  const pieces = [before];
  let length = before.length + after.length;
  for (let index = 0; ; index += 1) {
    const next = piece(index);
    length += next.length;
    if (length > most) break;
    pieces.push(next);
  }
  return pieces.join('') + after;
}

export const repeated = (open: string, count: number, middle = '', close = ''): string =>
  open.repeat(count) + middle + close.repeat(count);
