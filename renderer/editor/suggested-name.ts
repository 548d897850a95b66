/** The name that a sentence of the service or of TypeScript asks for, as in "Did you mean `text`?". */
export function suggestedName(sentence: string): string | undefined {
  return /\bdid you mean [`'"]?([\w$./-]+)[`'"]?\?/i.exec(sentence)?.[1];
}

export interface WrittenName {
  text: string;
  /** From 1. */
  startColumn: number;
}

/** The name that stands at a column of a line, from 1; undefined where there is none. */
export function nameAt(line: string, column: number): WrittenName | undefined {
  for (const { 0: text, index } of line.matchAll(/[\w$]+(?:[./-]+[\w$]+)*/g)) {
    if (column < index + 1 || column > index + text.length) continue;
    // Of `input.txt` that part is meant which begins there.
    const part = /^[\w$]+/.exec(line.slice(column - 1))?.[0];
    const isMember = column > index + 1 && line[column - 2] === '.';
    return isMember && part !== undefined ? { text: part, startColumn: column } : { text, startColumn: index + 1 };
  }
  return undefined;
}
