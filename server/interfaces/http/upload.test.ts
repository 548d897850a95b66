// Uploads over real HTTP: an operation that is described, and sockets that send what well-behaved clients never would.
import type net from 'node:net';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { sha256 } from '../../kernel/contents/index.ts';
import {
  createUploadServer,
  type Handling,
  head,
  LIMIT,
  newHandling,
  type Raw,
  settle,
  target,
} from './upload.testing.ts';

const MINUTE = 60_000;

let handling: Handling;
const server = createUploadServer(() => handling);
const { app, clock, connect, kept, logged, put } = server;
beforeEach(() => {
  handling = newHandling();
});
beforeAll(() => server.listen());
afterAll(() => server.close());

describe('what an upload takes', () => {
  test('given a body, then the handler gets its bytes in pieces; 201 for what is new, else 200', async () => {
    const body = Buffer.alloc(1024 * 1024, 'row\n');
    const first = await put(body);
    expect(first.status).toBe(201);
    const expected = { bytes: body.length, declared: body.length, sha256: sha256(body.toString('latin1')) };
    expect(await first.json()).toEqual(expected);
    expect(handling.pieces).toBeGreaterThan(1);
    const again = await put(body);
    expect([again.status, await again.json()]).toEqual([200, expected]);
  });

  test('given an empty body, then the handler gets no piece', async () => {
    const raw = await connect();
    raw.write(head({ 'Content-Length': '0' }));
    expect(await raw.until('"bytes":0')).toContain('HTTP/1.1 201');
    expect(handling.pieces).toBe(0);
    raw.socket.destroy();
  });

  test.each(['text/csv', 'Text/CSV', 'text/csv; charset=utf-8', 'text/csv;charset="UTF-8"'])(
    'given Content-Type %s, then it is taken',
    async (type) => {
      const init = { method: 'PUT', headers: { 'content-type': type }, body: `a\n${type}` };
      expect((await fetch(`${server.address()}${target()}`, init)).status).toBe(201);
    },
  );

  test('given other methods, then they are 405 with those that the path takes', async () => {
    const answer = await fetch(`${server.address()}${target()}`);
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'PUT']);
  });
});

describe('what is refused by its head', () => {
  const READER = { 'X-Reader': 'yes' };
  const LONG = { 'Content-Length': String(LIMIT + 1) };
  const OTHER = { 'Content-Type': 'application/json' };
  const CHUNKED = { 'Transfer-Encoding': 'chunked' };
  // In the order of the checks: each row is wrong in what later rows are wrong in, too.
  test.each([
    ['no permission', { ...READER, ...OTHER, ...LONG }, `${target()}?a=1`, 403, 'forbidden'],
    ['a query string', { ...OTHER, ...LONG }, `${target()}?a=1`, 400, 'bad_request'],
    ['a compressed body', { 'Content-Encoding': 'gzip', ...LONG }, target(), 415, 'unsupported_media_type'],
    ['another media type', { ...OTHER, ...CHUNKED }, target(), 415, 'unsupported_media_type'],
    [
      'another charset',
      { 'Content-Type': 'text/csv; charset=latin1', ...LONG },
      target(),
      415,
      'unsupported_media_type',
    ],
    ['no media type', { 'Content-Type': '', ...LONG }, target(), 415, 'unsupported_media_type'],
    ['no length', CHUNKED, target('rows', 'absent'), 411, 'length_required'],
    ['a length above the limit', LONG, target('rows', 'absent'), 413, 'content_too_large'],
    ['a playbook that is absent', { 'Content-Length': '10' }, target('rows', 'absent'), 404, 'not_found'],
  ] as const)('given %s, then it is refused before a byte is sent', async (_what, lines, target, status, reason) => {
    const raw = await connect();
    raw.write(head(lines, target));
    const answer = await raw.ended;
    expect(answer).toContain(`HTTP/1.1 ${status} `);
    expect(answer).toContain(`"reason":"${reason}"`);
    expect(answer.toLowerCase()).toContain('connection: close');
    expect(handling.pieces).toBe(0);
  });

  test('given no body at all, then its length is missing', async () => {
    const raw = await connect();
    raw.write(head({}));
    expect(await raw.until('length_required')).toContain('HTTP/1.1 411');
    // Nothing is left unread, so that the connection serves on.
    raw.write(head({ 'Content-Length': '3' }) + 'a\n1');
    await raw.until('HTTP/1.1 201');
    raw.socket.destroy();
  });

  test('given a client that sends all the same, then it can read why it was refused', async () => {
    const answer = await put(Buffer.alloc(LIMIT + 1));
    expect([answer.status, await answer.json()]).toMatchObject([413, { reason: 'content_too_large' }]);
  });
});

describe('a client that expects 100-continue', () => {
  const EXPECT = { Expect: '100-continue' };

  test('given a refusal, then it is never asked for its body', async () => {
    const raw = await connect();
    raw.write(head({ ...EXPECT, 'Content-Length': String(LIMIT + 1) }));
    const answer = await raw.ended;
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
  });

  test('given a body that is taken, then it is asked for it, and the connection serves on', async () => {
    const raw = await connect();
    for (const body of ['first', 'second']) {
      raw.write(head({ ...EXPECT, 'Content-Length': String(body.length) }));
      await raw.until('HTTP/1.1 100 Continue');
      raw.write(body);
      expect(await raw.until(sha256(body))).toContain('HTTP/1.1 201');
    }
    raw.socket.destroy();
  });

  test('given a JSON body, then it is asked for it as well', async () => {
    const raw = await connect();
    const lines = { Host: 'localhost', 'Content-Type': 'application/json', 'Content-Length': '2', ...EXPECT };
    const text = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`);
    raw.write(`POST /v1/orgs/local/playbooks/desk/echo HTTP/1.1\r\n${text.join('')}\r\n`);
    await raw.until('HTTP/1.1 100 Continue');
    raw.write('{}');
    expect(await raw.until('\r\n\r\n{}')).toContain('HTTP/1.1 200');
    raw.socket.destroy();
  });
});

describe('a body that does not come as declared', () => {
  test.each([
    ['ends its side', (socket: net.Socket) => socket.end()],
    ['closes the connection', (socket: net.Socket) => socket.destroy()],
    ['resets the connection', (socket: net.Socket) => socket.resetAndDestroy()],
  ])('given fewer bytes and a client that %s, then reading throws, and nothing is kept', async (_what, leave) => {
    const raw = await connect();
    const before = kept.size;
    const begun = new Promise<void>((resolve) => (handling.onPiece = () => resolve()));
    raw.write(head({ 'Content-Length': '100' }) + 'a\n1');
    await begun;
    leave(raw.socket);
    expect(await handling.end.promise).toContain('client_closed_request');
    expect(kept.size).toBe(before);
    expect(logged.some((line) => line.includes('"level":50'))).toBe(false);
  });

  test('given more bytes, then the handler gets those declared, and the rest is no part of it', async () => {
    const raw = await connect();
    raw.write(head({ 'Content-Length': '4' }) + 'a\n1\n');
    expect(await raw.until('"bytes":4')).toContain('HTTP/1.1 201');
    raw.write('and more');
    expect(await raw.ended).toContain('HTTP/1.1 400');
  });

  test('given a refusal before the body was received, then the client can read it, and the connection ends', async () => {
    const answer = await put(Buffer.alloc(8 * 1024 * 1024, 'x'), 'refused');
    expect([answer.status, await answer.json()]).toMatchObject([422, { errors: [{ pointer: '' }] }]);
    expect(answer.headers.get('connection')).toBe('close');
  });

  test('given an answer before the body was read, then the connection ends with it', async () => {
    const raw = await connect();
    raw.write(head({ 'Content-Length': '100' }, target('known')));
    const answer = await raw.ended;
    expect(answer).toContain('HTTP/1.1 200');
    expect(answer.toLowerCase()).toContain('connection: close');
  });
});

test('given a handler that works slowly, then its time does not count', async () => {
  const raw = await connect();
  const [received, gate] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  handling.onReceived = () => {
    received.resolve();
    return gate.promise;
  };
  raw.write(head({ 'Content-Length': '7' }) + 'a\n1\nb\n2');
  await received.promise;
  clock.advance(60 * MINUTE);
  gate.resolve();
  expect(await raw.until('"bytes":7')).toContain('HTTP/1.1 201');
  raw.socket.destroy();
});

describe('a client that sends slowly', () => {
  /** Sends a part, and resolves when the handler has it and asks for the next. */
  async function sendPart(raw: Raw, part: string | Buffer): Promise<void> {
    let remaining = part.length;
    const taken = new Promise<void>((resolve) => {
      handling.onPiece = (piece) => {
        remaining -= piece.length;
        if (remaining === 0) resolve();
      };
    });
    raw.write(part);
    await taken;
    await settle();
  }

  test('given it keeps its body back for more than a minute, then it is refused, and the connection ends', async () => {
    const raw = await connect();
    raw.write(head({ 'Content-Length': '100' }));
    await sendPart(raw, 'a');
    clock.advance(MINUTE - 1);
    await sendPart(raw, 'b');
    // Each byte gave it a fraction of a millisecond more.
    clock.advance(2);
    const answer = await raw.ended;
    expect(answer).toContain('HTTP/1.1 400');
    expect(answer).toContain('too slowly');
    expect(await handling.end.promise).toContain('too slowly');
  });

  test('given 64 KiB a second, then it may take far longer than a minute, whatever the server allows JSON', async () => {
    const raw = await connect();
    const part = Buffer.alloc(640 * 1024, 'z');
    raw.write(head({ 'Content-Length': String(20 * part.length) }));
    for (let index = 0; index < 20; index += 1) {
      await sendPart(raw, part);
      clock.advance(10_000);
      // The time of a request ends with its body.
      if (index === 19) break;
      app.server.emit(
        'clientError',
        Object.assign(new Error('Late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }),
        raw.served,
      );
    }
    expect(await raw.until(`"bytes":${20 * part.length}`)).toContain('HTTP/1.1 201');
    // No upload is in progress any more.
    app.server.emit('clientError', Object.assign(new Error('Late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' }), raw.served);
    expect(await raw.ended).toContain('HTTP/1.1 408');
  });
});
