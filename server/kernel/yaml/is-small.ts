/** Characters, and those among them that begin something. */
const MOST_CHARACTERS = 16_384;
const MOST_SIGNS = 800;

const SIGNS = new Set(Buffer.from('\n,:-?[]{}&*!|>"\'%@`#'));

/** Whether a source is read in some 10 ms at most, whatever it is. Takes time in proportion to what it looks at. */
export function isSmall(source: string): boolean {
  if (source.length > MOST_CHARACTERS) return false;
  let signs = 0;
  for (let at = 0; at < source.length && signs <= MOST_SIGNS; at += 1) {
    if (SIGNS.has(source.charCodeAt(at))) signs += 1;
  }
  return signs <= MOST_SIGNS;
}
