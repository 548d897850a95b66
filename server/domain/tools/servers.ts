// The tool servers of the configuration, and those that people added, as they run. A server whose entry changed is
// another server: the old one is ended once the configuration in force says so.
import type { Logger } from 'pino';
import type { Clock } from '../../lib/clock.ts';
import type { TextWork } from '../../lib/text-work/index.ts';
import type { PlaybookKey } from '../../kernel/log/index.ts';
import type { Scrubber } from '../../lib/scrub/index.ts';
import { type Mode, servesPlaybook, type ToolServer } from '../../settings/index.ts';
import { compareNames } from './tool-names.ts';
import { type ConnectedServers, type ConnectedServer, createConnectedConnector } from './connected.ts';
import { createOpenApiConnector } from './openapi/connector.ts';
import { RunningServer, scrubberOf } from './running-server.ts';
import { type Connector, ServerFault } from './server.ts';

export interface Servers {
  /** Those whose entries serve the playbook, by name. */
  ofPlaybook: (playbookKey: PlaybookKey) => RunningServer[];
  /** Those whose entries serve any playbook of the org, by name. */
  ofOrg: (org: string) => RunningServer[];
  close: () => Promise<void>;
}

export interface ServersOptions {
  toolServers: () => readonly ToolServer[];
  /** Those that people added. */
  connections?: Pick<ConnectedServers, 'servers' | 'onRemoved'>;
  mode: Mode;
  version: string;
  textWork: TextWork;
  clock: Clock;
  logger: Pick<Logger, 'debug' | 'warn' | 'isLevelEnabled'>;
}

export function createServers(options: ServersOptions): Servers {
  let entries: readonly ToolServer[] = [];
  let connected: readonly ConnectedServer[] = [];
  let running = new Map<string, RunningServer>();

  function current(): RunningServer[] {
    const now = options.toolServers();
    const connectedNow = options.connections?.servers() ?? connected;
    if (now !== entries || connectedNow !== connected) {
      entries = now;
      connected = connectedNow;
      const next = new Map<string, () => RunningServer>([
        ...now.map((entry) => [keyOf(entry), () => start(entry, options)] as const),
        ...connected.map((one) => [one.id, () => startConnected(one, options)] as const),
      ]);
      for (const [key, server] of running) if (!next.has(key)) endQuietly(server);
      running = new Map([...next].map(([key, make]) => [key, running.get(key) ?? make()]));
    }
    // A server of the configuration stands in front of connections of its name.
    return [...running.values()].toSorted((a, b) => compareNames(orderOf(a), orderOf(b)));
  }

  options.connections?.onRemoved(() => void current());

  return {
    ofPlaybook: (playbookKey) => current().filter(({ entry }) => servesPlaybook(entry, playbookKey, options.mode)),
    ofOrg: (org) => current().filter(({ entry }) => servesOrg(entry, org, options.mode)),
    async close() {
      await Promise.all([...running.values()].map((server) => server.close()));
    },
  };
}

function servesOrg(entry: ToolServer, org: string, mode: Mode): boolean {
  const playbooks = entry.playbooks ?? ['*'];
  return playbooks.some((playbook) => servesPlaybook(entry, { org, playbook }, mode));
}

function keyOf(entry: ToolServer): string {
  return JSON.stringify(entry);
}

function orderOf({ entry, connectionId = '' }: RunningServer): string {
  return `${entry.name} ${connectionId}`;
}

function startConnected(connected: ConnectedServer, options: ServersOptions): RunningServer {
  const { clock, logger } = options;
  const { connector, scrubber } = createConnectedConnector(connected, options);
  return new RunningServer({
    entry: connected.entry,
    connectionId: connected.id,
    clock,
    logger,
    scrubber,
    connector,
  });
}

function endQuietly(server: RunningServer): void {
  server.close().catch(() => undefined);
}

function start(entry: ToolServer, options: ServersOptions): RunningServer {
  const scrubber = scrubberOf(entry);
  const server: RunningServer = new RunningServer({
    entry,
    clock: options.clock,
    logger: options.logger,
    scrubber,
    connector: connectorOf(entry, options, scrubber, () => server.forgetListing()),
  });
  return server;
}

function connectorOf(
  entry: ToolServer,
  { textWork, clock, logger, version }: ServersOptions,
  scrubber: Scrubber,
  onToolsChanged: () => void,
): Connector {
  const { fault } = entry;
  if (fault !== undefined)
    return { open: () => Promise.reject(new ServerFault('failing', fault)), close: async () => {} };
  switch (entry.type) {
    case 'stdio':
      return loadedAtNeed(async () => {
        const { StdioConnector } = await import('./mcp/stdio.ts');
        return new StdioConnector(entry, { clock, logger, version, textWork, scrub: scrubber.text, onToolsChanged });
      });
    case 'mcp':
      return loadedAtNeed(async () =>
        (await import('./mcp/remote.ts')).createRemoteConnector(entry, { clock, logger, version, textWork }),
      );
    case 'openapi':
      return createOpenApiConnector(entry, { clock, textWork });
  }
}

/** The MCP client is large, and a start without MCP servers should not wait for it. */
function loadedAtNeed(load: () => Promise<Connector>): Connector {
  let loaded: Promise<Connector> | undefined;
  let connector: Connector | undefined;
  return {
    async open(signal) {
      loaded ??= load();
      connector = await loaded;
      return connector.open(signal);
    },
    opening: () => connector?.opening?.(),
    async close() {
      await (await loaded)?.close();
    },
  };
}
