// Lines of a text, by offsets. The end of a line is before its line break, `\n` or `\r\n`.

export function lineStart(text: string, at: number): number {
  return text.lastIndexOf('\n', at - 1) + 1;
}

export function lineEnd(text: string, at: number): number {
  const end = text.indexOf('\n', at);
  if (end === -1) return text.length;
  return text[end - 1] === '\r' && end > at ? end - 1 : end;
}

/** Where the next line starts; undefined in the last line. */
export function nextLine(text: string, at: number): number | undefined {
  const end = text.indexOf('\n', at);
  return end === -1 ? undefined : end + 1;
}

/** Where the line above ends; undefined in the first line. */
export function endOfLineAbove(text: string, at: number): number | undefined {
  const start = lineStart(text, at);
  if (start === 0) return undefined;
  return lineEnd(text, lineStart(text, start - 1));
}

export function lineAt(text: string, at: number): string {
  return text.slice(lineStart(text, at), lineEnd(text, at));
}

export function isBlank(line: string): boolean {
  return line.trim() === '';
}

/** Characters from the start of the line. */
export function columnOf(text: string, at: number): number {
  return at - lineStart(text, at);
}

/** Spaces at the start of a line. */
export function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}

/**
 * Moves lines to the right, or to the left where `by` is negative. Empty lines stay empty.
 * @param first whether the first line moves too
 */
export function shiftLines(text: string, by: number, first: boolean): string {
  return text
    .split('\n')
    .map((line, index) => {
      if ((index === 0 && !first) || line === '' || line === '\r') return line;
      // JSON can be indented with tabs.
      const indent = /^(?: *|\t*)/.exec(line)?.[0] ?? '';
      return by >= 0 ? (indent[0] ?? ' ').repeat(by) + line : line.slice(Math.min(-by, indent.length));
    })
    .join('\n');
}
