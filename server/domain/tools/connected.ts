// Tool servers that people added. What they may reach, and what they send to show who calls, is known when they are used.
//
// 1. Each opening makes the connection ready first: what is not ready is refused before anything is sent.
// 2. One connector serves a connection whatever its token is now: documents and what was found out of a server are kept.
// 3. Every request follows the egress policy of its connection.
import { createScrubber, type Scrubber } from '../../lib/scrub/index.ts';
import type { ToolServer } from '../../settings/index.ts';
import type { RemoteOptions } from './mcp/remote.ts';
import { createOpenApiConnector } from './openapi/connector.ts';
import { type Connector, ServerFault } from './server.ts';
import type { EgressPolicy, CallerCredential } from './connection-requests.ts';

type HttpServer = Exclude<ToolServer, { type: 'stdio' }>;

/** Scrubs a secret from everything that is returned from now on. */
export type AddSecret = (secret: string) => void;

export interface ConnectedServer {
  /** The connection's id. */
  id: string;
  /** Without its credential. */
  entry: HttpServer;
  egress: EgressPolicy;
  /**
   * @param learn called with each secret before it is sent
   * @throws ServerFault where it may not be used, or its credential cannot be had
   */
  ready: (learn: AddSecret) => Promise<ConnectionCredential>;
}

/** What is sent to show who calls. */
export interface ConnectionCredential {
  sent: CallerCredential;
  /** The server refused it; absent where nothing else can be sent then. */
  refused?: () => void;
}

export interface ConnectedServers {
  /** Those of all orgs; the same list as long as they are the same. */
  servers: () => readonly ConnectedServer[];
  /** Whether people may add one. */
  mayBeAdded: () => boolean;
  /** Called when a connection is removed, so that everything cached for it is released. */
  onRemoved: (notify: () => void) => void;
}

type ConnectorParts = Pick<RemoteOptions, 'clock' | 'logger' | 'version' | 'textWork'>;

/** A connector, and the scrubber of what the connection sends now and sent before. */
export function createConnectedConnector(
  server: ConnectedServer,
  { clock, logger, textWork, version }: ConnectorParts,
): { connector: Connector; scrubber: Scrubber } {
  let shown: ConnectionCredential = { sent: {} };
  let made: Promise<Connector> | undefined;
  let secrets: readonly string[] = [];
  let scrub = createScrubber([]);

  function learn(secret: string): void {
    const isKnown = secrets.includes(secret);
    secrets = [secret, ...secrets.filter((known) => known !== secret)];
    if (isKnown) return;
    // What was sent before may still stand in what the server says; a few of them are enough. A document may hold
    // whatever was sent before it was read, and goes with the first that is let go: half of them go at once, lest each
    // new one cost a document.
    if (secrets.length > MOST_SECRETS) {
      secrets = secrets.slice(0, FEWEST_SECRETS);
      void close().catch(() => undefined);
    }
    scrub = createScrubber(secrets);
  }

  async function close(): Promise<void> {
    const closing = made;
    made = undefined;
    await (await closing?.catch(() => undefined))?.close();
  }

  /** Runs the work and reports a rejected credential. */
  async function heard<T>(work: Promise<T>, refused: ConnectionCredential['refused']): Promise<T> {
    try {
      return await work;
    } catch (error) {
      if (error instanceof ServerFault && error.because === 'key_refused') refused?.();
      throw error;
    }
  }

  /** The MCP client is large, and is loaded at need. */
  async function makeConnector(sends: () => CallerCredential): Promise<Connector> {
    const { entry, egress } = server;
    if (entry.type === 'openapi') return createOpenApiConnector(entry, { clock, textWork }, { egress, sends });
    const { createRemoteConnector } = await import('./mcp/remote.ts');
    return createRemoteConnector(entry, {
      clock,
      logger,
      version,
      textWork,
      allowAddress: egress.allowAddress(entry.url),
      sends,
    });
  }

  return {
    scrubber: {
      text: (value) => scrub.text(value),
      json: (value) => scrub.json(value),
      bytes: (value) => scrub.bytes(value),
      get parts() {
        return scrub.parts;
      },
    },
    connector: {
      async open(signal) {
        shown = await server.ready(learn);
        await server.egress.check(addressOf(server.entry));
        made ??= makeConnector(() => shown.sent);
        const connector = await made;
        // Another opening may have made it ready again meanwhile; the connector takes what it sends as it opens.
        const { refused } = shown;
        const connection = await heard(connector.open(signal), refused);
        return {
          ...connection,
          list: (until) => heard(connection.list(until), refused),
          async call(tool, args, until) {
            const end = await connection.call(tool, args, until);
            if (end.kind === 'failed' && end.isKeyRefused === true) refused?.();
            return end;
          },
        };
      },
      close,
    },
  };
}

const MOST_SECRETS = 16;
/** How many of them stay when there are more. */
const FEWEST_SECRETS = 8;

function addressOf(entry: HttpServer): URL {
  if (entry.type === 'mcp') return entry.url;
  if (typeof entry.document !== 'string') return entry.document;
  throw new ServerFault('connection_not_allowed', 'Its OpenAPI document is a file on this machine.');
}
