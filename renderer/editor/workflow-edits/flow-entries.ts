// Adds and removes entries of collections that are written in brackets, in one line or in several.
import type { TextChange } from './edits.ts';
import { changeAt } from './block-entries.ts';
import { isComment, startWithComments } from './extents.ts';
import { endOfLineAbove, isBlank, lineEnd, lineStart } from './lines.ts';
import { type Collection, type ParsedSource, type Place, placesIn } from './parsed-source.ts';
import { endOf, endOfToken, startOf } from './syntax.ts';
import { styleOf } from './written.ts';
import { isSeq } from 'yaml';

export interface FlowExtent {
  /** Where the entry begins, comment lines directly above included. */
  start: number;
  /** Where the entry itself begins. */
  content: number;
  end: number;
  /** The end of the comma behind it; absent: there is none. */
  comma?: number;
  /** The end of the comma or the entry, with a comment on the line. */
  tail: number;
  /** It begins its line. */
  isFirstOfLine: boolean;
}

export function flowExtentsIn({ text }: ParsedSource, collection: Collection, holder: Place | undefined): FlowExtent[] {
  const extents: FlowExtent[] = [];
  for (const { syntax } of placesIn(collection, holder)) {
    const content = startOf(syntax);
    const line = lineStart(text, content);
    const isFirstOfLine = isBlank(text.slice(line, content));
    const above = isFirstOfLine ? startWithComments(text, content, extents.at(-1)?.tail ?? 0) : content;
    const start = above < line ? above + indentation(text, above) : content;
    const end = endOf(syntax);
    const gap = /^(?:\s|\s#.*)*,/.exec(text.slice(end))?.[0].length;
    const comma = gap === undefined ? undefined : end + gap;
    const tail = (comma ?? end) + (/^[ \t]+#[^\r\n]*/.exec(text.slice(comma ?? end))?.[0].length ?? 0);
    extents.push({ start, content, end, tail, isFirstOfLine, ...(comma === undefined ? {} : { comma }) });
  }
  return extents;
}

/**
 * Adds entries before the one that has the index now, or at the end.
 * @param entries each for the column of the line on which it begins; further lines are indented already
 */
export function insertInFlow(
  source: ParsedSource,
  collection: Collection,
  holder: Place | undefined,
  at: number,
  entries: readonly ((column: number) => string)[],
): TextChange[] {
  const { text, isJson } = source;
  const extents = flowExtentsIn(source, collection, holder);
  const [first] = extents;
  if (first === undefined) return insertInEmpty(source, collection, entries);
  const separator = separatorIn(source, extents);
  const column = first.isFirstOfLine ? first.content - lineStart(text, first.content) : 0;
  const added = entries.map((entry) => entry(column)).join(`,${separator}`);
  const below = extents[at];
  if (below !== undefined) return [changeAt(below.start, `${added},${separator}`)];
  const above = extents.at(-1) ?? first;
  const hasComment = above.tail > (above.comma ?? above.end);
  const gap = hasComment && !separator.includes('\n') ? `${source.newline}${' '.repeat(column)}` : separator;
  if (above.comma !== undefined && !isJson) return [changeAt(above.tail, `${gap}${added},`)];
  return [changeAt(above.end, ','), changeAt(above.tail, `${gap}${added}`)];
}

function insertInEmpty(
  source: ParsedSource,
  collection: Collection,
  entries: readonly ((column: number) => string)[],
): TextChange[] {
  const { text, isJson, newline } = source;
  const open = collection.srcToken?.offset ?? 0;
  const end = endOfToken(collection.srcToken);
  const at = (column: number, gap: string): string => entries.map((entry) => entry(column)).join(`,${gap}`);
  const outer = indentation(text, lineStart(text, open));
  const added = at(outer, ' ');
  if (end - open > '[]'.length) return [changeAt(open + 1, added)];
  if (!isJson) return [changeAt(open + 1, ` ${added} `)];
  if (!added.includes('\n')) return [changeAt(open + 1, added)];
  // An object in several lines stands on lines of its own.
  const style = styleOf(source);
  const line = newline + text.slice(lineStart(text, open)).slice(0, outer);
  const inner = line + (style.hasTabs ? '\t' : ' ').repeat(style.indent);
  return [changeAt(open + 1, inner + at(outer + style.indent, inner) + line)];
}

export function removeFromFlow(
  source: ParsedSource,
  collection: Collection,
  holder: Place | undefined,
  first: number,
  last: number,
): TextChange[] {
  const { text } = source;
  const extents = flowExtentsIn(source, collection, holder);
  const [begin, end] = [extents[first], extents[last]];
  if (begin === undefined || end === undefined) throw new Error('Only entries of the collection can be removed.');
  const below = extents[last + 1];
  if (below !== undefined) return [{ from: begin.start, to: below.start, insert: '' }];
  const above = extents[first - 1];
  if (above !== undefined) {
    const from = above.tail;
    const comma = above.comma ?? from;
    // A list whose entries all end with a comma stays one.
    if (end.comma !== undefined) return [{ from, to: end.tail, insert: '' }];
    return [
      { from: comma - 1, to: comma, insert: '' },
      { from, to: end.tail, insert: '' },
    ];
  }
  const open = collection.srcToken?.offset ?? 0;
  const close = endOfToken(collection.srcToken) - 1;
  const inner = text.slice(open + 1, begin.start) + text.slice(end.tail, close);
  const isCommentLeft = inner.split('\n').some(isComment);
  if (isCommentLeft && begin.isFirstOfLine && lineEnd(text, end.tail) === end.tail) {
    // No line of spaces is left.
    return [{ from: endOfLineAbove(text, begin.start) ?? begin.start, to: end.tail, insert: '' }];
  }
  if (isCommentLeft || (inner === ' ' && isSeq(collection))) return [{ from: begin.start, to: end.tail, insert: '' }];
  return [{ from: open + 1, to: close, insert: '' }];
}

/** What stands between two entries, after the comma. */
function separatorIn({ text, newline, isJson }: ParsedSource, extents: readonly FlowExtent[]): string {
  const [first, second] = extents;
  if (first?.isFirstOfLine === true) {
    return newline + text.slice(lineStart(text, first.content), first.content);
  }
  return first?.comma === undefined || second === undefined
    ? isJson && isTight(text)
      ? ''
      : ' '
    : text.slice(first.comma, second.start).replace(/#.*/, '');
}

function indentation(text: string, start: number): number {
  return /^[ \t]*/.exec(text.slice(start))?.[0].length ?? 0;
}

/** Whether JSON has no space behind its first colon. */
export function isTight(text: string): boolean {
  return /^\s*\{\s*"(?:[^"\\]|\\.)*":\S/.test(text);
}
