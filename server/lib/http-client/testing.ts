// Real servers on the loopback for tests, which close with their test.
import { createServer, type RequestListener } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import { type AddressInfo, createServer as createRawServer, type Server, type Socket } from 'node:net';
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
  const server = createRawServer();
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return new URL(`http://127.0.0.1:${port}/`);
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
