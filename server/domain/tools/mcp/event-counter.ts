/** Lines that an event may have before it counts as another. */
const LINES_AN_EVENT = 100;

/**
 * Counts the events that end within each chunk of a `text/event-stream`, by the empty lines behind them. A parser's work
 * grows with the lines, comments included: each 100 lines without an empty one count as an event too.
 */
export function createEventCounter(): (chunk: Uint8Array) => number {
  let isLineEmpty = true;
  let wasReturn = false;
  let lines = 0;
  return (chunk) => {
    let events = 0;
    for (const byte of chunk) {
      const isFeed = byte === 0x0a;
      const isReturn = byte === 0x0d;
      // Of the two signs of one line's end, the first counts.
      if (!(isFeed && wasReturn) && (isFeed || isReturn)) {
        lines += 1;
        if (isLineEmpty || lines === LINES_AN_EVENT) {
          events += 1;
          lines = 0;
        }
        isLineEmpty = true;
      } else if (!isFeed && !isReturn) isLineEmpty = false;
      wasReturn = isReturn;
    }
    return events;
  };
}
