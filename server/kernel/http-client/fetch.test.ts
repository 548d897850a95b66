import { expect, onTestFinished, test } from 'vitest';
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
      detail: expect.stringContaining('may not be connected to'),
    });
  }
  expect(requests).toBe(0);
  await expect(given().fetch(url, { signal: gone.signal })).rejects.toThrow('enough');
});

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
