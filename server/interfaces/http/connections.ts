// Keeps count of the requests that each connection carries.
//
// 1. When the server stops, its end waits for these and for no connection besides: a client that opened one in
//    advance, or left a head half-written, would hold it up for a minute. It does not wait for ever for them either.
// 2. A client that does not read what is written to it is let go: its answers are kept in memory until then. One that
//    waits for an answer, or for the next event of a stream, may wait as long as it likes.
// 3. A client that sends request after request without waiting for answers is let go: Node takes all that have come and
//    keeps their answers in memory, hundreds of them for one read of the connection. Browsers and HTTP libraries wait.
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';

/** In milliseconds. */
export interface Patience {
  /** How long a client may read nothing of what is written to it. */
  unreadMs: number;
  /** How long a server that closes waits for the requests that it still carries. */
  closingMs: number;
}

/** Requests that a connection carries at once, at most. */
const MOST_CARRIED = 16;

export interface Connections {
  /** Whether a request is one too many for its connection, which is ended then. */
  isTooMuch: (request: IncomingMessage) => boolean;
  /** Ends every connection as soon as it carries no request; to be called when the server stops. */
  end: () => void;
}

/** Runs have had the grace of a stop (`kernel/stopping.ts`) before a server closes: ten seconds together. */
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
  // A socket says so when it was neither read nor written for that long; bytes that the other side took count as written.
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
