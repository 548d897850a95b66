import type { TextChange } from './edits.ts';

/** The text with changes made, in any order; those that begin at the same position in the given one. */
export function changed(text: string, changes: readonly TextChange[]): string {
  let result = '';
  let at = 0;
  for (const { from, to, insert } of changes.toSorted((a, b) => a.from - b.from)) {
    result += text.slice(at, from) + insert;
    at = Math.max(at, to);
  }
  return result + text.slice(at);
}

/** A part of the text, with the changes that lie in it. */
export function changedPart(text: string, from: number, to: number, changes: readonly TextChange[]): string {
  const own = changes.filter((one) => one.from >= from && one.to <= to);
  return changed(
    text.slice(from, to),
    own.map((one) => ({ ...one, from: one.from - from, to: one.to - from })),
  );
}

/** The same changes in the order of the text: those that touch are one, and what they leave as it is, is left out. */
export function merged(text: string, changes: readonly TextChange[]): TextChange[] {
  const result: TextChange[] = [];
  for (const change of changes.toSorted((a, b) => a.from - b.from || a.to - b.to)) {
    const last = result.at(-1);
    if (last === undefined || change.from > last.to) result.push({ ...change });
    else {
      last.to = Math.max(last.to, change.to);
      last.insert += change.insert;
    }
  }
  return result.map((change) => trimmed(text, change)).filter(({ from, to, insert }) => from !== to || insert !== '');
}

/**
 * Changes that do at once what two others do one after the other.
 * @param second in the order of the text that `first` makes
 */
export function composed(text: string, first: readonly TextChange[], second: readonly TextChange[]): TextChange[] {
  const between = changed(text, first);
  let shift = 0;
  /** What the first changes wrote, as ranges of the text between. */
  const written = first.map(({ from, to, insert }) => {
    const start = from + shift;
    const by = insert.length - (to - from);
    shift += by;
    return { from: start, to: start + insert.length, by };
  });
  const parts: { from: number; to: number }[] = [];
  for (const { from, to } of [...written, ...second].toSorted((a, b) => a.from - b.from)) {
    const last = parts.at(-1);
    if (last === undefined || from > last.to) parts.push({ from, to });
    else last.to = Math.max(last.to, to);
  }
  const shiftOf = (all: readonly { by: number }[]): number => all.reduce((sum, { by }) => sum + by, 0);
  return parts.map(({ from, to }) => ({
    from: from - shiftOf(written.filter((one) => one.to < from)),
    to: to - shiftOf(written.filter((one) => one.to <= to)),
    insert: changedPart(between, from, to, second),
  }));
}

function trimmed(text: string, { from, to, insert }: TextChange): TextChange {
  const before = text.slice(from, to);
  const most = Math.min(before.length, insert.length);
  let head = 0;
  while (head < most && before[head] === insert[head]) head += 1;
  if (isSplit(before, head) || isSplit(insert, head)) head -= 1;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === insert.at(-1 - tail)) tail += 1;
  if (isSplit(before, before.length - tail) || isSplit(insert, insert.length - tail)) tail -= 1;
  return { from: from + head, to: to - tail, insert: insert.slice(head, insert.length - tail) };
}

/** Whether a position is within a line break of two characters, or within a character of two code units. */
function isSplit(text: string, at: number): boolean {
  return at > 0 && /^(?:\r\n|[\uD800-\uDBFF][\uDC00-\uDFFF])/.test(text.slice(at - 1, at + 1));
}
