import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Keeps count of the requests that each connection carries, so that the end of the server waits for these and for no
 * connection besides: a client that opened one in advance, or left a head half-written, would hold it up for a minute.
 * @returns ends every connection as soon as it carries no request; to be called when the server stops
 */
export function trackConnections(server: Server): () => void {
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
  return () => {
    isEnding = true;
    for (const [socket, carried] of requests) if (carried === 0) socket.destroy();
  };
}
