// Connects a stdio session to the runtime, with one MCP client over HTTP at a time.
//
// 1. If the runtime stops, it is found or started again, at whatever address it then has.
// 2. A request that was certainly not received is sent again. A request that may have been received is sent again only
//    if it is idempotent; otherwise the agent learns that the outcome is unknown.
// 3. A call whose response is interrupted fails: the client library would wait forever.
import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type CallToolResult,
  Client,
  type ListResourcesResult,
  type ListResourceTemplatesResult,
  type ListToolsResult,
  type ReadResourceResult,
  type RequestOptions as ClientRequestOptions,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { assertNever } from '../../../../shared/assert-never.ts';
import type { Credential } from '../credential.ts';

/** The name and version that the stdio client sent. */
export interface ClientInfo {
  name: string;
  version: string;
}

export interface UpstreamOptions {
  /** Finds the endpoint, and starts a runtime if none is running. */
  locate: () => Promise<URL>;
  /** For a published server. */
  credential: Credential;
  /** Called when the tools may have changed. */
  toolsChanged: () => void;
}

interface RequestOptions {
  signal: AbortSignal;
  onprogress?: (progress: { progress: number; total?: number | undefined; message?: string | undefined }) => void;
  /** Whether the request is idempotent; false if that is unknown. */
  mayRepeat: () => Promise<boolean>;
}

export interface Upstream {
  /** @throws LostError if it is unknown whether the request took effect */
  request<M extends Method>(
    introduced: ClientInfo,
    request: { method: M; params?: Record<string, unknown> },
    options: RequestOptions,
  ): Promise<Answers[M]>;
  close(): Promise<void>;
}

interface Answers {
  'tools/list': ListToolsResult;
  'tools/call': CallToolResult;
  'resources/list': ListResourcesResult;
  'resources/templates/list': ListResourceTemplatesResult;
  'resources/read': ReadResourceResult;
}
type Method = keyof Answers;

/** The runtime stopped during a request. */
export class LostError extends Error {}

const REVISION = '2026-07-28';
/** The longest delay of a timer: the caller decides how long a call may take. */
const NO_TIMEOUT = 2 ** 31 - 1;
const TRIES = 3;

type Failure = 'not_received' | 'lost' | 'answered';

export function createUpstream(options: UpstreamOptions): Upstream {
  const current = new AsyncLocalStorage<() => void>();
  let connecting: Promise<Client> | undefined;
  let connected: Client | undefined;

  /** Adds the credential, and reports the end of the response: the client library waits forever for an interrupted one. */
  const watchedFetch: typeof fetch = async (input, init) => {
    const ended = current.getStore();
    const headers = new Headers(init?.headers);
    const presented = await options.credential();
    if (presented !== undefined) headers.set('authorization', `Bearer ${presented}`);
    // The service never redirects. Another server could send a call to one that trusts this machine.
    const response = await fetch(input, { ...init, headers, redirect: 'error' });
    if (response.body === null || ended === undefined) return response;
    return new Response(watched(response.body, ended), { status: response.status, headers: response.headers });
  };

  async function connect(introduced: ClientInfo): Promise<Client> {
    const client = new Client(introduced, { versionNegotiation: { mode: { pin: REVISION } } });
    client.setNotificationHandler('notifications/tools/list_changed', () => options.toolsChanged());
    await client.connect(new StreamableHTTPClientTransport(await options.locate(), { fetch: watchedFetch }));
    connected = client;
    void listen(client);
    return client;
  }

  /** Subscribes to tool changes. The subscription also keeps the runtime from being idle. */
  async function listen(client: Client): Promise<void> {
    try {
      const subscription = await client.listen({ toolsListChanged: true });
      if ((await subscription.closed) !== 'local') forget(client);
    } catch {
      forget(client);
    }
  }

  /** Several requests may notice that the runtime stopped; only the client that failed is dropped, not its successor. */
  function forget(client: Client): void {
    if (client !== connected) return;
    connected = undefined;
    connecting = undefined;
  }

  async function clientFor(introduced: ClientInfo): Promise<Client> {
    connecting ??= connect(introduced);
    const known = connecting;
    try {
      return await known;
    } catch (error) {
      if (connecting === known) connecting = undefined;
      throw error;
    }
  }

  return {
    async request(introduced, request, { signal, onprogress, mayRepeat }) {
      for (let tries = 1; ; tries += 1) {
        const broken = new AbortController();
        let client: Client | undefined;
        try {
          client = await clientFor(introduced);
          const send = sender(client, request);
          const lost = (): void => broken.abort(new LostError());
          return await current.run(lost, () =>
            send({
              signal: AbortSignal.any([signal, broken.signal]),
              timeout: NO_TIMEOUT,
              ...(onprogress === undefined ? {} : { onprogress }),
            }),
          );
        } catch (error) {
          const failure = signal.aborted ? 'answered' : failureOf(error, broken.signal.aborted, client === undefined);
          if (failure === 'answered') throw error;
          if (client !== undefined) forget(client);
          switch (failure) {
            case 'not_received':
              if (tries >= TRIES) throw error;
              break;
            case 'lost':
              if (tries >= TRIES || !(await mayRepeat().catch(() => false))) throw new LostError();
              break;
            default:
              assertNever(failure);
          }
        }
      }
    },
    async close() {
      await connected?.close();
    },
  };
}

/** Sends a request unchanged: the session's client does its own checks. */
function sender<M extends Method>(
  client: Client,
  request: { method: M; params?: Record<string, unknown> },
): (options: ClientRequestOptions) => Promise<Answers[M]> {
  // The library's types take one method, not a union.
  const send = client.request.bind(client) as (asked: object, options: ClientRequestOptions) => Promise<unknown>;
  return async (options) => (await send(request, options)) as Answers[M];
}

/** The same stream; calls `ended` after it has ended and its last chunk could be read. */
function watched(body: ReadableStream<Uint8Array>, ended: () => void): ReadableStream<Uint8Array> {
  const reader = body.getReader();
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        controller.close();
      } catch (error) {
        controller.error(error);
      }
      setImmediate(ended);
    },
    cancel: (reason) => reader.cancel(reason),
  });
}

/** Classifies the failure of a request. @param isConnecting whether the request was never sent */
function failureOf(error: unknown, isBroken: boolean, isConnecting: boolean): Failure {
  if (isBroken || error instanceof LostError) return isConnecting ? 'not_received' : 'lost';
  const codes = codesOf(error);
  if (codes.includes('ECONNREFUSED')) return 'not_received';
  const isNetwork = codes.some((code) => /^(ECONNRESET|EPIPE|UND_ERR_\w+)$/.test(code));
  if (!isNetwork) return 'answered';
  return isConnecting ? 'not_received' : 'lost';
}

function codesOf(error: unknown): string[] {
  const codes: string[] = [];
  for (let one = error; one instanceof Error; one = one.cause) {
    if ('code' in one && typeof one.code === 'string') codes.push(one.code);
  }
  return codes;
}
