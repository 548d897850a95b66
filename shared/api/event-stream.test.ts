import { expect, test } from 'vitest';
import { readEventStream } from './client.ts';

async function* chunksOf(...texts: string[]): AsyncGenerator<string> {
  yield* texts;
}

async function read(...texts: string[]): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of readEventStream<{ id: string }>(chunksOf(...texts))) ids.push(id);
  return ids;
}

const block = (id: string): string => `id: ${id}\ndata: {"id":"${id}","summary":"a\\n\\nb"}\n\n`;

test('given comments and events, then each event is read once and in order', async () => {
  expect(await read(`: following\n\n${block('a')}${block('b')}`, block('c'))).toEqual(['a', 'b', 'c']);
});

test('given a stream split at any position, then the same events are read', async () => {
  const whole = `: following\n\n${block('a')}${block('b')}`;
  for (let at = 0; at <= whole.length; at += 1) {
    expect(await read(whole.slice(0, at), whole.slice(at)), `cut at ${at}`).toEqual(['a', 'b']);
  }
});

test('given a stream that ends within an event, then that event is dropped', async () => {
  expect(await read(`${block('a')}id: b\ndata: {"id":"b"`)).toEqual(['a']);
});

test('given any line ending and data without a space or over several lines, then the event is read', async () => {
  expect(await read('data:{"id":"a"}\r\n\r\n', 'data: {\rdata: "id":"b"}\r\rdata: {"id":"c"}\n\n')).toEqual([
    'a',
    'b',
    'c',
  ]);
});
