// Where each client configures its MCP servers, and in which form.
import os from 'node:os';
import path from 'node:path';
import type { JsonObject } from '../../../shared/json.ts';
import type { LaunchCommand } from './launch.ts';

export interface McpClient {
  /** Its display name. */
  title: string;
  /** Its configuration file. */
  file: (where: ClientEnvironment) => string;
  /** The member of the file that holds servers by name. */
  member: string;
  entry: (launch: LaunchCommand) => JsonObject;
  /** An address that makes the client ask whether to add the server, where it knows such addresses. */
  link?: (name: string, launch: LaunchCommand) => string;
  /** What to do after the file has been written. */
  then: string;
}

export interface ClientEnvironment {
  platform: NodeJS.Platform;
  home: string;
  folder: string;
  environment: Readonly<Record<string, string | undefined>>;
}

const plain = ({ command, args, environment }: LaunchCommand): JsonObject => ({
  command,
  args: [...args],
  ...(Object.keys(environment).length === 0 ? {} : { env: { ...environment } }),
});
const typed = (launch: LaunchCommand): JsonObject => ({ type: 'stdio', ...plain(launch) });

export const CLIENTS: Readonly<Record<string, McpClient>> = {
  'claude-desktop': {
    title: 'Claude Desktop',
    file: (where) => path.join(applicationFolder(where), 'Claude', 'claude_desktop_config.json'),
    member: 'mcpServers',
    entry: plain,
    then: 'Quit Claude Desktop and open it again.',
  },
  'claude-code': {
    title: 'Claude Code',
    file: ({ folder }) => path.join(folder, '.mcp.json'),
    member: 'mcpServers',
    entry: typed,
    then: 'Run `claude` in the folder of this file and approve the server when asked. `/mcp` then lists it.',
  },
  cursor: {
    title: 'Cursor',
    file: ({ home }) => path.join(home, '.cursor', 'mcp.json'),
    member: 'mcpServers',
    entry: plain,
    link: (name, launch) =>
      `cursor://anysphere.cursor-deeplink/mcp/install?${new URLSearchParams({
        name,
        config: Buffer.from(JSON.stringify(plain(launch))).toString('base64'),
      }).toString()}`,
    then: 'Turn the server on under Settings, MCP.',
  },
  vscode: {
    title: 'VS Code',
    file: ({ folder }) => path.join(folder, '.vscode', 'mcp.json'),
    member: 'servers',
    entry: typed,
    link: (name, launch) => `vscode:mcp/install?${encodeURIComponent(JSON.stringify({ name, ...typed(launch) }))}`,
    then: 'Open the folder of this file in VS Code. Start the server from the file, or with `MCP: List Servers`.',
  },
};

export function clientEnvironment(): ClientEnvironment {
  return { platform: process.platform, home: os.homedir(), folder: process.cwd(), environment: process.env };
}

/** The folder in which the platform stores the settings of applications. */
function applicationFolder({ platform, home, environment }: ClientEnvironment): string {
  if (platform === 'darwin') return path.join(home, 'Library', 'Application Support');
  if (platform === 'win32') return environment['APPDATA'] ?? path.join(home, 'AppData', 'Roaming');
  return environment['XDG_CONFIG_HOME'] ?? path.join(home, '.config');
}
