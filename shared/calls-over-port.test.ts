import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Calls, createCalls, type Port } from './calls-over-port.ts';

type Far = { double: (given: number) => number; fail: (given: null) => never; noted: (given: string) => void };

let channel: MessageChannel;
beforeEach(() => {
  channel = new MessageChannel();
});
afterEach(() => channel.port1.close());

const portOf = (port: MessagePort): Port => ({
  post: (message) => port.postMessage(message),
  listen: (listener) => void port.on('message', listener),
});

function given(): { near: Calls<Far>; notes: string[] } {
  const notes: string[] = [];
  const far: Far = {
    double: (number) => number * 2,
    fail() {
      throw new Error('It is locked.');
    },
    noted: (note) => void notes.push(note),
  };
  createCalls(portOf(channel.port2), far);
  return { near: createCalls<Far>(portOf(channel.port1), {}), notes };
}

describe('over a message port', () => {
  test('answers find the question they belong to', async () => {
    const { near } = given();
    expect(await Promise.all([near.ask('double', 2), near.ask('double', 5)])).toEqual([4, 10]);
  });

  test('a refusal is the sentence of the other side', async () => {
    await expect(given().near.ask('fail', null)).rejects.toThrow('It is locked.');
  });

  test('what is told needs no answer, and comes in order', async () => {
    const { near, notes } = given();
    near.tell('noted', 'one');
    near.tell('noted', 'two');
    await near.ask('double', 1);
    expect(notes).toEqual(['one', 'two']);
  });

  test('a name of every object is no question', async () => {
    const { near } = given();
    await expect(near.ask('toString' as never, null as never)).rejects.toThrow('toString');
  });

  test.each([null, 1, 'question', {}, { kind: 'question' }, { kind: 'answer', id: '1' }, { kind: 'other', id: 1 }])(
    '%j is passed over',
    async (message) => {
      const { near } = given();
      channel.port2.postMessage(message);
      channel.port1.postMessage(message);
      expect(await near.ask('double', 3)).toBe(6);
    },
  );

  test('whoever waits when the other side has gone hears of it', async () => {
    const { near } = given();
    const waits = near.ask('double', 1);
    near.end();
    await expect(waits).rejects.toThrow('ended');
    await expect(near.ask('double', 1)).rejects.toThrow('ended');
  });
});
