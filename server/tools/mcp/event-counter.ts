/** Counts the events that end within each chunk of a `text/event-stream`: those of the empty lines behind them. */
export function createEventCounter(): (chunk: Uint8Array) => number {
  let isLineEmpty = true;
  let wasReturn = false;
  return (chunk) => {
    let events = 0;
    for (const byte of chunk) {
      const isFeed = byte === 0x0a;
      const isReturn = byte === 0x0d;
      // Of the two signs of one line's end, the first counts.
      if (!(isFeed && wasReturn) && (isFeed || isReturn)) {
        if (isLineEmpty) events += 1;
        isLineEmpty = true;
      } else if (!isFeed && !isReturn) isLineEmpty = false;
      wasReturn = isReturn;
    }
    return events;
  };
}
