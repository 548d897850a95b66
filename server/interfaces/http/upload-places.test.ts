// Where the bodies of uploads are received, and how callers share the places for them.
import { readdirSync } from 'node:fs';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createUploadServer, type Handling, head, newHandling, type Raw, settle } from './upload.testing.ts';

let handling: Handling;
const server = createUploadServer(() => handling);
const { clock, connect, uploadFolder } = server;
beforeEach(() => {
  handling = newHandling();
});
beforeAll(() => server.listen());
afterAll(() => server.close());

describe('the files of bodies', () => {
  test('given a process that was killed, then what it left is removed at the start', () => {
    expect(readdirSync(uploadFolder)).toEqual([]);
  });

  test('given a body that is being received, then its file has no name, so that nothing can be left', async () => {
    const raw = await connect();
    const begun = new Promise<void>((resolve) => (handling.onPiece = () => resolve()));
    raw.write(head({ 'Content-Length': '100' }) + 'a\n1');
    await begun;
    expect(readdirSync(uploadFolder)).toEqual([]);
    raw.socket.destroy();
    await handling.end.promise;
  });
});

describe('several callers', () => {
  /** Begins an upload, and resolves once a part of it has arrived. */
  async function begin(caller: string): Promise<Raw> {
    const raw = await connect();
    const begun = new Promise<void>((resolve) => (handling.onPiece = () => resolve()));
    raw.write(head({ 'X-Caller': caller, 'Content-Length': '100' }) + 'a\n1');
    await begun;
    return raw;
  }

  test('given one that sends several bodies slowly, then others are received, and its next one is refused', async () => {
    const slow: Raw[] = [];
    for (let count = 0; count < 4; count += 1) slow.push(await begin('slow'));
    const refused = await connect();
    refused.write(head({ 'X-Caller': 'slow', 'Content-Length': '3' }) + 'a\n1');
    const other = await connect();
    other.write(head({ 'X-Caller': 'other', 'Content-Length': '3' }) + 'a\n1');
    expect(await other.until('"bytes":3')).toContain('HTTP/1.1 20');
    await settle();
    clock.advance(10_000);
    const answer = await refused.until('\r\n\r\n{');
    expect(answer).toContain('HTTP/1.1 503');
    expect(answer.toLowerCase()).toContain('retry-after: 10');
    for (const { socket } of [...slow, refused, other]) socket.destroy();
  });

  test('given so many of a few callers that every place is taken, then another one gets a place of theirs', async () => {
    const callers = Array.from({ length: 8 }, (_, index) => `crowd-${index}`);
    const slow: Raw[] = [];
    for (const caller of callers) for (let count = 0; count < 4; count += 1) slow.push(await begin(caller));
    const other = await connect();
    other.write(head({ 'X-Caller': 'newcomer', 'Content-Length': '3' }) + 'a\n1');
    expect(await other.until('"bytes":3')).toContain('HTTP/1.1 20');
    const ended = await Promise.race(slow.map((raw) => raw.ended));
    expect(ended).toContain('HTTP/1.1 503');
    expect(ended.toLowerCase()).toContain('retry-after: 10');
    for (const { socket } of [...slow, other]) socket.destroy();
  });
});
