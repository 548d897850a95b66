import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { createOutgoing, piecesOf } from './outgoing.ts';

/** A response that is closed when it is destroyed. */
class Response extends EventEmitter {
  destroyed = false;

  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

function given(most: number) {
  const outgoing = createOutgoing(most);
  const hold = (owner: string, bytes: number, response = new Response()): Response => {
    outgoing.hold(response as unknown as ServerResponse, owner, bytes);
    return response;
  };
  return { hold, moved: (response: Response) => outgoing.moved(response as unknown as ServerResponse) };
}

test('1. beyond the limit, the caller that holds the most loses the response that was read from least lately', () => {
  const { hold } = given(100);
  const [first, second] = [hold('reads nothing', 30), hold('reads nothing', 40)];
  const other = hold('other', 30);
  expect([first, second, other].map(({ destroyed }) => destroyed)).toEqual([false, false, false]);
  const late = hold('late', 10);
  expect([first, second, other, late].map(({ destroyed }) => destroyed)).toEqual([true, false, false, false]);
});

test('1. a response that is being read stays, and more of one response counts with it', () => {
  const { hold, moved } = given(100);
  const [first, second] = [hold('one', 40), hold('one', 40)];
  moved(first);
  hold('one', 30, first);
  expect([first, second].map(({ destroyed }) => destroyed)).toEqual([false, true]);
});

test('1. what was read does not count, and a response larger than all others may go alone', () => {
  const { hold } = given(100);
  for (let count = 0; count < 50; count += 1) hold('reads', 90).emit('close');
  const one = hold('one', 60);
  expect(hold('two', 70).destroyed).toBe(true);
  expect(one.destroyed).toBe(false);
});

test('2. pieces are views of the bytes', () => {
  const bytes = Buffer.alloc(200_000, 'x');
  const pieces = [...piecesOf(bytes)];
  expect(pieces.map(({ length }) => length)).toEqual([65_536, 65_536, 65_536, 3392]);
  expect(pieces.every(({ buffer }) => buffer === bytes.buffer)).toBe(true);
});
