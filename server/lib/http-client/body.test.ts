import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { createHttpClient, type HttpAnswer, type SendOptions } from './index.ts';
import { serveBytes, serveHttp } from './testing.ts';

async function fetchBody(
  headers: Record<string, string>,
  body: Uint8Array,
  options: SendOptions = {},
): Promise<HttpAnswer> {
  const url = await serveHttp((_request, response) => response.writeHead(200, headers).end(body));
  const http = createHttpClient();
  onTestFinished(() => http.close());
  return http.send({ method: 'GET', url, headers: {} }, options);
}

const TEXT = Buffer.from('a text that is packed, a text that is packed');

test.each([
  ['gzip', gzipSync(TEXT)],
  ['x-gzip', gzipSync(TEXT)],
  ['deflate', deflateSync(TEXT)],
  ['deflate', deflateRawSync(TEXT)],
  ['br', brotliCompressSync(TEXT)],
  ['identity', TEXT],
  ['gzip, br', brotliCompressSync(gzipSync(TEXT))],
])('a body packed with %s is unpacked', async (encoding, packed) => {
  const answer = await fetchBody({ 'content-encoding': encoding }, packed);
  expect(answer.kind === 'response' && Buffer.from(answer.body).equals(TEXT)).toBe(true);
});

test('an empty body needs no unpacking', async () => {
  const answer = await fetchBody({ 'content-encoding': 'gzip' }, Buffer.alloc(0));
  expect(answer).toMatchObject({ kind: 'response', status: 200 });
});

test.each([
  ['gzip', Buffer.from('not packed at all')],
  ['gzip', gzipSync(TEXT).subarray(0, 30)],
  ['br', Buffer.from([0xff, 0xff, 0xff])],
  ['zstd', TEXT],
  ['gzip, gzip, gzip', TEXT],
])('a body that %s cannot unpack is unreadable', async (encoding, body) => {
  expect(await fetchBody({ 'content-encoding': encoding }, body)).toMatchObject({ because: 'unreadable' });
});

const MIB = 1024 * 1024;

test('a body of exactly the bound is taken, and one byte more is too large', async () => {
  expect(await fetchBody({}, Buffer.alloc(4 * MIB))).toMatchObject({ kind: 'response' });
  expect(await fetchBody({}, Buffer.alloc(4 * MIB + 1))).toEqual({
    kind: 'failed',
    because: 'too_large',
    detail: 'The body of the response has more than 4 MiB.',
  });
  expect(await fetchBody({}, Buffer.alloc(11), { maxBytes: 10 })).toMatchObject({
    detail: 'The body of the response has more than 10 bytes.',
  });
});

test('an endless body without a length is ended at the bound', async () => {
  let written = 0;
  const url = await serveHttp((_request, response) => {
    const chunk = Buffer.alloc(64 * 1024);
    const write = (): void => {
      while (!response.destroyed && response.write(chunk)) written += chunk.length;
    };
    response.on('drain', write);
    write();
  });
  const http = createHttpClient();
  onTestFinished(() => http.close());
  const answer = await http.send({ method: 'GET', url, headers: {} });
  expect(answer).toMatchObject({ because: 'too_large' });
  expect(written).toBeLessThan(64 * MIB);
});

test.each([
  ['gzip', gzipSync(Buffer.alloc(256 * MIB))],
  ['br', brotliCompressSync(Buffer.alloc(64 * MIB), { params: {} })],
  ['gzip, gzip', gzipSync(gzipSync(Buffer.alloc(64 * MIB)))],
])('a bomb of %s is too large, and is never held unpacked', async (encoding, bomb) => {
  const before = process.memoryUsage().arrayBuffers;
  expect(await fetchBody({ 'content-encoding': encoding }, bomb)).toMatchObject({ because: 'too_large' });
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(32 * MIB);
});

test('an endless body in chunks of one byte is ended long before the bound, in either way of reading', async () => {
  const url = await serveBytes((socket) => {
    const chunks = '1\r\nx\r\n'.repeat(10_000);
    const more = (): boolean => socket.write(chunks, (error) => error ?? more());
    socket.once('data', () => {
      socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n');
      more();
    });
  });
  const http = createHttpClient();
  onTestFinished(() => http.close());
  const tooSmall = { because: 'unreadable', detail: 'The server sends its response in chunks that are too small.' };
  expect(await http.send({ method: 'GET', url, headers: {} })).toMatchObject(tooSmall);
  const opened = await http.open({ method: 'GET', url, headers: {} });
  if (opened.kind === 'failed') throw new Error(opened.detail);
  const readAll = async (): Promise<void> => {
    for await (const piece of opened.body) expect(piece.length).toBeGreaterThan(0);
  };
  await expect(readAll()).rejects.toMatchObject({ failure: tooSmall });
});
