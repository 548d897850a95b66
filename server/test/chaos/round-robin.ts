// A load balancer for tests: each request goes to the next server that accepts its connection.
import { createHash } from 'node:crypto';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import { type LoopbackServer, serveLoopback } from '../loopback.ts';

export interface RoundRobin extends LoopbackServer {
  /** The servers from now on, by their addresses. */
  forwardTo(addresses: readonly string[]): void;
}

/** A server that does not begin its answer within such a time is taken for stopped, in milliseconds. */
const PATIENCE = 20_000;

/** @param stickyHeader requests with the same value of this header go to the same server, as long as it is there */
export async function serveRoundRobin(stickyHeader?: string): Promise<RoundRobin> {
  let targets: readonly string[] = [];
  let next = 0;

  /** The servers in the order in which a request tries them. */
  function orderFor({ headers }: IncomingMessage): readonly string[] {
    const value = stickyHeader === undefined ? undefined : headers[stickyHeader];
    if (value !== undefined) return byHash(targets, String(value));
    const first = next++ % Math.max(1, targets.length);
    return [...targets.slice(first), ...targets.slice(0, first)];
  }

  /** Tries the servers in turn, until one accepts the connection. */
  function forward(request: IncomingMessage, body: Buffer, response: ServerResponse, order: readonly string[]): void {
    const [target, ...others] = order;
    if (target === undefined) return void response.writeHead(502).end();
    const { method = 'GET', headers, url = '/' } = request;
    const sent = http.request(`${target}${url}`, { method, headers, agent: false }, (answer) => {
      // An event stream may be silent for longer.
      sent.setTimeout(0);
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.on('error', () => response.destroy());
      answer.pipe(response);
    });
    sent.setTimeout(PATIENCE, () => sent.destroy());
    sent.on('error', (error: NodeJS.ErrnoException) => {
      // Only what was not sent may be sent to another server.
      if (error.code === 'ECONNREFUSED') forward(request, body, response, others);
      else response.destroy();
    });
    response.on('close', () => sent.destroy());
    sent.end(body);
  }

  const server = await serveLoopback((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', () => response.destroy());
    request.on('end', () => forward(request, Buffer.concat(chunks), response, orderFor(request)));
  });
  return {
    ...server,
    forwardTo(addresses) {
      targets = addresses;
    },
  };
}

/** As proxies do it: only the values of a server that is gone move to others. */
function byHash(targets: readonly string[], value: string): string[] {
  const weight = (target: string): string => createHash('sha256').update(`${value} ${target}`).digest('hex');
  return targets.toSorted((a, b) => weight(a).localeCompare(weight(b)));
}
