// The way from a stdio session to the runtime that answers it: one MCP client over HTTP at a time.
//
// 1. A runtime that has gone away is found or started again, at whatever address it then has.
// 2. What was surely not received is sent again. What may have been received is sent again only where doing it twice
//    is doing it once; else the agent is told that nobody knows.
// 3. A call whose answer breaks off ends: the client would wait for a stream that never comes back.
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

/** Who speaks to us over stdio, as it introduced itself. */
export interface Introduced {
  name: string;
  version: string;
}

export interface UpstreamOptions {
  /** Finds the endpoint, and starts a runtime where none lives. */
  locate: () => Promise<URL>;
  /** An API key, for a published server. */
  key: string | undefined;
  /** Called when the tools may have changed. */
  toolsChanged: () => void;
}

interface RequestOptions {
  signal: AbortSignal;
  onprogress?: (progress: { progress: number; total?: number | undefined; message?: string | undefined }) => void;
  /** Whether doing it twice is doing it once. Where that cannot be found out, it is not. */
  mayRepeat: () => Promise<boolean>;
}

export interface Upstream {
  /** @throws LostError when nobody knows whether it was done */
  request<M extends Method>(
    introduced: Introduced,
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

/** The runtime went away while it worked on a request. */
export class LostError extends Error {}

const REVISION = '2026-07-28';
/** The longest wait that a timer knows: how long a call may take is the caller's to say. */
const NO_TIMEOUT = 2 ** 31 - 1;
const TRIES = 3;

type Failure = 'not_received' | 'lost' | 'told';

export function createUpstream(options: UpstreamOptions): Upstream {
  const current = new AsyncLocalStorage<() => void>();
  let connecting: Promise<Client> | undefined;
  let connected: Client | undefined;

  /** As fetch, but an answer that ends is told to whoever asked: one that broke off would be waited for for ever. */
  const watchedFetch: typeof fetch = async (input, init) => {
    const ended = current.getStore();
    const response = await fetch(input, init);
    if (response.body === null || ended === undefined) return response;
    const { status, headers } = response;
    return new Response(watched(response.body, ended), { status, headers });
  };

  async function connect(introduced: Introduced): Promise<Client> {
    const client = new Client(introduced, { versionNegotiation: { mode: { pin: REVISION } } });
    client.setNotificationHandler('notifications/tools/list_changed', () => options.toolsChanged());
    const authorization = options.key === undefined ? {} : { authorization: `Bearer ${options.key}` };
    const requestInit = { headers: authorization };
    await client.connect(
      new StreamableHTTPClientTransport(await options.locate(), { fetch: watchedFetch, requestInit }),
    );
    connected = client;
    void listen(client);
    return client;
  }

  /** Hears of changed tools for as long as the runtime lives. While it does, the runtime has a client. */
  async function listen(client: Client): Promise<void> {
    try {
      const subscription = await client.listen({ toolsListChanged: true });
      if ((await subscription.closed) !== 'local') forget(client);
    } catch {
      forget(client);
    }
  }

  /** Several find out that the runtime has gone away; the next one to connect is nobody's to forget. */
  function forget(client: Client): void {
    if (client !== connected) return;
    connected = undefined;
    connecting = undefined;
  }

  async function clientFor(introduced: Introduced): Promise<Client> {
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
          const failure = signal.aborted ? 'told' : failureOf(error, broken.signal.aborted, client === undefined);
          if (failure === 'told') throw error;
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

/** Sends a request as it is: what the session's client wants checked, it checks itself. */
function sender<M extends Method>(
  client: Client,
  request: { method: M; params?: Record<string, unknown> },
): (options: ClientRequestOptions) => Promise<Answers[M]> {
  // The library knows one method at a time, and not a choice of them.
  const send = client.request.bind(client) as (asked: object, options: ClientRequestOptions) => Promise<unknown>;
  return async (options) => (await send(request, options)) as Answers[M];
}

/** The same stream. When it has ended, and whoever reads it has had the time to take its last word, `ended` is called. */
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

/** What became of a request that was not answered. @param isConnecting whether it was never sent */
function failureOf(error: unknown, isBroken: boolean, isConnecting: boolean): Failure {
  if (isBroken || error instanceof LostError) return isConnecting ? 'not_received' : 'lost';
  const codes = codesOf(error);
  if (codes.includes('ECONNREFUSED')) return 'not_received';
  const isNetwork = codes.some((code) => /^(ECONNRESET|EPIPE|UND_ERR_\w+)$/.test(code));
  if (!isNetwork) return 'told';
  return isConnecting ? 'not_received' : 'lost';
}

function codesOf(error: unknown): string[] {
  const codes: string[] = [];
  for (let one = error; one instanceof Error; one = one.cause) {
    if ('code' in one && typeof one.code === 'string') codes.push(one.code);
  }
  return codes;
}
