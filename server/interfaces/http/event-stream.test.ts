import { setImmediate } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { createFakeClock } from '../../lib/clock.ts';
import type { StreamedEvent } from '../../operations/index.ts';
import { eventStream, HEARTBEAT } from './event-stream.ts';

/** A stream whose events the test sends. */
function given() {
  const clock = createFakeClock();
  let send = (_event: StreamedEvent | undefined): void => {};
  async function* events(): AsyncGenerator<StreamedEvent> {
    for (;;) {
      const event = await new Promise<StreamedEvent | undefined>((resolve) => void (send = resolve));
      if (event === undefined) return;
      yield event;
    }
  }
  const stream = eventStream(events(), clock);
  let text = '';
  stream.on('data', (chunk: Buffer) => void (text += chunk.toString()));
  return {
    clock,
    stream,
    send: (event?: StreamedEvent) => send(event),
    /** What was sent since the last call. */
    sent: async () => {
      await setImmediate();
      const all = text;
      text = '';
      return all;
    },
  };
}

test('an idle stream sends a comment at each heartbeat, and events between them', async () => {
  const { clock, send, sent } = given();
  expect(await sent()).toBe(': following\n\n');
  clock.advance(HEARTBEAT - 1);
  expect(await sent()).toBe('');
  clock.advance(1);
  expect(await sent()).toBe(': heartbeat\n\n');
  send({ id: 'one', data: { n: 1 } });
  expect(await sent()).toBe('id: one\ndata: {"n":1}\n\n');
  clock.advance(HEARTBEAT);
  expect(await sent()).toBe(': heartbeat\n\n');
});

test('a client that does not read gets one comment', async () => {
  const { clock, stream, sent } = given();
  await sent();
  stream.pause();
  clock.advance(10 * HEARTBEAT);
  stream.resume();
  expect(await sent()).toBe(': heartbeat\n\n');
});

test.each(['ends', 'is closed by the client'])(
  'nothing is sent, and no timer is left, after a stream %s',
  async (how) => {
    const { clock, stream, send, sent } = given();
    await sent();
    if (how === 'ends') send();
    else stream.destroy();
    await sent();
    clock.advance(10 * HEARTBEAT);
    expect(await sent()).toBe('');
    expect(stream.errored).toBeNull();
  },
);
