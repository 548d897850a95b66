import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createRpc, type Port, type RpcClient } from './rpc-over-port.ts';

type Remote = { double: (number: number) => number; fail: (nothing: null) => never; noted: (note: string) => void };

let channel: MessageChannel;
beforeEach(() => {
  channel = new MessageChannel();
});
afterEach(() => channel.port1.close());

const portOf = (port: MessagePort): Port => ({
  post: (message) => port.postMessage(message),
  listen: (listener) => void port.on('message', listener),
});

function given(): { client: RpcClient<Remote>; notes: string[] } {
  const notes: string[] = [];
  const remote: Remote = {
    double: (number) => number * 2,
    fail() {
      throw new Error('It is locked.');
    },
    noted: (note) => void notes.push(note),
  };
  createRpc(portOf(channel.port2), remote);
  return { client: createRpc<Remote>(portOf(channel.port1), {}), notes };
}

describe('over a message port', () => {
  test('responses are matched with their requests', async () => {
    const { client } = given();
    expect(await Promise.all([client.call('double', 2), client.call('double', 5)])).toEqual([4, 10]);
  });

  test('an error has the message of the other side', async () => {
    await expect(given().client.call('fail', null)).rejects.toThrow('It is locked.');
  });

  test('notifications need no response, and arrive in order', async () => {
    const { client, notes } = given();
    client.notify('noted', 'one');
    client.notify('noted', 'two');
    await client.call('double', 1);
    expect(notes).toEqual(['one', 'two']);
  });

  test('an inherited property is not a function that can be called', async () => {
    const { client } = given();
    await expect(client.call('toString' as never, null as never)).rejects.toThrow('toString');
  });

  test.each([null, 1, 'request', {}, { kind: 'request' }, { kind: 'response', id: '1' }, { kind: 'other', id: 1 }])(
    '%j is ignored',
    async (message) => {
      const { client } = given();
      channel.port2.postMessage(message);
      channel.port1.postMessage(message);
      expect(await client.call('double', 3)).toBe(6);
    },
  );

  test('pending and further calls fail when the other side has exited', async () => {
    const { client } = given();
    const pending = client.call('double', 1);
    client.close();
    await expect(pending).rejects.toThrow('exited');
    await expect(client.call('double', 1)).rejects.toThrow('exited');
  });
});
