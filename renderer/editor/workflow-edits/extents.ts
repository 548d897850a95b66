// The part of the text that is an entry's: its lines, and the comments that belong to it.
import type { Collection, ParsedSource, Place } from './parsed-source.ts';
import { placesIn } from './parsed-source.ts';
import { columnOf, endOfLineAbove, indentOf, isBlank, lineAt, lineEnd, lineStart, nextLine } from './lines.ts';
import { endOf, keepsBlankLines, startOf } from './syntax.ts';

export interface Extent {
  /** The start of the first line, comments above included; where the entry begins behind something, that position. */
  start: number;
  /** The end of the last line, comments below that are indented deeper included. */
  end: number;
  /** The column of the dash or key. */
  column: number;
  /** It begins behind something else on its line, as a key behind a dash. */
  isInline: boolean;
  keepsBlankLines: boolean;
}

/** The extents of the entries of a collection that is written in lines. */
export function extentsIn({ text }: ParsedSource, collection: Collection, holder: Place | undefined): Extent[] {
  const extents: Extent[] = [];
  for (const { syntax } of placesIn(collection, holder)) {
    const at = startOf(syntax);
    const column = columnOf(text, at);
    const isInline = !isBlank(text.slice(lineStart(text, at), at));
    const least = extents.at(-1)?.end ?? 0;
    extents.push({
      start: isInline ? at : startWithComments(text, at, least),
      end: endWithComments(text, endOf(syntax), column),
      column,
      isInline,
      keepsBlankLines: keepsBlankLines(syntax),
    });
  }
  return extents;
}

/** The start of the first of the comment lines directly above. */
export function startWithComments(text: string, at: number, least: number): number {
  let start = lineStart(text, at);
  for (let end = endOfLineAbove(text, start); end !== undefined && end > least; end = endOfLineAbove(text, start)) {
    if (!isComment(lineAt(text, end))) break;
    start = lineStart(text, end);
  }
  return start;
}

function endWithComments(text: string, last: number, column: number): number {
  // A text in lines ends behind its last line break.
  let end = text[last - 1] === '\n' ? lineEnd(text, lineStart(text, last - 1)) : lineEnd(text, last);
  for (let next = nextLine(text, end); next !== undefined; next = nextLine(text, next)) {
    const line = lineAt(text, next);
    if (isBlank(line)) continue;
    if (!isComment(line) || indentOf(line) <= column) break;
    end = lineEnd(text, next);
  }
  return end;
}

export function isComment(line: string): boolean {
  return line.trimStart().startsWith('#');
}

/** Blank lines directly above a line. */
export function blankLinesAbove(text: string, start: number, least: number): number {
  let count = 0;
  for (let end = endOfLineAbove(text, start); end !== undefined && end > least; ) {
    if (!isBlank(lineAt(text, end))) break;
    count += 1;
    end = endOfLineAbove(text, end);
  }
  return count;
}
