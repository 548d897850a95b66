import { expect, onTestFinished, test } from 'vitest';
import { createFakeClock } from '../../kernel/clock.ts';
import { createStdioTransport } from './stdio-transport.ts';

const MIB = 1024 * 1024;

test('given a program that does not read its input, then it is ended before its messages fill the memory', async () => {
  const transport = createStdioTransport({
    command: process.execPath,
    args: ['-e', 'setInterval(() => undefined, 1000)'],
    env: {},
    clock: createFakeClock(),
    largeMessages: { isLarge: () => false, shrink: async () => undefined, takeFor: () => undefined },
    onStderr: () => undefined,
  });
  onTestFinished(() => transport.close());
  const closed = Promise.withResolvers<void>();
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport is not an EventTarget
  transport.onclose = closed.resolve;
  await transport.start();
  const params = { padding: 'x'.repeat(MIB) };
  const sent = Array.from({ length: 8 }, (_, id) => transport.send({ jsonrpc: '2.0', id, method: 'ping', params }));
  await closed.promise;
  const detail = 'The server was ended: it does not read what is sent to it.';
  expect(transport.fault()).toEqual({ because: 'server_failure', detail });
  const outcomes = await Promise.allSettled(sent);
  const reasons = outcomes.map((outcome) => (outcome.status === 'rejected' ? String(outcome.reason) : outcome.status));
  expect(reasons).not.toContain('fulfilled');
  expect(reasons).toContain(`Error: ${detail}`);
});
