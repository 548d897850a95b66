// A load balancer for tests: each request goes to the next server that accepts its connection.
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { type LoopbackServer, serveLoopback } from '../loopback.ts';

export interface RoundRobin extends LoopbackServer {
  /** The servers from now on, by their addresses. */
  forwardTo(addresses: readonly string[]): void;
}

/** A server that does not answer within such a time is taken for stopped, in milliseconds. */
const PATIENCE = 20_000;

export async function serveRoundRobin(): Promise<RoundRobin> {
  let targets: readonly string[] = [];
  let next = 0;

  /** Tries the servers in turn, until one accepts the connection. */
  function forward(request: IncomingMessage, body: Buffer, response: ServerResponse, tries: number): void {
    const target = targets[next++ % Math.max(1, targets.length)];
    if (target === undefined || tries === 0) return void response.writeHead(502).end();
    const { method = 'GET', headers, url = '/' } = request;
    const sent = http.request(`${target}${url}`, { method, headers, agent: false }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on('error', () => response.destroy());
      answer.pipe(response);
    });
    sent.setTimeout(PATIENCE, () => sent.destroy());
    sent.on('error', (error: NodeJS.ErrnoException) => {
      // Only what was not sent may be sent to another server.
      if (error.code === 'ECONNREFUSED') forward(request, body, response, tries - 1);
      else response.destroy();
    });
    response.on('close', () => sent.destroy());
    sent.end(body);
  }

  const server = await serveLoopback((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => response.destroy());
    request.on('end', () => forward(request, Buffer.concat(chunks), response, targets.length));
  });
  return {
    ...server,
    forwardTo(addresses) {
      targets = addresses;
    },
  };
}
