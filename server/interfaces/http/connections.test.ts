import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { Readable } from 'node:stream';
import pino from 'pino';
import { afterEach, expect, test } from 'vitest';
import { yieldToEventLoop } from '../../lib/event-loop.ts';
import { createIds } from '../../kernel/ids.ts';
import { systemClock } from '../../lib/clock.ts';
import { ANY_METHOD, createBareServer } from './bare-server.ts';
import { type Patience, trackConnections } from './connections.ts';
import { piecesOf } from './outgoing.ts';

const AN_HOUR = 3_600_000;
/** More than the system keeps of an answer that nobody reads. */
const LARGE = Buffer.alloc(64 * 1024 * 1024);

let server: http.Server;
afterEach(() => server.closeAllConnections());

async function givenServer(
  patience: Patience,
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
  // The system keeps nothing of the response for it.
  const reset = once(idle, 'error');
  idle.resume();
  expect(await reset).toMatchObject([{ code: 'ECONNRESET' }]);
  answer.end('here it is');
  const [read] = (await once(patient, 'data')) as [Buffer];
  expect(read.toString()).toContain('here it is');
  patient.destroy();
});

test('a client that reads a large answer slowly has all of it', async () => {
  const { port } = await givenServer({ unreadMs: 1000, closingMs: AN_HOUR }, (_request, response) => {
    Readable.from(piecesOf(LARGE)).pipe(response);
  });
  let bytes = 0;
  for await (const chunk of ask(port, '/').setTimeout(0)) {
    bytes += (chunk as Buffer).length;
    if (bytes >= LARGE.length) break;
    await yieldToEventLoop();
  }
  expect(bytes).toBeGreaterThanOrEqual(LARGE.length);
});

test('a client that reads slower than the least rate is let go, and one whose stream has nothing to read is not', async () => {
  const patience = { unreadMs: 500, closingMs: AN_HOUR, leastBytesASecond: Number.MAX_SAFE_INTEGER, lookMs: 20 };
  const streams: http.ServerResponse[] = [];
  const { port } = await givenServer(patience, (request, response) => {
    if (request.url === '/large') Readable.from(piecesOf(LARGE)).pipe(response);
    else {
      response.write('an event');
      streams.push(response);
    }
  });
  const idle = ask(port, '/stream');
  await once(idle, 'data');
  const slow = ask(port, '/large');
  // It reads all the time, and never fast enough.
  slow.on('data', () => {
    slow.pause();
    setTimeout(() => slow.resume(), 20);
  });
  expect(await once(slow, 'error')).toMatchObject([{ code: 'ECONNRESET' }]);
  expect(slow.bytesRead).toBeLessThan(LARGE.length);
  streams[0]?.write('another one');
  const [read] = (await once(idle, 'data')) as [Buffer];
  expect(read.toString()).toContain('another one');
  idle.destroy();
});

test('requests that are sent without waiting are answered one after the other', async () => {
  const app = createBareServer({ ids: createIds(systemClock), logger: pino({ enabled: false }), description: '' });
  server = app.server;
  const begun: PromiseWithResolvers<void>[] = [];
  app.route({
    method: ANY_METHOD,
    url: '/answer',
    handler: async () => {
      const answer = Promise.withResolvers<void>();
      begun.push(answer);
      await answer.promise;
      return `answer ${begun.length}`;
    },
  });
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  const socket = net.connect(Number(new URL(address).port), '127.0.0.1');
  socket.write('GET /answer HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(3));
  let read = '';
  socket.on('data', (chunk: Buffer) => (read += chunk.toString()));
  for (const count of [1, 2, 3]) {
    await expect.poll(() => begun.length).toBe(count);
    for (let turn = 0; turn < 20; turn += 1) await yieldToEventLoop();
    expect(begun).toHaveLength(count);
    begun[count - 1]?.resolve();
    await expect.poll(() => read).toContain(`answer ${count}`);
  }
  socket.destroy();
  await app.close();
});

test('a server that stops waits for requests in progress, for a limited time', async () => {
  const begun = Promise.withResolvers<void>();
  const { port, end } = await givenServer({ unreadMs: AN_HOUR, closingMs: 50 }, () => begun.resolve());
  const socket = ask(port, '/never');
  await begun.promise;
  const closed = new Promise((resolve) => server.close(resolve));
  end();
  await Promise.all([closed, once(socket, 'close')]);
  expect(server.listening).toBe(false);
});
