/** The name that a message of the service or TypeScript suggests, as in "Did you mean `text`?". */
export function suggestedName(message: string): string | undefined {
  return /\bdid you mean [`'"]?([\w$./-]+)[`'"]?\?/i.exec(message)?.[1];
}

export interface NameInLine {
  text: string;
  /** From 1. */
  startColumn: number;
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
