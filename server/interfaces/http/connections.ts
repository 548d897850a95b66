// Counts the open requests of each connection.
//
// 1. Shutdown waits, for a limited time, for connections with open requests and closes all others: a connection that was
//    opened in advance, or that sent half a header, would delay it for a minute.
// 2. A client that does not read its responses is disconnected, because they are kept in memory. A client that waits for
//    a response, or for the next event of a stream, may wait indefinitely.
// 3. A client that sends many requests without waiting for responses is disconnected: Node accepts them all and keeps the
//    responses in memory, hundreds for one read of the connection. Browsers and HTTP libraries wait.
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** In milliseconds. */
export interface Patience {
  /** How long a client may leave its responses unread. */
  unreadMs: number;
  /** How long a closing server waits for open requests. */
  closingMs: number;
}

/** The most open requests of one connection. */
const MOST_CARRIED = 16;

export interface Connections {
  /** Whether the request exceeds the limit of its connection; the connection is then closed. */
  isTooMuch: (request: IncomingMessage) => boolean;
  /** Closes each connection once it has no open request; called when the server stops. */
  end: () => void;
}

/** Runs get a grace period (`kernel/stopping.ts`) before the server closes: ten seconds in total. */
const PATIENCE: Patience = { unreadMs: 30_000, closingMs: 5000 };

export function trackConnections(server: Server, { unreadMs, closingMs }: Patience = PATIENCE): Connections {
  const requests = new Map<Socket, number>();
  let isEnding = false;
  server.on('connection', (socket) => {
    if (isEnding) socket.destroy();
    else {
      requests.set(socket, 0);
      socket.once('close', () => requests.delete(socket));
    }
  });
  server.on('request', ({ socket }, response) => {
    requests.set(socket, (requests.get(socket) ?? 0) + 1);
    response.once('close', () => {
      const left = (requests.get(socket) ?? 1) - 1;
      if (requests.has(socket)) requests.set(socket, left);
      if (isEnding && left === 0) socket.destroySoon();
    });
  });
  // The socket times out if it was neither read nor written; bytes count as written when the other side accepted them.
  server.timeout = unreadMs;
  server.on('timeout', (socket: Socket) => {
    if (socket.writableLength > 0 || (requests.get(socket) ?? 0) === 0) socket.destroy();
  });
  return {
    isTooMuch({ socket }) {
      if ((requests.get(socket) ?? 0) < MOST_CARRIED) return socket.destroyed;
      socket.destroy();
      return true;
    },
    end() {
      isEnding = true;
      for (const [socket, carried] of requests) if (carried === 0) socket.destroy();
      setTimeout(() => requests.forEach((_carried, socket) => socket.destroy()), closingMs).unref();
    },
  };
}
