// Real servers on the loopback for tests, which close with their test.
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, connect, createServer as createRawServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** The address of a server that answers so. */
export async function serveHttp(answer: RequestListener): Promise<URL> {
  return new URL(`http://127.0.0.1:${await listen(createServer(answer))}/`);
}

export async function serveHttps(pair: { key: string; cert: string }, answer: RequestListener): Promise<URL> {
  return new URL(`https://127.0.0.1:${await listen(createSecureServer(pair, answer))}/`);
}

/** A server that speaks as `talk` does, HTTP or not. */
export async function serveBytes(talk: (socket: Socket) => void): Promise<URL> {
  const server = createRawServer((socket) => {
    socket.on('error', () => undefined);
    talk(socket);
  });
  return new URL(`http://127.0.0.1:${await listen(server)}/`);
}

/** An address at which nothing listens. */
export async function nowhere(): Promise<URL> {
  const { port, release } = await holdPort();
  onTestFinished(release);
  return new URL(`http://127.0.0.1:${port}/`);
}

/** A port at which nothing listens until it is released: one end of a connection has it, so no server is given it. */
export async function holdPort(): Promise<{ port: number; release: () => void }> {
  const server = createRawServer((socket) => socket.resume());
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').on('error', () => undefined);
  await once(socket, 'connect');
  const release = (): void => {
    socket.destroy();
    server.close();
  };
  return { port: socket.localPort ?? 0, release };
}

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}
