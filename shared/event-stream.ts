import { createParser } from 'eventsource-parser';

/** Yields the `data` of each server-sent event, parsed as JSON, in order. An event that the end of the stream cuts off is dropped. */
export async function* readEventStream<Data>(chunks: AsyncIterable<string>): AsyncGenerator<Data> {
  const complete: string[] = [];
  const parser = createParser({ onEvent: ({ data }) => complete.push(data) });
  for await (const chunk of chunks) {
    parser.feed(chunk);
    for (const data of complete.splice(0)) yield JSON.parse(data) as Data;
  }
}
