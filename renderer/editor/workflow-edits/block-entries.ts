// Adds and removes entries of collections that are written in lines.
import type { TextChange } from './edits.ts';
import { type Extent, blankLinesAbove, extentsIn } from './extents.ts';
import { endOfLineAbove, isBlank, lineAt, lineEnd, lineStart, nextLine } from './lines.ts';
import type { Collection, ParsedSource, Place } from './parsed-source.ts';
import { isSeq } from 'yaml';
import { RefusedEdit } from './refused-edit.ts';
import { endBeforeValue } from './syntax.ts';

/**
 * Adds an entry, with as many blank lines beside it as there are between the others.
 * @param lines the entry for a column of its dash or key, without the last line break
 * @param keepsBlankLines whether blank lines below the entry would belong to it
 */
export function insertLines(
  source: ParsedSource,
  collection: Collection,
  holder: Place | undefined,
  at: number,
  lines: (column: number) => string,
  keepsBlankLines = false,
): TextChange[] {
  const { text, newline } = source;
  const extents = extentsIn(source, collection, holder);
  const [first] = extents;
  if (first === undefined) throw new Error('A collection in lines has an entry.');
  const entry = lines(first.column);
  const blank = newline.repeat(isSeq(collection) ? blankLinesBetween(text, extents, at) : 0);
  const [above, below] = [extents[at - 1], extents[at]];
  if (keepsBlankLines && below !== undefined && !below.isInline) return [changeAt(below.start, entry + newline)];
  if (above !== undefined) {
    return [changeAt(above.end, newline + (above.keepsBlankLines ? '' : blank) + entry)];
  }
  if (first.isInline) {
    throw new RefusedEdit('The first step begins on the line of another value; write it on a line of its own first.');
  }
  return [changeAt(first.start, entry + newline + blank)];
}

/** Removes the entries from `first` to `last`, with the blank lines between them and the entry above or below. */
export function removeLines(
  source: ParsedSource,
  collection: Collection,
  holder: Place | undefined,
  first: number,
  last: number,
): TextChange[] {
  const { text } = source;
  const extents = extentsIn(source, collection, holder);
  const [begin, end] = [extents[first], extents[last]];
  if (begin === undefined || end === undefined) throw new Error('Only entries of the collection can be removed.');
  const above = extents[first - 1];
  if (above !== undefined) {
    // Blank lines below would belong to the text above.
    const to = above.keepsBlankLines ? endOfBlankLines(text, end.end) : end.end;
    return [{ from: endOfContentAbove(text, begin.start, above.end), to, insert: '' }];
  }
  if (last < extents.length - 1) {
    let next = nextLine(text, end.end) ?? text.length;
    while (isBlank(lineAt(text, next))) next = nextLine(text, next) ?? text.length;
    const to = begin.isInline ? next + (/^ */.exec(lineAt(text, next))?.[0].length ?? 0) : next;
    return [{ from: begin.start, to, insert: '' }];
  }
  const empty = isSeq(collection) ? '[]' : '{}';
  if (begin.isInline || holder === undefined) return [{ from: begin.start, to: end.end, insert: empty }];
  const from = endOfLineAbove(text, begin.start) ?? begin.start;
  return [changeAt(endBeforeValue(holder.syntax), ` ${empty}`), { from, to: end.end, insert: '' }];
}

function blankLinesBetween(text: string, extents: readonly Extent[], at: number): number {
  const below = Math.min(Math.max(at, 1), extents.length - 1);
  const [above, entry] = [extents[below - 1], extents[below]];
  return above === undefined || entry === undefined ? 0 : blankLinesAbove(text, entry.start, above.end);
}

/** The end of the last of the blank lines below a line. */
function endOfBlankLines(text: string, end: number): number {
  let last = end;
  for (let next = nextLine(text, end); next !== undefined; next = nextLine(text, next)) {
    if (!isBlank(lineAt(text, next)) || next === text.length) break;
    last = lineEnd(text, next);
  }
  return last;
}

/** The end of the nearest line above that is not blank. */
function endOfContentAbove(text: string, start: number, least: number): number {
  let end = endOfLineAbove(text, start) ?? start;
  while (end > least && isBlank(lineAt(text, end))) end = endOfLineAbove(text, end) ?? end;
  return end;
}

/** Fills an empty `[]` or `{}` behind a key with lines below it; undefined where it is written in another way. */
export function fillEmpty({ text, newline }: ParsedSource, { syntax }: Place, lines: string): TextChange[] | undefined {
  const from = endBeforeValue(syntax);
  const to = from + ' []'.length;
  const isPlain = [' []', ' {}'].includes(text.slice(from, to));
  const end = lineEnd(text, to);
  if (!isPlain || !/^\s*(?:\s#.*)?$/.test(text.slice(to, end))) return undefined;
  return [{ from, to, insert: '' }, changeAt(end, newline + lines)];
}

export function changeAt(at: number, insert: string): TextChange {
  return { from: at, to: at, insert };
}

/** The column of the first character of a line. */
export function indentAt(text: string, at: number): number {
  const start = lineStart(text, at);
  return (/^ */.exec(text.slice(start, lineEnd(text, start)))?.[0] ?? '').length;
}
