// Uploads over real HTTP: an operation that is described, and sockets that send what well-behaved clients never would.
import { once } from 'node:events';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import pino from 'pino';
import Type from 'typebox';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createIds } from '../../kernel/ids.ts';
import { sha256 } from '../../kernel/contents/index.ts';
import { createFakeClock, systemClock } from '../../lib/clock.ts';
import { yieldToEventLoop } from '../../lib/event-loop.ts';
import { invalidInput, notFound } from '../../lib/rejection.ts';
import { DEVELOPER, defineOperation, defineUpload, makeCallable } from '../../operations/index.ts';
import { temporaryFolder } from '../../test/index.ts';
import { addOperationRoutes, createBareServer } from './index.ts';
import { openReceivedFile } from './received-file.ts';
import { createUploadReceiver } from './upload.ts';

const LIMIT = 64 * 1024 * 1024;
const MINUTE = 60_000;
const DESCRIBED = {
  tag: 'Tests',
  title: 'Test',
  description: 'For tests.',
  permissions: ['playbook:write'],
  problems: [],
  hints: { readOnly: false, destructive: false, idempotent: true },
} as const;
const HINT = { playbook: Type.String(), name: Type.String() };

/** What is seen of a body, and what the handler does with it. */
interface Handling {
  /** Called with each piece that is received; the next one is asked for once it has resolved. */
  onPiece: (piece: Buffer) => Promise<void> | void;
  /** Called when the body was received, before the handler continues. */
  onReceived: () => Promise<void> | void;
  /** How receiving ended: `read`, or the reason of the refusal. */
  end: PromiseWithResolvers<string>;
  pieces: number;
}
let handling: Handling;
const kept = new Set<string>();
beforeEach(() => {
  handling = { onPiece: () => {}, onReceived: () => {}, end: Promise.withResolvers(), pieces: 0 };
});

const store = defineUpload({
  ...DESCRIBED,
  name: 'store',
  method: 'PUT',
  route: '/playbooks/{playbook}/stored/{name}',
  path: Type.Object(HINT),
  upload: { mediaType: 'text/csv', bytes: LIMIT, description: 'Rows.' },
  output: Type.Object({ bytes: Type.Integer(), declared: Type.Integer(), sha256: Type.String() }),
  async precheck(_call, { playbook }) {
    if (playbook === 'absent') throw notFound('There is no such playbook.');
  },
  async handle(_call, { name }, body) {
    const { end } = handling;
    if (name === 'known') return { isNew: false, answer: { bytes: 0, declared: body.bytes, sha256: '' } };
    if (name === 'refused') throw invalidInput([{ pointer: '', detail: 'Line 1 holds no row.' }]);
    const received = await body.receive().catch((error: unknown) => {
      end.resolve(error instanceof Error && 'rejection' in error ? JSON.stringify(error.rejection) : String(error));
      throw error;
    });
    end.resolve('read');
    await handling.onReceived();
    const pieces: Buffer[] = [];
    for await (const piece of received) pieces.push(piece);
    const digest = sha256(Buffer.concat(pieces).toString('latin1'));
    if (received.sha256 !== digest) throw new Error('The digest is another one.');
    const isNew = !kept.has(digest);
    kept.add(digest);
    return {
      isNew,
      answer: { bytes: Buffer.concat(pieces).length, declared: body.bytes, sha256: digest },
    };
  },
});
const echo = defineOperation({
  ...DESCRIBED,
  name: 'echo',
  method: 'POST',
  route: '/playbooks/{playbook}/echo',
  path: Type.Object({ playbook: Type.String() }),
  output: Type.Object({}),
  mcp: false,
  handle: async () => ({}),
});

const clock = createFakeClock();
const logged: string[] = [];
const logger = pino({ level: 'debug' }, { write: (line: string) => logged.push(line) });
const app = createBareServer({ ids: createIds(systemClock), logger, description: '/v1/openapi.json' });
const folder = temporaryFolder();
const uploadFolder = path.join(folder.path, 'uploads');
mkdirSync(uploadFolder);
writeFileSync(path.join(uploadFolder, 'left-behind'), 'of a process that was killed');
addOperationRoutes(app, {
  callables: [store, echo].map(makeCallable),
  callerOf: ({ headers }) => ({
    ...DEVELOPER,
    id: `key:${String(headers['x-caller'] ?? 'test')}`,
    may: () => headers['x-reader'] === undefined,
  }),
  uploads: createUploadReceiver({
    folder: uploadFolder,
    clock,
    async openFile(at) {
      const file = await openReceivedFile(at);
      return {
        ...file,
        async write(piece) {
          handling.pieces += 1;
          await file.write(piece);
          await handling.onPiece(piece);
        },
      };
    },
  }),
  stopping: new AbortController().signal,
  clock,
  logger,
});

let address: string;
beforeAll(async () => {
  address = await app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await app.close();
  folder.remove();
});

const target = (name = 'rows', playbook = 'desk'): string => `/v1/orgs/local/playbooks/${playbook}/stored/${name}`;
const put = (body: Uint8Array<ArrayBuffer>, name?: string): Promise<Response> =>
  fetch(`${address}${target(name)}`, { method: 'PUT', headers: { 'content-type': 'text/csv' }, body });

/** A connection whose bytes the test writes. */
interface Raw {
  socket: net.Socket;
  /** The server's end of it. */
  served: net.Socket;
  write: (bytes: string | Uint8Array) => void;
  /** Everything that came, once it holds the text. */
  until: (text: string) => Promise<string>;
  /** Everything that came, once the connection has ended. */
  ended: Promise<string>;
}

async function connect(): Promise<Raw> {
  const accepted = once(app.server, 'connection');
  const socket = net.connect(Number(new URL(address).port), '127.0.0.1');
  const [served] = (await accepted) as [net.Socket];
  let came = '';
  let look = (): void => {};
  socket.on('data', (chunk: Buffer) => {
    came += chunk.toString();
    look();
  });
  // What a server refused it may not read: the answer counts.
  socket.on('error', () => {});
  return {
    socket,
    served,
    write: (bytes) => void socket.write(bytes),
    until: (text) =>
      new Promise((resolve, reject) => {
        look = () => {
          if (came.includes(text)) resolve(came);
        };
        socket.once('close', () => reject(new Error(`The connection ended after ${JSON.stringify(came)}.`)));
        look();
      }),
    ended: new Promise((resolve) => socket.once('close', () => resolve(came))),
  };
}

function head(lines: Record<string, string>, to = target()): string {
  const all = Object.entries({ Host: 'localhost', 'Content-Type': 'text/csv', ...lines });
  const given = all.filter(([, value]) => value !== '').map(([name, value]) => `${name}: ${value}\r\n`);
  return `PUT ${to} HTTP/1.1\r\n${given.join('')}\r\n`;
}

/** Lets what has arrived come to the handler, and what it answers leave. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await yieldToEventLoop();
}

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
      expect((await fetch(`${address}${target()}`, init)).status).toBe(201);
    },
  );

  test('given other methods, then they are 405 with those that the path takes', async () => {
    const answer = await fetch(`${address}${target()}`);
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

describe('a client that sends slowly', () => {
  /** Sends a part, and resolves when the handler has it and asks for the next. */
  async function sendPart(raw: Raw, part: string | Buffer): Promise<void> {
    let left = part.length;
    const taken = new Promise<void>((resolve) => {
      handling.onPiece = (piece) => {
        left -= piece.length;
        if (left === 0) resolve();
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
