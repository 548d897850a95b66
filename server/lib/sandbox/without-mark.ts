/** The text without a byte order mark, which some editors write first: it belongs to the file and not to the program. */
export function withoutMark(source: string): string {
  return source.startsWith('\ufeff') ? source.slice(1) : source;
}
