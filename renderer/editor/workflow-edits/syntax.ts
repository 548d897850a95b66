// Where the parts of an entry begin and end in the text, by the syntax that the parser keeps.
import type { CST } from 'yaml';

const SPACE: ReadonlySet<CST.Token['type']> = new Set(['space', 'newline', 'comment', 'comma']);

/** Where an entry begins: at its dash, its anchor or its key. */
export function startOf({ start, key, sep, value }: CST.CollectionItem): number {
  const first = start.find(isSignificant) ?? key ?? sep?.[0] ?? value;
  return first?.offset ?? 0;
}

/** Where an entry ends, before any comment. */
export function endOf(item: CST.CollectionItem): number {
  return endOfToken(lastTokenOf(item));
}

/** Where what stands before a value ends: the colon or the dash, and an anchor. */
export function endBeforeValue({ start, key, sep }: CST.CollectionItem): number {
  const last = sep?.findLast(isSignificant) ?? key ?? start.findLast(isSignificant);
  return last === undefined || last === null ? 0 : endOfToken(last);
}

/** The last token of an entry that is no space and no comment. */
function lastTokenOf({ start, key, sep, value }: CST.CollectionItem): CST.Token | undefined {
  if (value?.type === 'block-map' || value?.type === 'block-seq') {
    const last = value.items.findLast(hasContent);
    if (last !== undefined) return lastTokenOf(last);
  }
  return value ?? sep?.findLast(isSignificant) ?? key ?? start.findLast(isSignificant);
}

export function endOfToken(token: CST.Token | undefined): number {
  if (token === undefined) return 0;
  if (token.type === 'flow-collection') {
    const close = token.end.find(({ type }) => type === 'flow-map-end' || type === 'flow-seq-end');
    return close === undefined ? token.offset + 1 : close.offset + 1;
  }
  if (token.type === 'block-scalar') {
    const head = token.props.at(-1);
    return (head === undefined ? token.offset : endOfToken(head)) + token.source.length;
  }
  return token.offset + ('source' in token ? token.source.length : 0);
}

/** Whether blank lines below an entry belong to its last text (`|+`). */
export function keepsBlankLines(item: CST.CollectionItem): boolean {
  const last = lastTokenOf(item);
  return (
    last?.type === 'block-scalar' &&
    last.props.some((prop) => prop.type === 'block-scalar-header' && prop.source.includes('+'))
  );
}

function hasContent({ start, key, sep, value }: CST.CollectionItem): boolean {
  return value !== undefined || (key ?? undefined) !== undefined || (sep ?? []).length > 0 || start.some(isSignificant);
}

function isSignificant({ type }: CST.Token): boolean {
  return !SPACE.has(type);
}
