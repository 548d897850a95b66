import type { JSONRPCMessage } from '@modelcontextprotocol/client';
import { expect, onTestFinished, test } from 'vitest';
import { createFakeClock } from '../../../lib/clock.ts';
import { StdioTransport } from './stdio-transport.ts';

/** Leaves its standard input unread, and ends by a signal alone. */
const READS_NOTHING = 'setInterval(() => undefined, 1000)';
const MIB = 1024 * 1024;

async function given(program: string): Promise<StdioTransport> {
  const transport = new StdioTransport({
    command: process.execPath,
    args: ['-e', program],
    env: {},
    clock: createFakeClock(),
    largeMessages: { isLarge: () => false, shrink: async () => undefined, takeFor: () => undefined },
    onStderr: () => undefined,
  });
  onTestFinished(() => transport.close());
  await transport.start();
  return transport;
}

const message = (id: number): JSONRPCMessage => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'act', arguments: { text: 'x'.repeat(MIB) } },
});

test('given a program that reads nothing, then it is ended once more than 4 MiB wait for it, and every message fails', async () => {
  const transport = await given(READS_NOTHING);
  let isClosed = false;
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- a transport is not an EventTarget
  transport.onclose = () => {
    isClosed = true;
  };
  const sent: Promise<void>[] = [];
  while (transport.fault() === undefined) {
    expect(sent.length).toBeLessThan(8);
    sent.push(transport.send(message(sent.length)));
  }
  expect(isClosed).toBe(true);
  expect(transport.fault()).toEqual({
    because: 'server_failure',
    detail: 'The server was ended: it does not read what is sent to it.',
  });
  const settled = await Promise.allSettled(sent);
  expect(new Set(settled.map(({ status }) => status))).toEqual(new Set(['rejected']));
  await transport.close();
  expect(() => process.kill(transport.pid ?? 0, 0)).toThrow('ESRCH');
  await expect(transport.send(message(0))).rejects.toThrow('not there any more');
});

test('given a program that reads nothing, then closing ends it, and what waits for it fails', async () => {
  const transport = await given(READS_NOTHING);
  const sent = Promise.allSettled([transport.send(message(0))]);
  await transport.close();
  expect((await sent)[0]).toMatchObject({ status: 'rejected' });
  expect(() => process.kill(transport.pid ?? 0, 0)).toThrow('ESRCH');
});
