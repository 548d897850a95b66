// Tool servers that people added. What they may reach, and what they send to show who calls, is known when they are used.
//
// 1. Each opening makes the connection ready first: what is not ready is refused before anything is sent.
// 2. A connector serves as long as what it sends is the same; another credential or token makes another one.
// 3. Every request goes out by the connection's own way.
import type { Clock } from '../kernel/clock.ts';
import { createScrubber, type Scrubber } from '../kernel/scrub/index.ts';
import type { ToolServer } from '../settings/index.ts';
import { createOpenApiConnector } from './openapi/connector.ts';
import { type Connector, ServerFault } from './server.ts';
import type { WayOut } from './way-out.ts';

type HttpServer = Exclude<ToolServer, { type: 'stdio' }>;

/** What a connection that may be used sends beside its entry. */
export interface ReadyConnection {
  headers: Readonly<Record<string, string>>;
  queryParams: Readonly<Record<string, string>>;
  security?: { scheme: string; value: string };
}

/** Has a secret scrubbed from all that is said from now on. */
export type Learn = (secret: string) => void;

export interface ConnectedServer {
  /** The connection's id. */
  id: string;
  /** Without its credential. */
  entry: HttpServer;
  way: WayOut;
  /**
   * @param learn is told each secret before it is sent anywhere
   * @throws ServerFault where it may not be used, or its credential cannot be had
   */
  ready: (learn: Learn) => Promise<ReadyConnection>;
  /** The server refused the credential. */
  refused: () => void;
}

export interface Connected {
  /** Those of all orgs; the same list as long as they are the same. */
  servers: () => readonly ConnectedServer[];
  /** Whether people may add one. */
  mayBeAdded: () => boolean;
}

/** A connector, and the scrubber of what the connection sends now and sent before. */
export function createConnectedConnector(
  server: ConnectedServer,
  clock: Clock,
): { connector: Connector; scrubber: Scrubber } {
  let current: { sends: string; connector: Connector } | undefined;
  let secrets: readonly string[] = [];
  let scrub = createScrubber([]);

  function learn(secret: string): void {
    const isKnown = secrets.includes(secret);
    // What was sent before may still stand in what the server says; a few of them are enough.
    secrets = [...new Set([secret, ...secrets])].slice(0, MOST_SECRETS);
    if (!isKnown) scrub = createScrubber(secrets);
  }

  async function connectorNow(): Promise<Connector> {
    const make = await makerOf(server, clock);
    const ready = await server.ready(learn);
    const sends = JSON.stringify(ready);
    if (current?.sends === sends) return current.connector;
    void current?.connector.close().catch(() => undefined);
    const connector = make(ready);
    current = { sends, connector };
    return connector;
  }

  /** The work; that the server refused the credential is told. */
  async function heard<T>(work: Promise<T>): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (error instanceof ServerFault && error.because === 'key_refused') server.refused();
      throw error;
    }
  }

  return {
    scrubber: {
      text: (value) => scrub.text(value),
      json: (value) => scrub.json(value),
      bytes: (value) => scrub.bytes(value),
    },
    connector: {
      async open(signal) {
        const connector = await connectorNow();
        await server.way.check(addressOf(server.entry));
        const connection = await heard(connector.open(signal));
        return {
          ...connection,
          list: (until) => heard(connection.list(until)),
          async call(tool, args, until) {
            const end = await connection.call(tool, args, until);
            if (end.kind === 'failed' && end.isKeyRefused === true) server.refused();
            return end;
          },
        };
      },
      async close() {
        await current?.connector.close();
      },
    },
  };
}

const MOST_SECRETS = 8;

function addressOf(entry: HttpServer): URL {
  if (entry.type === 'mcp') return entry.url;
  if (typeof entry.document !== 'string') return entry.document;
  throw new ServerFault('connection_not_allowed', 'Its OpenAPI document is a file of this machine.');
}

/** The MCP client is large, and is loaded at need. Everything that is waited for has come when a connector is made. */
async function makerOf({ entry, way }: ConnectedServer, clock: Clock): Promise<(ready: ReadyConnection) => Connector> {
  const sent = ({ headers, queryParams }: ReadyConnection) => ({
    headers: { ...entry.headers, ...headers },
    queryParams: { ...entry.queryParams, ...queryParams },
  });
  if (entry.type === 'mcp') {
    const { createRemoteConnector } = await import('./mcp/remote.ts');
    return (ready) => createRemoteConnector({ ...entry, ...sent(ready) }, clock, way.allowAddress(entry.url));
  }
  return (ready) => {
    const security = ready.security === undefined ? {} : { security: ready.security };
    return createOpenApiConnector({ ...entry, ...sent(ready), ...security }, clock, way);
  };
}
