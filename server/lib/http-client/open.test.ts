import type { ServerResponse } from 'node:http';
import { createGzip, gzipSync } from 'node:zlib';
import { expect, onTestFinished, test } from 'vitest';
import { createFakeClock } from '../clock.ts';
import { AnswerBroken, createHttpClient, type HttpClientOptions, type HttpStream } from './index.ts';
import { nowhere, serveHttp } from './testing.ts';

async function open(
  answer: (response: ServerResponse) => void,
  options: { maxBytes?: number; signal?: AbortSignal } & HttpClientOptions = {},
): Promise<HttpStream> {
  const url = await serveHttp((request, response) => {
    request.resume();
    answer(response);
  });
  const http = createHttpClient(options);
  onTestFinished(() => http.close());
  const opened = await http.open({ method: 'POST', url, headers: {}, body: '{}' }, options);
  if (opened.kind === 'failed') throw new Error(opened.detail);
  return opened;
}

async function* textsOf({ body }: HttpStream): AsyncGenerator<string> {
  for await (const chunk of body) yield Buffer.from(chunk).toString();
}

async function wholeOf(stream: HttpStream): Promise<string> {
  let whole = '';
  for await (const text of textsOf(stream)) whole += text;
  return whole;
}

test('a body is given as it comes', async () => {
  let response: ServerResponse | undefined;
  const stream = await open((one) => {
    response = one.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
  });
  expect(stream).toMatchObject({ status: 200, headers: { 'content-type': 'text/event-stream' } });
  const texts = textsOf(stream);
  for (const text of ['one', 'two']) {
    response?.write(text);
    // oxlint-disable-next-line no-await-in-loop -- each is there before the next is written
    expect(await texts.next()).toEqual({ done: false, value: text });
  }
  response?.end();
  expect(await texts.next()).toMatchObject({ done: true });
});

test('a packed body is unpacked as it comes', async () => {
  const packing = createGzip();
  const stream = await open((response) => {
    packing.pipe(response.writeHead(200, { 'content-encoding': 'gzip' }));
    packing.write('one');
    packing.flush();
  });
  const texts = textsOf(stream);
  expect(await texts.next()).toMatchObject({ value: 'one' });
  packing.end('two');
  expect(await texts.next()).toMatchObject({ value: 'two' });
});

test('the deadline is over once the head is there', async () => {
  const clock = createFakeClock();
  let response: ServerResponse | undefined;
  const stream = await open((one) => (response = one.writeHead(200)).flushHeaders(), { clock });
  clock.advance(60_000);
  response?.end('late');
  expect(await wholeOf(stream)).toBe('late');
});

test.each<[string, string, (response: ServerResponse) => void]>([
  ['that breaks off', 'unreadable', (response) => void response.write('a', () => response.destroy())],
  ['of too many bytes', 'too_large', (response) => void response.end('x'.repeat(101))],
  [
    'that unpacks to too many bytes',
    'too_large',
    (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(101))),
  ],
  [
    'that is packed and damaged',
    'unreadable',
    (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip'),
  ],
  [
    'that is packed in an unknown way',
    'unreadable',
    (response) => response.writeHead(200, { 'content-encoding': 'zstd' }).end('x'),
  ],
])('a body %s ends as %s', async (_what, because, answer) => {
  const broken = await wholeOf(await open(answer, { maxBytes: 100 })).catch((error: unknown) => error);
  expect(broken).toBeInstanceOf(AnswerBroken);
  expect(broken).toMatchObject({ failure: { because } });
});

async function givenReader(signal: AbortSignal) {
  const closed = Promise.withResolvers<void>();
  const stream = await open((response) => void response.once('close', () => closed.resolve()).write('a'), { signal });
  const texts = textsOf(stream);
  await texts.next();
  return { texts, closed: closed.promise };
}

test('the connection ends when the reader leaves', async () => {
  const { texts, closed } = await givenReader(new AbortController().signal);
  await texts.return(undefined);
  await expect(closed).resolves.toBeUndefined();
});

test('the connection ends when reading is aborted', async () => {
  const leaving = new AbortController();
  const { texts, closed } = await givenReader(leaving.signal);
  leaving.abort();
  await expect(texts.next()).rejects.toMatchObject({ failure: { because: 'cancelled' } });
  await expect(closed).resolves.toBeUndefined();
});

test('the connection ends when it is aborted before anyone reads', async () => {
  const leaving = new AbortController();
  const closed = Promise.withResolvers<void>();
  await open((response) => void response.once('close', () => closed.resolve()).write('a'), { signal: leaving.signal });
  leaving.abort();
  await expect(closed.promise).resolves.toBeUndefined();
});

test('a server that is not there is a failure', async () => {
  const http = createHttpClient();
  onTestFinished(() => http.close());
  expect(await http.open({ method: 'GET', url: await nowhere(), headers: {} })).toMatchObject({
    kind: 'failed',
    because: 'unreachable',
  });
});
