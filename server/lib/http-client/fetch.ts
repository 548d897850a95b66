// `fetch` for libraries that bring their own requests and read answers while they come.
//
// 1. As in the client, the address that a name stands for is looked at, and no redirect is followed.
// 2. Bodies are passed on as they come: neither unpacked nor bounded here.
// 3. Connections are kept for the next request until `close`, for as long as a conversation lasts.
import { Agent as PlainAgent, type IncomingMessage, request as plainRequest } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import { KIB } from '../../../shared/product.ts';
import { type AllowAddress, bareHost, checkedLookup, isLiteralRefused } from './addresses.ts';
import { boundInterim, UNREAD_BYTES, whenConnected } from './exchange.ts';
import { piecesOf } from './read-body.ts';
import { answerFailure, connectionFailure } from './reasons.ts';
import { failed, type HttpFailure } from './request.ts';

/** There is no answer. */
export class FetchFailed extends Error {
  readonly failure: HttpFailure;

  constructor(failure: HttpFailure) {
    super(failure.detail);
    this.name = 'FetchFailed';
    this.failure = failure;
  }
}

export interface Fetching {
  /** Takes a text as the body. @throws FetchFailed, or the signal's reason */
  fetch: (url: string | URL, init?: RequestInit) => Promise<Response>;
  /** Ends every connection; answers under way break off. */
  close: () => void;
}

/** @param allowAddress default: every address */
export function createFetch({ allowAddress }: { allowAddress?: AllowAddress } = {}): Fetching {
  const kept = {
    highWaterMark: UNREAD_BYTES,
    keepAlive: true,
    ...(allowAddress === undefined ? {} : { lookup: checkedLookup(allowAddress) }),
  };
  const plain = new PlainAgent(kept);
  const secure = new SecureAgent(kept);
  return {
    async fetch(address, init = {}) {
      const url = new URL(address);
      if (allowAddress !== undefined && isLiteralRefused(url, allowAddress)) {
        throw new FetchFailed(failed('unreachable', 'Connections to the address of the server are not allowed.'));
      }
      const message = await open(url, init, url.protocol === 'https:' ? secure : plain);
      try {
        return toResponse(message);
      } catch {
        message.destroy();
        throw new FetchFailed(failed('unreadable', 'The response has a status or a header that HTTP does not allow.'));
      }
    },
    close() {
      plain.destroy();
      secure.destroy();
    },
  };
}

async function open(
  url: URL,
  { method = 'GET', headers, body, signal }: RequestInit,
  agent: PlainAgent,
): Promise<IncomingMessage> {
  signal?.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  const sent = (agent instanceof SecureAgent ? secureRequest : plainRequest)({
    method,
    protocol: url.protocol,
    hostname: bareHost(url),
    port: url.port,
    path: `${url.pathname}${url.search}`,
    headers: { ...Object.fromEntries(new Headers(headers)), 'accept-encoding': 'identity' },
    agent,
  });
  // As an option, Node would bind the signal to the connection too, which may be serving another request by then.
  const abort = (): void => void sent.destroy();
  signal?.addEventListener('abort', abort, { once: true });
  sent.once('close', () => signal?.removeEventListener('abort', abort));
  let isConnected = false;
  sent.on('socket', (socket) => {
    whenConnected(socket, sent.reusedSocket, () => {
      isConnected = true;
    });
  });
  boundInterim(sent);
  sent.on('response', resolve);
  // Stays for what a destroyed connection says afterwards.
  sent.on('error', (error) => {
    if (signal?.aborted === true) return reject(signal.reason as Error);
    reject(new FetchFailed(isConnected ? answerFailure(error) : connectionFailure(error)));
  });
  sent.end(typeof body === 'string' ? body : undefined);
  return promise;
}

function toResponse(message: IncomingMessage): Response {
  const status = message.statusCode ?? 0;
  const headers = new Headers();
  for (const [name, values = []] of Object.entries(message.headersDistinct)) {
    for (const value of values) headers.append(name, value);
  }
  const isEmpty = status === 204 || status === 205 || status === 304;
  if (isEmpty) message.resume();
  const body = isEmpty ? null : bodyOf(message);
  return new Response(body, { status, headers });
}

/** Read ahead, so that a small body which nobody reads still frees its connection. */
const READ_AHEAD_BYTES = 64 * KIB;

/** Each piece is all that has come meanwhile. `Readable.toWeb` makes a piece of each HTTP chunk, which may be one byte. */
function bodyOf(message: IncomingMessage): ReadableStream<Uint8Array> {
  // Stays for what an aborted request says when its body is no longer read.
  message.on('error', () => undefined);
  const pieces = piecesOf(message);
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next();
        if (done === true) controller.close();
        else controller.enqueue(value);
      },
      cancel: () => void message.destroy(),
    },
    new ByteLengthQueuingStrategy({ highWaterMark: READ_AHEAD_BYTES }),
  );
}
