/** What a text/event-stream says, as the service writes it: a line of `data` in JSON each, ended by an empty line. */
export async function* readEventStream<Said>(chunks: AsyncIterable<string>): AsyncGenerator<Said> {
  let rest = '';
  for await (const chunk of chunks) {
    const blocks = (rest + chunk).split('\n\n');
    rest = blocks.pop() ?? '';
    for (const block of blocks) {
      const data = block.split('\n').find((line) => line.startsWith('data: '));
      if (data !== undefined) yield JSON.parse(data.slice('data: '.length)) as Said;
    }
  }
}
