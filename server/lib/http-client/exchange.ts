// One request over one connection.
import type { Agent, ClientRequest, IncomingMessage, RequestOptions } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { TLSSocket } from 'node:tls';
import { KIB } from '../../../shared/product.ts';
import type { Clock } from '../clock.ts';
import { bareHost } from './addresses.ts';
import { ACCEPTED_ENCODINGS, readBody, unpackedStream } from './read-body.ts';
import { answerFailure, codeOf, connectionFailure, TOO_MANY_INTERIM } from './reasons.ts';
import {
  AnswerBroken,
  failed,
  type HttpFailure,
  type HttpRequest,
  type HttpResponse,
  type HttpStream,
  isSetByClient,
} from './request.ts';

export interface Connections {
  open(options: RequestOptions): ClientRequest;
  agent: Agent;
}

export interface Bounds {
  /** When the answer must have been taken, by the elapsed time of `clock`. */
  until: number;
  maxBytes: number;
  signal: AbortSignal | undefined;
  clock: Clock;
}

/** Makes what the caller gets of a response. */
type Take<Answer> = (
  request: HttpRequest,
  response: IncomingMessage,
  bounds: Pick<Bounds, 'maxBytes' | 'signal'>,
) => Promise<Answer | HttpFailure>;

export interface Exchange<Answer> {
  answer: Promise<Answer | HttpFailure>;
  /** Afterwards: whether it failed because a kept connection had been closed by the server. */
  wasGone(): boolean;
}

export function exchange<Answer extends { kind: string }>(
  request: HttpRequest,
  connections: Connections,
  bounds: Bounds,
  take: Take<Answer>,
): Exchange<Answer> {
  let isKept = false;
  const { promise: answer, resolve } = Promise.withResolvers<Answer | HttpFailure>();
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
      return resolve(
        failed('unreachable', 'The request has a method or a header that HTTP or the client does not allow.'),
      );
    }
    let isConnected = false;
    let isEnded = false;
    const callOff = clock.wakeAfter(bounds.until - clock.elapsed(), () =>
      end(failed('timed_out', timedOut(isConnected)), true),
    );
    const cancel = (): void => end(cancelled(), true);
    signal?.addEventListener('abort', cancel, { once: true });

    function end(result: Answer | HttpFailure, destroys: boolean): void {
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
    boundInterim(sent);
    // Stays for what a destroyed connection says afterwards.
    sent.on('error', fail);
    sent.on('response', (response) => {
      isConnected = true;
      isKept = false;
      take(request, response, bounds).then((result) => end(result, result.kind === 'failed'), fail);
    });
    sent.end(request.body);
  }
}

function optionsOf(request: HttpRequest, agent: Agent): RequestOptions {
  const { url, headers, body } = request;
  if (Object.keys(headers).some(isSetByClient)) throw new Error('The client sets this header.');
  return {
    method: request.method.toUpperCase(),
    protocol: url.protocol,
    hostname: bareHost(url),
    port: url.port,
    path: `${url.pathname}${url.search}`,
    headers: {
      'accept-encoding': ACCEPTED_ENCODINGS,
      ...headers,
      // For GET and other methods without a usual body, Node would send the body without its length: the server would read
      // it as another request.
      ...(body === undefined ? {} : { 'content-length': Buffer.byteLength(body) }),
    },
    agent,
  };
}

/** Before this, nothing of the request has left: over TLS, that is when the certificate has been accepted. */
export function whenConnected(socket: Socket, isKept: boolean, then: () => void): void {
  if (isKept) return then();
  socket.once(socket instanceof TLSSocket ? 'secureConnect' : 'connect', then);
}

/** Bytes of a body that Node reads before its reader has taken some: a chunk may be one byte, and costs as a large one. */
export const UNREAD_BYTES = 16 * KIB;

/** Of what a server may send before its answer (1xx); honest ones send one or two. */
const MOST_INTERIM = 16;

/** Ends a request whose server sends interim answers without end: Node reads each, and waits for the real one. */
export function boundInterim(sent: ClientRequest): void {
  let interim = 0;
  sent.on('information', () => {
    interim += 1;
    if (interim > MOST_INTERIM) sent.destroy(Object.assign(new Error(), { code: TOO_MANY_INTERIM }));
  });
}

export const takeWhole: Take<HttpResponse> = async (request, response, { maxBytes }) => {
  const head = headOf(response);
  if (!hasBody(request, head)) {
    response.resume();
    return { ...head, body: new Uint8Array() };
  }
  const reading = await readBody(response, maxBytes);
  if (!reading.ok) return failed(reading.because, reading.detail);
  return { ...head, body: reading.body };
};

export const takeStream: Take<HttpStream> = async (request, response, { maxBytes, signal }) => {
  const head = headOf(response);
  if (!hasBody(request, head)) {
    response.resume();
    return { ...head, body: Readable.from([]) };
  }
  const destroy = (): void => void response.destroy();
  // Also if reading has not begun.
  signal?.addEventListener('abort', destroy, { once: true });
  response.once('close', () => signal?.removeEventListener('abort', destroy));
  return { ...head, body: streamBody(response, maxBytes, signal) };
};

function headOf(response: IncomingMessage): Pick<HttpResponse, 'kind' | 'status' | 'headers'> {
  return { kind: 'response', status: response.statusCode ?? 0, headers: headersOf(response) };
}

function hasBody({ method }: HttpRequest, { status }: Pick<HttpResponse, 'status'>): boolean {
  return method.toUpperCase() !== 'HEAD' && status !== 204 && status !== 304;
}

async function* streamBody(
  response: IncomingMessage,
  maxBytes: number,
  signal: AbortSignal | undefined,
): AsyncGenerator<Uint8Array> {
  try {
    yield* unpackedStream(response, maxBytes);
  } catch (error) {
    if (error instanceof AnswerBroken) throw error;
    throw new AnswerBroken(signal?.aborted === true ? cancelled() : answerFailure(error));
  } finally {
    response.destroy();
  }
}

function headersOf(response: IncomingMessage): Record<string, string> {
  // Entries, because a header may be named `__proto__`.
  const entries = Object.entries(response.headersDistinct).map(([name, values = []]) => [name, values.join(', ')]);
  return Object.fromEntries(entries) as Record<string, string>;
}

function timedOut(isConnected: boolean): string {
  return isConnected ? 'The response was not complete in time.' : 'The server could not be reached in time.';
}

function cancelled(): HttpFailure {
  return failed('cancelled', 'The request was cancelled.');
}
