import { expect, test } from 'vitest';
import { createEventCounter, shrinkLargeEvents } from './large-events.ts';

const LARGE = 'x'.repeat(200);

/** What a client gets of a stream that comes in pieces of so many bytes; more than 100 characters are large. */
async function shrunk(stream: string, piece: number, shrink = (message: string) => `[${message.length}]`) {
  const bytes = new TextEncoder().encode(stream);
  const pieces = Array.from({ length: Math.ceil(bytes.length / piece) }, (_, index) =>
    bytes.slice(index * piece, (index + 1) * piece),
  );
  const body = new Blob(pieces).stream().pipeThrough(
    shrinkLargeEvents({
      isLarge: (characters) => characters > 100,
      shrink: async (message) => shrink(message),
      takeFor: () => undefined,
    }),
  );
  // An empty line between two events says nothing.
  return (await new Response(body).text()).replaceAll(/\n{3,}/g, '\n\n');
}

test.each([1, 7, 64, 10_000])(
  'large events get a stand-in, and nothing else changes, in pieces of %d',
  async (piece) => {
    const small = 'id: 1\nevent: message\ndata: {"a":1}\n\n';
    const large = `id: 2\r\ndata: ${LARGE}\r\ndata: ${LARGE}\r\n\r\n`;
    expect(await shrunk(`: hello\n\n${small}${large}${small}`, piece)).toBe(
      `: hello\n\n${small}id: 2\ndata: [401]\n\n${small}`,
    );
  },
);

test('an event that has not ended when its stream ends is dropped, as the format has it', async () => {
  expect(await shrunk('data: a\n\ndata: b', 5)).toBe('data: a\n\n');
});

test('every line ends with a line feed: for a carriage return the client searches all that has come, line by line', async () => {
  expect(await shrunk('id: 1\rdata: a\r\rdata: b\r\n\r\n:\r\r', 10_000)).toBe('id: 1\ndata: a\n\ndata: b\n\n:\n\n');
});

test('a large message over several lines that no stand-in takes the place of stays one message', async () => {
  const event = `data: {"a":\ndata: "${LARGE}"}\n\n`;
  expect(await shrunk(event, 10_000, (message) => message)).toBe(`data: {"a": "${LARGE}"}\n\n`);
});

test.each([
  ['data: a\n\n', 1],
  ['event: message\ndata: a\ndata: b\n\ndata: c\n\n', 2],
  ['data: a\r\n\r\ndata: b\r\n\r\n', 2],
  ['data: a\r\rdata: b\r\r', 2],
  [': still here\n\n\n', 2],
  ['data: not ended\n', 0],
  [':\n'.repeat(250), 2],
  [`${':\r'.repeat(99)}\n\n${'id: 1\r\n'.repeat(99)}\r\n`, 2],
])('of %j, %d events have ended, however it comes in chunks', (text, events) => {
  const [whole, apart] = [createEventCounter(), createEventCounter()];
  expect(whole(Buffer.from(text))).toBe(events);
  expect(Array.from(text).reduce((sum, sign) => sum + apart(Buffer.from(sign)), 0)).toBe(events);
});
