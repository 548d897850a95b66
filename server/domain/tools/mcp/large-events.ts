// What the client's parser gets of a `text/event-stream`. Its parser is eventsource-parser, which can refuse a large event
// but neither replace its data nor bound its own work; so this reads the raw text in front of it.
//
// 1. A stand-in takes the place of data that is too large for the main thread.
// 2. Lines end with a line feed alone. Where a carriage return has come, the parser searches the whole chunk for the next
//    one at each line: a megabyte of short lines before a single one would hold the main thread for minutes.
// 3. Everything else is unchanged. An event that the end of the stream cuts off is dropped, as the parser would.
import type { LargeMessages } from './large-messages.ts';

const EVENT_END = /(?:\r\n|\n|\r(?!\n))(?:\r\n|\n|\r(?!\n))/;
/** Characters of an end that may have come already. */
const MOST_BEGUN = 3;

/** Holds an event back until it is complete: the client's own parser would scan all of it again with every chunk. */
export function shrinkLargeEvents(largeMessages: LargeMessages): TransformStream<Uint8Array, Uint8Array> {
  const decoder = new TextDecoder();
  const encoder = new TextEncoder();
  /** The chunks of an event so far. */
  let pieces: string[] = [];
  let lastCharacters = '';

  async function shrunk(event: string): Promise<string> {
    if (!largeMessages.isLarge(event.length)) return event.includes('\r') ? event.replaceAll(/\r\n?/g, '\n') : event;
    const lines = event.split(/\r\n|\r|\n/);
    const data = lines.flatMap((line) => (line.startsWith('data:') ? [line.slice('data:'.length).trimStart()] : []));
    const others = lines.filter((line) => line !== '' && !line.startsWith('data:'));
    // In JSON, a line break is a space: the message has one line whatever comes back.
    const message = await largeMessages.shrink(data.join(' '));
    return [...others, `data: ${message ?? ''}`, '', ''].join('\n');
  }

  /** The events that end in the text. */
  async function take(text: string): Promise<string> {
    let events = '';
    let rest = text;
    for (let end = endIn(rest); end !== undefined; end = endIn(rest)) {
      // oxlint-disable-next-line no-await-in-loop -- in their order
      events += await shrunk(pieces.join('') + rest.slice(0, end));
      pieces = [];
      lastCharacters = '';
      rest = rest.slice(end);
    }
    pieces.push(rest);
    lastCharacters = (lastCharacters + rest).slice(-MOST_BEGUN);
    return events;
  }

  function endIn(text: string): number | undefined {
    const found = EVENT_END.exec(lastCharacters + text);
    return found === null ? undefined : found.index + found[0].length - lastCharacters.length;
  }

  return new TransformStream({
    async transform(chunk, controller) {
      const events = await take(decoder.decode(chunk, { stream: true }));
      if (events !== '') controller.enqueue(encoder.encode(events));
    },
  });
}

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
