// The tool servers of the configuration as they run. A server whose entry changed is another server: the old one is
// ended once the configuration in force says so.
import type { Logger } from 'pino';
import type { Clock } from '../kernel/clock.ts';
import type { Place } from '../kernel/log/index.ts';
import type { Scrubber } from '../kernel/scrub/index.ts';
import { servesPlace, type ToolServer } from '../settings/index.ts';
import { createOpenApiConnector } from './openapi/connector.ts';
import { createRunningServer, type RunningServer, scrubberOf } from './running-server.ts';
import type { Connector } from './server.ts';

export interface Servers {
  /** Those whose entries serve the playbook, by name. */
  ofPlaybook: (place: Place) => RunningServer[];
  /** Those whose entries serve any playbook of the org, by name. */
  ofOrg: (org: string) => RunningServer[];
  close: () => Promise<void>;
}

export interface ServersOptions {
  toolServers: () => readonly ToolServer[];
  mode: 'local' | 'published';
  clock: Clock;
  logger: Pick<Logger, 'debug' | 'warn'>;
}

export function createServers(options: ServersOptions): Servers {
  let entries: readonly ToolServer[] = [];
  let running = new Map<string, RunningServer>();

  function current(): RunningServer[] {
    const now = options.toolServers();
    if (now !== entries) {
      entries = now;
      const next = new Map(now.map((entry) => [keyOf(entry), entry]));
      for (const [key, server] of running) if (!next.has(key)) endQuietly(server);
      running = new Map([...next].map(([key, entry]) => [key, running.get(key) ?? start(entry, options)]));
    }
    return [...running.values()].toSorted((a, b) => (a.entry.name < b.entry.name ? -1 : 1));
  }

  return {
    ofPlaybook: (place) => current().filter(({ entry }) => servesPlace(entry, place, options.mode)),
    ofOrg: (org) => current().filter(({ entry }) => servesOrg(entry, org, options.mode)),
    async close() {
      await Promise.all([...running.values()].map((server) => server.close()));
    },
  };
}

function servesOrg(entry: ToolServer, org: string, mode: ServersOptions['mode']): boolean {
  const playbooks = entry.playbooks ?? ['*'];
  return playbooks.some((playbook) => servesPlace(entry, { org, playbook }, mode));
}

function keyOf(entry: ToolServer): string {
  return JSON.stringify(entry);
}

function endQuietly(server: RunningServer): void {
  server.close().catch(() => undefined);
}

function start(entry: ToolServer, options: ServersOptions): RunningServer {
  const scrubber = scrubberOf(entry);
  const server: RunningServer = createRunningServer({
    entry,
    clock: options.clock,
    scrubber,
    connector: connectorOf(entry, options, scrubber, () => server.forgetListing()),
  });
  return server;
}

function connectorOf(
  entry: ToolServer,
  { clock, logger }: ServersOptions,
  scrubber: Scrubber,
  onToolsChanged: () => void,
): Connector {
  switch (entry.type) {
    case 'stdio':
      return loadedAtNeed(async () => {
        const { createStdioConnector } = await import('./mcp/stdio.ts');
        return createStdioConnector(entry, { clock, logger, scrub: scrubber.text, onToolsChanged });
      });
    case 'mcp':
      return loadedAtNeed(async () => (await import('./mcp/remote.ts')).createRemoteConnector(entry, clock));
    case 'openapi':
      return createOpenApiConnector(entry, clock);
  }
}

/** The MCP client is large, and a start without MCP servers should not wait for it. */
function loadedAtNeed(load: () => Promise<Connector>): Connector {
  let loaded: Promise<Connector> | undefined;
  return {
    async open(signal) {
      loaded ??= load();
      return (await loaded).open(signal);
    },
    async close() {
      await (await loaded)?.close();
    },
  };
}
