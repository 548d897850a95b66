// Counts the open requests of each connection.
//
// 1. Shutdown waits, for a limited time, for connections with open requests and closes all others: a connection that was
//    opened in advance, or that sent half a header, would delay it for a minute.
// 2. A client that does not read its responses is disconnected: it has half a minute, plus one second for each 16 KiB that
//    it read. Time counts only while something waits to be read, so a client may wait indefinitely for a response, or for
//    the next event of a stream. The connection is reset, so that the system keeps nothing that it would still send.
// 3. The requests of a connection are answered one after the other: a client that sends several without waiting gets no
//    response made before it has read the one before. Browsers and HTTP libraries wait.
// 4. A client that sends many without waiting is disconnected: Node accepts them all, hundreds for one read.
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { KIB } from '../../../shared/product.ts';

/** In milliseconds. */
export interface Patience {
  /** How long a client may leave its responses unread. */
  unreadMs: number;
  /** How long a closing server waits for open requests. */
  closingMs: number;
  /** Of responses that wait to be read; default: 16 KiB. */
  leastBytesASecond?: number;
  /** How often it is looked how much was read; default: every second. */
  lookMs?: number;
}

/** The most open requests of one connection, those that wait for others included. */
const MOST_CARRIED = 16;

export interface Connections {
  /** Whether the request exceeds the limit of its connection; the connection is then closed. */
  isTooMuch: (request: IncomingMessage) => boolean;
  /** Resolves when the requests that the connection sent before are answered; undefined: they are. */
  before: (request: IncomingMessage) => Promise<void> | undefined;
  /** Closes each connection once it has no open request; called when the server stops. */
  end: () => void;
}

/** Runs get a grace period (`kernel/stopping.ts`) before the server closes: ten seconds in total. */
const PATIENCE: Patience = { unreadMs: 30_000, closingMs: 5000 };

interface Connection {
  /** Its open requests. */
  open: number;
  /** Resolves when the last of them is answered. */
  last: Promise<void>;
  /** How long it may still leave unread what waits, in milliseconds. */
  patience: number;
  /** Bytes that its client took. */
  taken: number;
}

export function trackConnections(server: Server, patience: Patience = PATIENCE): Connections {
  const { unreadMs, closingMs, leastBytesASecond = 16 * KIB, lookMs = 1000 } = patience;
  const connections = new Map<Socket, Connection>();
  let isEnding = false;
  server.on('connection', (socket) => {
    if (isEnding) socket.destroy();
    else {
      connections.set(socket, { open: 0, last: Promise.resolve(), patience: unreadMs, taken: 0 });
      socket.once('close', () => connections.delete(socket));
    }
  });
  server.on('request', ({ socket }, response) => {
    const connection = connections.get(socket);
    if (connection === undefined) return;
    connection.open += 1;
    connection.last = new Promise((resolve) => {
      response.once('close', () => {
        connection.open -= 1;
        if (isEnding && connection.open === 0) socket.destroySoon();
        resolve();
      });
    });
  });
  // The socket times out if it was neither read nor written; bytes count as written when the other side accepted them.
  server.timeout = unreadMs;
  server.on('timeout', (socket: Socket) => {
    if (socket.writableLength > 0) socket.resetAndDestroy();
    else if ((connections.get(socket)?.open ?? 0) === 0) socket.destroy();
  });

  let lookedAt = performance.now();
  const looking = setInterval(() => {
    // After the machine slept, or the process was held, clients are given no less time.
    const passed = Math.min(performance.now() - lookedAt, 2 * lookMs);
    lookedAt = performance.now();
    for (const [socket, connection] of connections) {
      const taken = socket.bytesWritten - socket.writableLength;
      const earned =
        socket.writableLength === 0 ? passed : ((taken - connection.taken) * 1000) / leastBytesASecond - passed;
      connection.taken = taken;
      connection.patience = Math.min(unreadMs, connection.patience + earned);
      if (connection.patience <= 0) socket.resetAndDestroy();
    }
  }, lookMs).unref();
  server.once('close', () => clearInterval(looking));

  return {
    isTooMuch({ socket }) {
      if ((connections.get(socket)?.open ?? 0) < MOST_CARRIED) return socket.destroyed;
      socket.destroy();
      return true;
    },
    before({ socket }) {
      const connection = connections.get(socket);
      return connection === undefined || connection.open === 0 ? undefined : connection.last;
    },
    end() {
      isEnding = true;
      for (const [socket, { open }] of connections) if (open === 0) socket.destroy();
      setTimeout(() => connections.forEach((_connection, socket) => socket.destroy()), closingMs).unref();
    },
  };
}
