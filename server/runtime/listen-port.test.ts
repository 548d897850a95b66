import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import fastify, { type FastifyInstance } from 'fastify';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listenOn } from './listen-port.ts';
import { temporaryFolder } from '../test/index.ts';

const host = '127.0.0.1';
let folder: ReturnType<typeof temporaryFolder>;
let servers: FastifyInstance[];
beforeEach(() => {
  folder = temporaryFolder();
  servers = [];
});
afterEach(async () => {
  await Promise.all(servers.map((server) => server.close()));
  folder.remove();
});

function createServer(): FastifyInstance {
  const server = fastify();
  servers.push(server);
  return server;
}

const kept = (): string => path.join(folder.path, 'port');

async function freePort(): Promise<number> {
  const server = net.createServer().listen(0, host);
  await once(server, 'listening');
  const { port } = server.address() as net.AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

test('without a port asked for, the one taken is kept and asked for again', async () => {
  const first = createServer();
  const port = await listenOn(first, { host, port: undefined, dataDir: folder.path });
  expect(readFileSync(kept(), 'utf8')).toBe(`${port}\n`);
  await first.close();
  const free = await freePort();
  writeFileSync(kept(), `${free}\n`);
  expect(await listenOn(createServer(), { host, port: undefined, dataDir: folder.path })).toBe(free);
});

test('when another program has the kept port, the next free one is taken and kept', async () => {
  const other = createServer();
  const taken = await listenOn(other, { host, port: 0, dataDir: folder.path });
  writeFileSync(kept(), `${taken}\n`);
  const port = await listenOn(createServer(), { host, port: undefined, dataDir: folder.path });
  expect(port).not.toBe(taken);
  expect(readFileSync(kept(), 'utf8')).toBe(`${port}\n`);
});

test.each(['', 'no port', '0', '70000', '4747.5'])('a kept port of %j is none', async (text) => {
  writeFileSync(kept(), text);
  const port = await listenOn(createServer(), { host, port: undefined, dataDir: folder.path });
  expect(port).toBeGreaterThanOrEqual(4747);
  expect(readFileSync(kept(), 'utf8')).toBe(`${port}\n`);
});

test('a port that was asked for is the one, and is not kept', async () => {
  const first = await listenOn(createServer(), { host, port: 0, dataDir: folder.path });
  await expect(listenOn(createServer(), { host, port: first, dataDir: folder.path })).rejects.toThrow('EADDRINUSE');
  expect(existsSync(kept())).toBe(false);
});
