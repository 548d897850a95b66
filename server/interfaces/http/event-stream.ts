import { Readable } from 'node:stream';
import type { StreamedEvent } from '../../operations/index.ts';

/** Writes events in the event stream format (HTML Living Standard, section 9.2.5), as fast as they are read. */
export function eventStream(events: AsyncIterable<StreamedEvent>): Readable {
  return Readable.from(written(events), { objectMode: false });
}

async function* written(events: AsyncIterable<StreamedEvent>): AsyncGenerator<string> {
  // A comment at once, so that the answer's head leaves before the first event.
  yield ': following\n\n';
  for await (const { id, data } of events) {
    yield `${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`;
  }
}
