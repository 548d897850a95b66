// One request over one connection.
import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import type { Socket } from 'node:net';
import { TLSSocket } from 'node:tls';
import type { Clock } from '../clock.ts';
import { bareHost } from './addresses.ts';
import { ACCEPTED_ENCODINGS, readBody } from './read-body.ts';
import { answerFailure, codeOf, connectionFailure } from './reasons.ts';
import { failed, type HttpAnswer, type HttpFailure, type HttpRequest } from './request.ts';

export interface Connections {
  open(options: RequestOptions): ClientRequest;
  agent: Agent;
}

interface Bounds {
  /** When the exchange must have ended, in milliseconds since 1970. */
  until: number;
  maxBytes: number;
  signal: AbortSignal | undefined;
  clock: Clock;
}

export interface Exchange {
  answer: Promise<HttpAnswer>;
  /** Afterwards: whether it failed because a kept connection had been closed by the server. */
  wasGone(): boolean;
}

export function exchange(request: HttpRequest, connections: Connections, bounds: Bounds): Exchange {
  let isKept = false;
  const { promise: answer, resolve } = Promise.withResolvers<HttpAnswer>();
  const outcome: { code?: string } = {};
  run();
  return { answer, wasGone: () => isKept && ['ECONNRESET', 'EPIPE'].includes(outcome.code ?? '') };

  function run(): void {
    const { clock, signal } = bounds;
    if (signal?.aborted === true) return resolve(cancelled());
    let sent: ClientRequest;
    try {
      sent = connections.open(optionsOf(request, connections.agent));
    } catch {
      return resolve(failed('unreachable', 'The request has a method or a header that HTTP does not allow.'));
    }
    let isConnected = false;
    let isEnded = false;
    const callOff = clock.wakeAt(bounds.until, () => end(failed('timed_out', timedOut(isConnected)), true));
    const cancel = (): void => end(cancelled(), true);
    signal?.addEventListener('abort', cancel, { once: true });

    function end(result: HttpAnswer, destroys: boolean): void {
      if (isEnded) return;
      isEnded = true;
      callOff();
      signal?.removeEventListener('abort', cancel);
      if (destroys) sent.destroy();
      resolve(result);
    }
    function fail(error: unknown): void {
      if (!isEnded) outcome.code = codeOf(error);
      end(isConnected ? answerFailure(error) : connectionFailure(error), true);
    }

    sent.on('socket', (socket) => {
      isKept = sent.reusedSocket;
      whenConnected(socket, isKept, () => {
        isConnected = true;
      });
    });
    // Stays for what a destroyed connection says afterwards.
    sent.on('error', fail);
    sent.on('response', (response) => {
      isConnected = true;
      isKept = false;
      readAnswer(request, response, bounds.maxBytes).then((result) => end(result, result.kind === 'failed'), fail);
    });
    sent.end(request.body);
  }
}

function optionsOf(request: HttpRequest, agent: Agent): RequestOptions {
  const { url } = request;
  return {
    method: request.method.toUpperCase(),
    protocol: url.protocol,
    hostname: bareHost(url),
    port: url.port,
    path: `${url.pathname}${url.search}`,
    headers: { 'accept-encoding': ACCEPTED_ENCODINGS, ...request.headers },
    agent,
  };
}

/** Before this, nothing of the request has left: over TLS, that is when the certificate has been accepted. */
export function whenConnected(socket: Socket, isKept: boolean, then: () => void): void {
  if (isKept) return then();
  socket.once(socket instanceof TLSSocket ? 'secureConnect' : 'connect', then);
}

async function readAnswer(request: HttpRequest, response: IncomingMessage, maxBytes: number): Promise<HttpAnswer> {
  const status = response.statusCode ?? 0;
  const headers = headersOf(response);
  const hasBody = request.method.toUpperCase() !== 'HEAD' && status !== 204 && status !== 304;
  if (!hasBody) {
    response.resume();
    return { kind: 'response', status, headers, body: new Uint8Array() };
  }
  const reading = await readBody(response, maxBytes);
  if (!reading.ok) return failed(reading.because, reading.detail);
  return { kind: 'response', status, headers, body: reading.body };
}

function headersOf(response: IncomingMessage): Record<string, string> {
  // Entries, because a header may be named `__proto__`.
  const entries = Object.entries(response.headersDistinct).map(([name, values = []]) => [name, values.join(', ')]);
  return Object.fromEntries(entries) as Record<string, string>;
}

function timedOut(isConnected: boolean): string {
  return isConnected ? 'The whole answer did not come in time.' : 'The server could not be reached in time.';
}

function cancelled(): HttpFailure {
  return failed('cancelled', 'The request was cancelled.');
}
