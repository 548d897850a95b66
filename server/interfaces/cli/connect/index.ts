// `cuebook connect`: adds Cuebook to the configuration of an MCP client.
import path from 'node:path';
import {
  CLIENTS,
  type LaunchCommand,
  launchCommand,
  type McpClient,
  serverName,
  clientEnvironment,
} from '../../../domain/agents/index.ts';
import { originOf } from '../attach.ts';
import { misused } from '../failure.ts';
import type { McpOptions } from '../mcp/index.ts';
import { progress, show } from '../output.ts';
import { lookForPlaybook } from '../require-playbook.ts';
import { writeServer } from './write-config.ts';

export interface ConnectOptions extends McpOptions {
  write?: boolean | undefined;
  json?: boolean | undefined;
}

/** Prints the entry for the client's configuration file, or writes it to the file. */
export async function connect(client: string, options: ConnectOptions): Promise<void> {
  const { title, file, member, entry, then } = clientNamed(client);
  const { org, playbook } = options;
  const warning = playbook === undefined ? undefined : await lookForPlaybook(options, { org, playbook });
  if (warning !== undefined) progress(warning);
  const name = serverName(options.playbook);
  const added = entry(launch(options));
  const location = file(clientEnvironment());
  if (options.write !== true) {
    progress(`Add this to ${location} for ${title}, or run the command again with --write. ${then}`);
    const config = { [member]: { [name]: added } };
    show(options, config, () => JSON.stringify(config, null, 2));
    return;
  }
  const written = writeServer(location, { member, name, entry: added });
  show(options, { file: written.file, backup: written.backup ?? null, changed: written.changed }, () =>
    written.changed
      ? `Added the server ${name} to ${written.file}.${written.backup === undefined ? '' : ` The previous version is in ${written.backup}.`} ${then}`
      : `${written.file} already has the server ${name}.`,
  );
}

/** @throws CommandFailure for an unknown client */
export function clientNamed(name: string): McpClient {
  const client = Object.hasOwn(CLIENTS, name) ? CLIENTS[name] : undefined;
  if (client !== undefined) return client;
  throw misused(
    `Unknown client ${JSON.stringify(name)}. The known clients are ${Object.keys(CLIENTS).join(', ')}. For another client, use the configuration that cuebook connect cursor prints, or the HTTP endpoint /mcp.`,
  );
}

function launch({ server, dataDir, org, playbook, read }: McpOptions): LaunchCommand {
  const data = dataDir ?? process.env['DATA_DIR'];
  if (server !== undefined && process.env['CUEBOOK_KEY'] !== undefined) {
    progress('The key in CUEBOOK_KEY is not written to the file; set CUEBOOK_KEY in the environment of the client.');
  }
  return launchCommand({
    server: server === undefined ? undefined : originOf(server),
    dataDir: data === undefined || data === '' ? undefined : path.resolve(data),
    org,
    playbook,
    read,
  });
}
