import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { createFakeClock } from '../clock.ts';
import { createHttpClient, type HttpAnswer, type HttpClient, type HttpClientOptions } from './index.ts';
import { nowhere, serveBytes, serveHttp } from './testing.ts';

function client(options: HttpClientOptions = {}): HttpClient {
  const made = createHttpClient(options);
  onTestFinished(() => made.close());
  return made;
}

const get = (url: URL) => ({ method: 'GET', url, headers: {} });
const textOf = (answer: HttpAnswer): string => (answer.kind === 'response' ? Buffer.from(answer.body).toString() : '');

test('a request is sent as it is, and its answer comes back whole', async () => {
  const url = await serveHttp((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      response.writeHead(
        201,
        [
          ['X-Two', 'a'],
          ['X-Two', 'b'],
          ['__proto__', 'plain'],
        ].flat(),
      );
      response.end(
        `${request.method} ${request.url} ${String(request.headers['x-one'])} ${Buffer.concat(chunks).toString()}`,
      );
    });
  });
  const answer = await client().send({
    method: 'post',
    url: new URL('/a%20b?c=d#part', url),
    headers: { 'X-One': 'one' },
    body: 'grüß',
  });
  expect(answer).toMatchObject({ kind: 'response', status: 201 });
  expect(textOf(answer)).toBe('POST /a%20b?c=d one grüß');
  const headers = answer.kind === 'response' ? answer.headers : {};
  expect(headers['x-two']).toBe('a, b');
  expect(Object.hasOwn(headers, '__proto__')).toBe(true);
});

test('given a redirect, then it is the answer', async () => {
  const asked: (string | undefined)[] = [];
  const url = await serveHttp((request, response) => {
    asked.push(request.url);
    response.writeHead(302, { location: '/elsewhere' }).end();
  });
  expect(await client().send(get(url))).toMatchObject({ status: 302, headers: { location: '/elsewhere' } });
  expect(asked).toEqual(['/']);
});

test.each([
  ['HEAD', 200, { 'content-length': '9', 'content-encoding': 'gzip' }],
  ['GET', 204, {}],
  ['GET', 304, { 'content-encoding': 'gzip' }],
])('%s answered %i has no body, whatever its headers say', async (method, status, headers) => {
  const url = await serveHttp((_request, response) => response.writeHead(status, headers).end());
  const answer = await client().send({ ...get(url), method });
  expect(answer).toMatchObject({ kind: 'response', status, body: new Uint8Array() });
});

test('a server that is not there, a name that nobody has, and an address of another kind are unreachable', async () => {
  const http = client();
  expect(await http.send(get(await nowhere()))).toEqual({
    kind: 'failed',
    because: 'unreachable',
    detail: 'The server refused the connection.',
  });
  const unknown = await http.send(get(new URL('http://nobody.invalid/')));
  expect(unknown).toMatchObject({ kind: 'failed', because: 'unreachable' });
  expect(await http.send(get(new URL('ftp://127.0.0.1/')))).toMatchObject({ because: 'unreachable' });
});

test('what HTTP does not allow in a request is not sent, and the failure does not say it', async () => {
  const url = await serveHttp((_request, response) => response.end());
  const answer = await client().send({ ...get(url), headers: { authorization: 'Bearer abc\r\nX: y' } });
  expect(answer).toMatchObject({ kind: 'failed', because: 'unreachable' });
  expect(JSON.stringify(answer)).not.toContain('abc');
});

test.each(['Host', 'Content-Length', 'transfer-encoding', 'Connection', 'Expect', 'Upgrade'])(
  'the header %s is not sent: it could make the request another one, or part of the next on the connection',
  async (name) => {
    let requests = 0;
    const url = await serveHttp((_request, response) => {
      requests += 1;
      response.end();
    });
    const http = client();
    expect(await http.send({ ...get(url), headers: { [name]: '300' } })).toMatchObject({ because: 'unreachable' });
    expect(await http.send(get(url))).toMatchObject({ status: 200 });
    expect(requests).toBe(1);
  },
);

test.each(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'POST'])(
  'a body of a %s is sent with its length, on a connection of its own: it is no second request',
  async (method) => {
    const seen: string[] = [];
    const url = await serveHttp((request, response) => {
      seen.push(`${request.method} ${request.url} ${request.headers['content-length']} ${request.headers.connection}`);
      response.end();
    });
    const body = 'GET /hidden HTTP/1.1\r\nhost: x\r\n\r\n';
    expect(await client().send({ ...get(url), method, body })).toMatchObject({ status: 200 });
    expect(seen).toEqual([`${method} / ${body.length} close`]);
  },
);

test.each([
  ['cut before any answer', ''],
  ['cut within the headers', 'HTTP/1.1 200 OK\r\ncontent-'],
  ['cut within the body', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc'],
  ['cut within a chunk', 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nab'],
  ['no HTTP', 'SSH-2.0-OpenSSH_9.2\r\n\r\n'],
  ['huge headers', `HTTP/1.1 200 OK\r\nx: ${'y'.repeat(100_000)}\r\n\r\n`],
])('an answer that is broken (%s) is unreadable', async (_what, bytes) => {
  const url = await serveBytes((socket) => {
    socket.once('data', () => socket.end(bytes));
  });
  expect(await client().send({ ...get(url), method: 'POST' })).toMatchObject({ kind: 'failed', because: 'unreadable' });
});

test.each([
  ['no answer at all', ''],
  ['a body that does not end', 'HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc'],
])('given %s, when the deadline passes, then it timed out and the connection is ended', async (_what, bytes) => {
  const clock = createFakeClock();
  const arrived = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const url = await serveBytes((socket) => {
    socket.once('close', () => ended.resolve());
    socket.once('data', () =>
      socket.write(bytes === '' ? 'HTTP/1.1 100 Continue\r\n\r\n' : bytes, () => arrived.resolve()),
    );
  });
  const answer = client({ clock }).send(get(url));
  await arrived.promise;
  clock.advance(29_999);
  clock.advance(1);
  expect(await answer).toEqual({
    kind: 'failed',
    because: 'timed_out',
    detail: 'The response was not complete in time.',
  });
  await ended.promise;
});

test('a cancelled request ends at once, before it is sent or while it is answered', async () => {
  const http = client();
  const arrived = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const url = await serveBytes((socket) => {
    socket.once('close', () => ended.resolve());
    socket.once('data', () => arrived.resolve());
  });
  const control = new AbortController();
  const answer = http.send(get(url), { signal: control.signal });
  await arrived.promise;
  control.abort();
  expect(await answer).toMatchObject({ kind: 'failed', because: 'cancelled' });
  await ended.promise;
  expect(await http.send(get(url), { signal: control.signal })).toMatchObject({ because: 'cancelled' });
});

test('connections are kept for GET, and another request has one of its own', async () => {
  const http = client();
  const sockets = new Set<unknown>();
  const url = await serveHttp((request, response) => {
    sockets.add(request.socket);
    response.end('x');
  });
  await http.send(get(url));
  await http.send(get(url));
  expect(sockets.size).toBe(1);
  await http.send({ ...get(url), method: 'POST' });
  await http.send({ ...get(url), method: 'POST' });
  expect(sockets.size).toBe(3);
});

test('given a kept connection that the server cuts when it is used again, then GET goes once more', async () => {
  const http = client();
  let connections = 0;
  const url = await serveBytes((socket) => {
    connections += 1;
    let requests = 0;
    socket.on('data', () => {
      requests += 1;
      if (requests === 1) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 1\r\n\r\nx');
      else socket.destroy();
    });
  });
  expect(await http.send(get(url))).toMatchObject({ status: 200 });
  expect(await http.send(get(url))).toMatchObject({ status: 200 });
  expect(connections).toBe(2);
});

test('closing ends kept connections', async () => {
  const http = client();
  const closed = Promise.withResolvers<void>();
  const url = await serveHttp((request, response) => {
    void once(request.socket, 'close').then(() => closed.resolve());
    response.end('x');
  });
  await http.send(get(url));
  http.close();
  await expect(closed.promise).resolves.toBeUndefined();
});
