/** The name that a message of the service or TypeScript suggests, as in "Did you mean `text`?". */
export function suggestedName(message: string): string | undefined {
  return /\bdid you mean [`'"]?([\w$./-]+)[`'"]?[?,]/i.exec(message)?.[1];
}

/** The name that a message of the service says is wrong, as in "`txt` is unknown; did you mean `text`?". */
export function wrongName(message: string): string | undefined {
  return /`([^`]+)`[^`]*\bdid you mean /i.exec(message)?.[1];
}

export interface NameInLine {
  text: string;
  /** From 1. */
  startColumn: number;
}

/** Where a name stands in a line, as a whole; the occurrence nearest to a column if there are several. */
export function placeOf(name: string, line: string, column: number): NameInLine | undefined {
  const literal = name.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&');
  const indexes = [...line.matchAll(new RegExp(`(?<![\\w$])${literal}(?![\\w$])`, 'g'))].map(({ index }) => index + 1);
  const [startColumn] = indexes.toSorted((a, b) => Math.abs(a - column) - Math.abs(b - column));
  return startColumn === undefined ? undefined : { text: name, startColumn };
}

/** The name at a column of a line; undefined if there is none. Columns count from 1. */
export function nameAt(line: string, column: number): NameInLine | undefined {
  for (const { 0: text, index } of line.matchAll(/[\w$]+(?:[./-]+[\w$]+)*/g)) {
    if (column < index + 1 || column > index + text.length) continue;
    // In `input.txt`, only the part that starts at the column.
    const part = /^[\w$]+/.exec(line.slice(column - 1))?.[0];
    const isMember = column > index + 1 && line[column - 2] === '.';
    return isMember && part !== undefined ? { text: part, startColumn: column } : { text, startColumn: index + 1 };
  }
  return undefined;
}
