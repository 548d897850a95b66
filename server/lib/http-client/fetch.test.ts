import { expect, onTestFinished, test } from 'vitest';
import { yieldToEventLoop } from '../event-loop.ts';
import { createFetch, FetchFailed } from './index.ts';
import { nowhere, serveBytes, serveHttp } from './testing.ts';

function given(options: Parameters<typeof createFetch>[0] = {}) {
  const fetching = createFetch(options);
  onTestFinished(fetching.close);
  return fetching;
}

async function failureOf(promise: Promise<unknown>) {
  const error = await promise.catch((thrown: unknown) => thrown);
  if (error instanceof FetchFailed) return error.failure;
  throw new Error(`It did not fail so: ${String(error)}`);
}

test('a request is sent as it is given, and its answer is read while it comes', async () => {
  const seen: string[] = [];
  const url = await serveHttp(async (request, response) => {
    for await (const chunk of request)
      seen.push(`${request.method} ${String(request.headers['x-a'])} ${String(chunk)}`);
    response.writeHead(202, { 'set-cookie': ['a=1', 'b=2'] }).write('first');
    // Ends once the first piece has been read.
    response.once('release', () => response.end(' second'));
    seen.push('begun');
    releases.push(() => response.emit('release'));
  });
  const releases: (() => void)[] = [];
  const answer = await given().fetch(url, { method: 'POST', headers: { 'X-A': 'b' }, body: 'words' });
  expect(answer.status).toBe(202);
  expect(answer.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  expect(await reader?.read()).toEqual({ done: false, value: 'first' });
  releases[0]?.();
  expect(await reader?.read()).toEqual({ done: false, value: ' second' });
  expect(seen).toEqual(['POST b words', 'begun']);
});

test('a redirect is answered as it is, and 204 has no body', async () => {
  const url = await serveHttp((request, response) => {
    response.writeHead(request.url === '/to' ? 307 : 204, { location: 'http://elsewhere.example/' }).end();
  });
  const { fetch } = given();
  expect((await fetch(new URL('to', url))).headers.get('location')).toBe('http://elsewhere.example/');
  expect((await fetch(url)).body).toBeNull();
});

test('an address that is not allowed is not connected to, and a signal ends a request', async () => {
  let requests = 0;
  const url = await serveHttp(() => {
    requests += 1;
    gone.abort(new Error('enough'));
  });
  const gone = new AbortController();
  const refusing = given({ allowAddress: () => false });
  const named = new URL(url);
  named.hostname = 'localhost';
  for (const address of [url, named]) {
    expect(await failureOf(refusing.fetch(address))).toMatchObject({
      because: 'unreachable',
      detail: expect.stringContaining('are not allowed'),
    });
  }
  expect(requests).toBe(0);
  await expect(given().fetch(url, { signal: gone.signal })).rejects.toThrow('enough');
});

test('a signal breaks off a body that is being read', async () => {
  const url = await serveHttp((_request, response) => void response.write('begun'));
  const gone = new AbortController();
  const answer = await given().fetch(url, { signal: gone.signal });
  const text = answer.text();
  gone.abort();
  await expect(text).rejects.toThrow('aborted');
});

test.each(['a new', 'a kept'])(
  'a signal that comes while a request is given %s connection ends that request alone',
  async (which) => {
    const url = await serveHttp((_request, response) => response.end('words'));
    const { fetch } = given();
    if (which === 'a kept') await (await fetch(url)).text();
    await yieldToEventLoop();
    const gone = new AbortController();
    const aborted = fetch(url, { signal: gone.signal });
    gone.abort(new Error('enough'));
    await expect(aborted).rejects.toThrow('enough');
    await expect(fetch(url, { signal: gone.signal })).rejects.toThrow('enough');
    expect(await (await fetch(url)).text()).toBe('words');
  },
);

test('what is no answer says why, without the address', async () => {
  const { fetch } = given();
  expect(await failureOf(fetch(await nowhere()))).toEqual({
    kind: 'failed',
    because: 'unreachable',
    detail: 'The server refused the connection.',
  });
  const rude = await serveBytes((socket) => socket.once('data', () => socket.end('no HTTP\r\n\r\n')));
  expect(await failureOf(fetch(rude, { method: 'POST', body: '{}' }))).toMatchObject({ because: 'unreadable' });
  const odd = await serveBytes((socket) => socket.once('data', () => socket.end('HTTP/1.1 999 Odd\r\n\r\n')));
  expect(await failureOf(fetch(odd))).toMatchObject({ because: 'unreadable' });
});

test('pieces of one byte that arrived together are read as one', async () => {
  const pieces = 10_000;
  const url = await serveBytes((socket) =>
    socket.once('data', () =>
      socket.end(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${'1\r\nx\r\n'.repeat(pieces)}0\r\n\r\n`),
    ),
  );
  const { body } = await given().fetch(url);
  const lengths: number[] = [];
  for await (const piece of body ?? []) lengths.push(piece.length);
  expect(lengths.reduce((sum, length) => sum + length, 0)).toBe(pieces);
  expect(lengths.length).toBeLessThan(pieces / 10);
});

test('a server that sends interim answers without end fails the request, and one that sends a few does not', async () => {
  const interim = 'HTTP/1.1 102 Processing\r\n\r\n';
  const url = await serveBytes((socket) => socket.once('data', () => socket.write(interim.repeat(1000))));
  expect(await failureOf(given().fetch(url))).toMatchObject({
    because: 'unreadable',
    detail: expect.stringContaining('interim responses'),
  });
  const few = await serveBytes((socket) =>
    socket.once('data', () => socket.end(`${interim.repeat(3)}HTTP/1.1 204 No Content\r\n\r\n`)),
  );
  expect((await given().fetch(few)).status).toBe(204);
});
