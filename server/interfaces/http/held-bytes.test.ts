import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { KIB, MIB } from '../../../shared/product.ts';
import { createHeldBytes } from './held-bytes.ts';
import { piecesOf } from './outgoing.ts';
import { createUploadServer, newHandling, type Raw } from './upload.testing.ts';

/** A response that is closed when it is destroyed. */
class Response extends EventEmitter {
  destroyed = false;

  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

function given(most: number) {
  const heldBytes = createHeldBytes(most);
  const hold = (owner: string, bytes: number, response = new Response()): Response => {
    heldBytes.hold(response as unknown as ServerResponse, owner, bytes);
    return response;
  };
  return { hold, moved: (response: Response) => heldBytes.moved(response as unknown as ServerResponse) };
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

test('pieces are views of the bytes', () => {
  const bytes = Buffer.alloc(200_000, 'x');
  const pieces = [...piecesOf(bytes)];
  expect(pieces.map(({ length }) => length)).toEqual([65_536, 65_536, 65_536, 3392]);
  expect(pieces.every(({ buffer }) => buffer === bytes.buffer)).toBe(true);
});

const server = createUploadServer(newHandling);
beforeAll(async () => {
  server.app.heldBytes = createHeldBytes(MIB);
  await server.listen();
});
afterAll(() => server.close());

/** Sends the beginning of a body of 500 KiB. */
async function begin(caller: string, sent: number): Promise<Raw> {
  const raw = await server.connect();
  const lines = { Host: 'localhost', 'X-Caller': caller, 'Content-Type': 'application/json' };
  const head = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
  raw.write(`POST /v1/orgs/local/playbooks/desk/echo HTTP/1.1\r\n${head.join('')}Content-Length: ${500 * KIB}\r\n\r\n`);
  raw.write(' '.repeat(sent));
  return raw;
}

test('1. bodies that do not end count: the caller that holds the most of them loses one, and others are answered', async () => {
  const slow = await Promise.all(Array.from({ length: 5 }, () => begin('slow', 400 * KIB)));
  const ended = await Promise.race(slow.map((raw) => raw.ended));
  expect(ended).toBe('');
  const other = await begin('other', 500 * KIB - 2);
  other.write('{}');
  expect(await other.until('\r\n\r\n')).toContain('HTTP/1.1 200');
  for (const { socket } of [...slow, other]) socket.destroy();
});

test('1. what was received and answered no longer counts', async () => {
  for (let count = 0; count < 5; count += 1) {
    const raw = await begin('busy', 500 * KIB - 2);
    raw.write('{}');
    expect(await raw.until('\r\n\r\n')).toContain('HTTP/1.1 200');
    raw.socket.destroy();
  }
});
