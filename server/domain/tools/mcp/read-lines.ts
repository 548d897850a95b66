import type { Readable, Stream } from 'node:stream';

/** What a line may have; what is past it is dropped. */
const MOST_CHARACTERS = 16 * 1024;

/** Reads a stream to its end, by lines: whole ones, so that nothing which is looked for in them stands in halves. */
export function readLines(stream: Stream, onLine: (line: string) => void): void {
  let begun = '';
  // Characters whose bytes come in two pieces are put together.
  (stream as Readable).setEncoding('utf8');
  stream.on('data', (chunk: string) => {
    const [first = '', ...others] = chunk.split('\n');
    const lines = [begun + first, ...others];
    begun = (lines.pop() ?? '').slice(0, MOST_CHARACTERS);
    for (const line of lines) if (line !== '') onLine(line.slice(0, MOST_CHARACTERS));
  });
  stream.once('end', () => {
    if (begun !== '') onLine(begun);
  });
  // A pipe that broke has nothing more to say.
  stream.on('error', () => undefined);
}
