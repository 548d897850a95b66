import type { EventRecord } from '../../shared/schemas/index.ts';

/** The events of a text/event-stream as the service writes it: a line of `data` each, ended by an empty line. */
export async function* readEventStream(chunks: AsyncIterable<string>): AsyncGenerator<EventRecord> {
  let rest = '';
  for await (const chunk of chunks) {
    const blocks = (rest + chunk).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const data = block.split('\n').find((line) => line.startsWith('data: '));
      if (data !== undefined) yield JSON.parse(data.slice('data: '.length)) as EventRecord;
    }
  }
}
