// Lines out of chunks of bytes. What is kept of a line that has not ended is appended in place: however small the chunks
// are, a line costs no more than its length.

export interface WholeLines {
  add: (chunk: Buffer) => void;
}

const SMALLEST = 64 * 1024;

/** @param on `onLine` returns whether to continue reading; after `onTooLong` nothing more is read */
export function createWholeLines(
  mostBytes: number,
  on: { onLine: (line: string) => boolean; onTooLong: () => void },
): WholeLines {
  let begun = Buffer.alloc(0);
  let length = 0;
  let isOver = false;

  function keep(part: Buffer): void {
    if (length + part.length > mostBytes) {
      isOver = true;
      begun = Buffer.alloc(0);
      return on.onTooLong();
    }
    if (length + part.length > begun.length) {
      const larger = Buffer.allocUnsafe(Math.min(mostBytes, Math.max(SMALLEST, 2 * (length + part.length))));
      begun.copy(larger, 0, 0, length);
      begun = larger;
    }
    part.copy(begun, length);
    length += part.length;
  }

  function end(part: Buffer): string {
    if (length === 0) return part.toString();
    keep(part);
    const line = begun.toString('utf8', 0, length);
    length = 0;
    if (begun.length > SMALLEST) begun = Buffer.alloc(0);
    return line;
  }

  return {
    add(chunk) {
      let from = 0;
      for (let at = chunk.indexOf(0x0a); at !== -1 && !isOver; at = chunk.indexOf(0x0a, from)) {
        const line = end(chunk.subarray(from, at));
        from = at + 1;
        if (!isOver && !on.onLine(line)) isOver = true;
      }
      if (!isOver && from < chunk.length) keep(chunk.subarray(from));
    },
  };
}
