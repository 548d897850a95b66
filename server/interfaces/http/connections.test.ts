import http from 'node:http';
import net from 'node:net';
import { once } from 'node:events';
import { afterEach, expect, test } from 'vitest';
import { yieldToEventLoop } from '../../lib/event-loop.ts';
import { trackConnections } from './connections.ts';

const AN_HOUR = 3_600_000;
/** More than the system keeps of an answer that nobody reads. */
const LARGE = Buffer.alloc(64 * 1024 * 1024);

let server: http.Server;
afterEach(() => server.closeAllConnections());

async function givenServer(
  patience: { unreadMs: number; closingMs: number },
  serve: http.RequestListener,
): Promise<{ port: number; end: () => void }> {
  server = http.createServer(serve);
  const { end } = trackConnections(server, patience);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return { port: typeof address === 'object' && address !== null ? address.port : 0, end };
}

function ask(port: number, path: string): net.Socket {
  const socket = net.connect(port, '127.0.0.1', () => socket.write(`GET ${path} HTTP/1.1\r\nHost: localhost\r\n\r\n`));
  return socket.on('error', () => socket.destroy());
}

test('a client that reads nothing of its answer is let go, and one that waits for its answer is not', async () => {
  const waiting = Promise.withResolvers<http.ServerResponse>();
  const { port } = await givenServer({ unreadMs: 1000, closingMs: AN_HOUR }, (request, response) => {
    if (request.url === '/large') response.end(LARGE);
    else waiting.resolve(response);
  });
  const patient = ask(port, '/waiting');
  const answer = await waiting.promise;
  const connected = once(server, 'connection');
  const idle = ask(port, '/large').pause();
  const [socket] = (await connected) as [net.Socket];
  await once(socket, 'close');
  idle.destroy();
  answer.end('here it is');
  const [read] = (await once(patient, 'data')) as [Buffer];
  expect(read.toString()).toContain('here it is');
  patient.destroy();
});

test('a client that reads a large answer slowly has all of it', async () => {
  const { port } = await givenServer({ unreadMs: 1000, closingMs: AN_HOUR }, (_request, response) => {
    response.end(LARGE);
  });
  let bytes = 0;
  for await (const chunk of ask(port, '/').setTimeout(0)) {
    bytes += (chunk as Buffer).length;
    if (bytes >= LARGE.length) break;
    await yieldToEventLoop();
  }
  expect(bytes).toBeGreaterThanOrEqual(LARGE.length);
});

test('a server that stops waits for requests that go on, and not for ever', async () => {
  const begun = Promise.withResolvers<void>();
  const { port, end } = await givenServer({ unreadMs: AN_HOUR, closingMs: 50 }, () => begun.resolve());
  const socket = ask(port, '/never');
  await begun.promise;
  const closed = new Promise((resolve) => server.close(resolve));
  end();
  await Promise.all([closed, once(socket, 'close')]);
  expect(server.listening).toBe(false);
});
