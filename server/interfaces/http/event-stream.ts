// Server-sent events (HTML standard, section 9.2).
import { Readable } from 'node:stream';
import type { Clock } from '../../lib/clock.ts';
import type { StreamedEvent } from '../../operations/index.ts';

/** Milliseconds. Proxies close connections that were silent for a minute, some for 30 seconds. */
export const HEARTBEAT = 25_000;

/** The events as a response body, with a comment whenever another `HEARTBEAT` has passed. */
export function eventStream(events: AsyncIterable<StreamedEvent>, clock: Clock): Readable {
  let callOff = (): void => {};
  const stream = Readable.from(
    written(events, () => callOff()),
    { objectMode: false },
  );
  const beat = (): void => {
    callOff = clock.wakeAfter(HEARTBEAT, () => {
      if (stream.destroyed) return;
      // A client that does not read gets no comments in addition.
      if (stream.readableLength === 0) stream.push(': heartbeat\n\n');
      beat();
    });
  };
  beat();
  return stream.once('close', () => callOff());
}

/** @param over called before the stream ends: nothing may be pushed after that */
async function* written(events: AsyncIterable<StreamedEvent>, over: () => void): AsyncGenerator<string> {
  try {
    // Start with a comment, so that the response headers are sent before the first event.
    yield ': following\n\n';
    for await (const { id, data } of events) {
      yield `${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;
    }
  } finally {
    over();
  }
}
