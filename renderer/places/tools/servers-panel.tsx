import { Text, UnstyledButton } from '@mantine/core';
import type { FoundTools } from '../../../shared/api/index.ts';
import { HardDriveDownload } from 'lucide-react';
import { Mark } from '../../ui/mark.tsx';
import { ConnectionsAnchor } from './connections-link.tsx';
import { isOfConnection, meaningOf } from './unavailable.ts';

type Server = FoundTools['servers'][number];

const TYPES: Readonly<Record<Server['type'], string>> = {
  mcp: 'Remote MCP server',
  stdio: 'Local program',
  openapi: 'HTTP API',
};

export interface ServersPanelProps {
  playbook: string;
  servers: readonly Server[];
  chosen: string | undefined;
  onChoose: (server: string | undefined) => void;
}

/** The servers with their number of tools, or why they are unavailable. Pressing one filters the list by it. */
export function ServersPanel({ playbook, servers, chosen, onChoose }: ServersPanelProps) {
  return (
    <ul className="tool-servers">
      {servers.map((server) => (
        <li key={`${server.name} ${server.connection ?? ''}`} data-chosen={server.name === chosen || undefined}>
          <UnstyledButton
            className="tool-server"
            aria-pressed={server.name === chosen}
            onClick={() => onChoose(server.name === chosen ? undefined : server.name)}
          >
            <Text span size="sm" fw={600} style={{ overflowWrap: 'anywhere' }}>
              {server.name}
            </Text>
            <Text span size="xs" c="dimmed">
              {server.connection === undefined ? TYPES[server.type] : `Connection, ${TYPES[server.type]}`}
              {!server.record_content && ', call content not recorded'}
            </Text>
          </UnstyledButton>
          <Text size="xs" component="div">
            {server.tool_count === undefined ? (
              <Unavailable playbook={playbook} server={server} />
            ) : (
              <Mark sense="good">
                {server.tool_count === 1 ? '1 tool' : `${server.tool_count.toLocaleString()} tools`}
              </Mark>
            )}
          </Text>
        </li>
      ))}
    </ul>
  );
}

function Unavailable({ playbook, server }: { playbook: string; server: Server }) {
  const { because, unavailable } = server;
  if (server.installing === true) return <Installing />;
  return (
    <Mark sense={because === 'connection_pending' ? 'warn' : 'bad'}>
      {meaningOf(because)}
      {isOfConnection(because) && (
        <>
          {' '}
          See <ConnectionsAnchor playbook={playbook} />.
        </>
      )}
      {unavailable !== undefined && <span className="tool-server-said">{unavailable}</span>}
    </Mark>
  );
}

export function Installing() {
  return (
    <Mark sense="warn" icon={HardDriveDownload}>
      Installing or starting…
      <span className="tool-server-said">Its package manager is working. The first start can take some minutes.</span>
    </Mark>
  );
}
