// One HTTP request and its answer, over Node's own http and https: they take a look-up of our own, so that addresses
// are checked at connecting; they never follow a redirect; and they need no further package.
//
// 1. An exchange ends: with an answer, past its deadline, when it is cancelled, or when its body passes its bound.
//    Whatever ends it, its connection is given back or destroyed, and its timer is called off.
// 2. `unreachable` means that nothing was sent. Everything else may have reached the server.
// 3. A request that must not be sent twice goes over a connection of its own: a kept one may have been closed by the
//    server meanwhile. GET and HEAD without a body use kept ones, and go once more over a new one when a kept one was
//    gone. A body after a GET may be left unread by the server, which would take it for the next request.
// 4. No failure holds an address, a header or a piece of a body.
import { Agent as PlainAgent, request as plainRequest } from 'node:http';
import { Agent as SecureAgent, request as secureRequest } from 'node:https';
import { type Clock, systemClock } from '../clock.ts';
import { type AllowAddress, checkedLookup, isLiteralRefused } from './addresses.ts';
import { type Bounds, type Connections, exchange, takeStream, takeWhole, UNREAD_BYTES } from './exchange.ts';
import { isPublicAddress } from './public-address.ts';
import {
  failed,
  type HttpAnswer,
  type HttpFailure,
  type HttpRequest,
  type HttpStream,
  isRepeatable,
  type OpenOptions,
  type SendOptions,
} from './request.ts';

export { type AllowAddress, bareHost } from './addresses.ts';
export { createFetch, FetchFailed, type Fetching } from './fetch.ts';
export { isLoopbackAddress, isPublicAddress, networkOf } from './public-address.ts';
export {
  AnswerBroken,
  type FailureCause,
  type HttpAnswer,
  type HttpFailure,
  type HttpRequest,
  type HttpResponse,
  type HttpStream,
  isRepeatable,
  isSetByClient,
  type SendOptions,
} from './request.ts';

const DEADLINE_MS = 30_000;
const MOST_BYTES = 4 * 1024 * 1024;
/** How long an unused connection is kept, in milliseconds. */
const KEEP_MS = 15_000;

export interface HttpClient {
  send(request: HttpRequest, options?: SendOptions): Promise<HttpAnswer>;
  /** As `send`, on a connection of its own, but resolves as soon as the head has arrived: the body is read as a stream. */
  open(request: HttpRequest, options?: OpenOptions): Promise<HttpStream | HttpFailure>;
  /** Ends every connection; exchanges under way fail. */
  close(): void;
}

export interface HttpClientOptions {
  /** Default: every address. */
  allowAddress?: AllowAddress;
  clock?: Clock;
}

export function createHttpClient({ allowAddress, clock = systemClock }: HttpClientOptions = {}): HttpClient {
  const lookup = {
    highWaterMark: UNREAD_BYTES,
    ...(allowAddress === undefined ? {} : { lookup: checkedLookup(allowAddress) }),
  };
  const kept = { ...lookup, keepAlive: true, timeout: KEEP_MS };
  const agents = {
    http: { kept: new PlainAgent(kept), own: new PlainAgent(lookup) },
    https: { kept: new SecureAgent(kept), own: new SecureAgent(lookup) },
  };

  function connectionsTo(url: URL): { kept: Connections; own: Connections } | undefined {
    if (url.protocol === 'http:') {
      const { kept, own } = agents.http;
      return { kept: { open: plainRequest, agent: kept }, own: { open: plainRequest, agent: own } };
    }
    if (url.protocol !== 'https:') return undefined;
    const { kept, own } = agents.https;
    return { kept: { open: secureRequest, agent: kept }, own: { open: secureRequest, agent: own } };
  }

  type Prepared = { connections: { kept: Connections; own: Connections }; bounds: Bounds };

  function prepare(
    { url }: HttpRequest,
    { deadline = DEADLINE_MS, maxBytes = MOST_BYTES, signal }: SendOptions,
  ): Prepared | HttpFailure {
    const connections = connectionsTo(url);
    if (connections === undefined) return failed('unreachable', 'The address is neither http nor https.');
    if (allowAddress !== undefined && isLiteralRefused(url, allowAddress)) {
      return failed('unreachable', 'Connections to the address of the server are not allowed.');
    }
    return { connections, bounds: { until: clock.elapsed() + deadline, maxBytes, signal, clock } };
  }

  return {
    async send(request, options = {}) {
      const prepared = prepare(request, options);
      if ('kind' in prepared) return prepared;
      const { connections, bounds } = prepared;
      if (!isRepeatable(request.method) || request.body !== undefined) {
        return exchange(request, connections.own, bounds, takeWhole).answer;
      }
      const first = exchange(request, connections.kept, bounds, takeWhole);
      const answer = await first.answer;
      return first.wasGone() ? exchange(request, connections.own, bounds, takeWhole).answer : answer;
    },
    async open(request, options = {}) {
      const prepared = prepare(request, options);
      if ('kind' in prepared) return prepared;
      return exchange(request, prepared.connections.own, prepared.bounds, takeStream).answer;
    },
    close() {
      for (const { kept, own } of [agents.http, agents.https]) {
        kept.destroy();
        own.destroy();
      }
    },
  };
}

/** A client that its user does not close. */
export type HttpSender = Pick<HttpClient, 'send'>;

export interface Egress {
  /** @param isListed whether the operator listed the host of a URL, so that it may resolve to any address */
  senderFor(isListed: (url: URL) => boolean): HttpSender;
  close(): void;
}

/**
 * Clients for addresses that callers or documents name.
 *
 * 1. Addresses are checked after the name is resolved, and the checked address is the one that is connected to.
 * 2. Every host may resolve to an address that `isOpenToAll` accepts, by default the public ones. Other addresses are
 *    reached only for hosts that the operator listed, over connections that no other request uses.
 * 3. Redirects are not followed.
 */
export function createEgress(clock: Clock, isOpenToAll: (address: string) => boolean = isPublicAddress): Egress {
  const listed = createHttpClient({ clock, allowAddress: () => true });
  const unlisted = createHttpClient({ clock, allowAddress: (_host, address) => isOpenToAll(address) });
  return {
    senderFor: (isListed) => ({
      send: (request, options) => (isListed(request.url) ? listed : unlisted).send(request, options),
    }),
    close() {
      listed.close();
      unlisted.close();
    },
  };
}
