import { expect, test } from 'vitest';
import { createEventCounter } from './event-counter.ts';

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
