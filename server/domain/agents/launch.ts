// How a client starts Cuebook. A desktop program has no shell, so paths are absolute.
import { PRODUCT } from '../../../shared/product.ts';
import { fileURLToPath } from 'node:url';

export interface LaunchOptions {
  /** The origin of a remote server; undefined for one on this machine. */
  server?: string | undefined;
  /** The absolute path of the data directory; not used for a remote server. */
  dataDir?: string | undefined;
  org?: string | undefined;
  playbook?: string | undefined;
  /** Only tools that read. */
  read?: boolean | undefined;
}

export function launchCommand({ server, dataDir, org, playbook, read }: LaunchOptions): LaunchCommand {
  const own = ownCommand();
  return {
    ...own,
    args: [
      ...own.args,
      'mcp',
      ...(server === undefined ? [] : ['--server', server]),
      ...(server !== undefined || dataDir === undefined ? [] : ['--data-dir', dataDir]),
      ...(org === undefined ? [] : ['--org', org]),
      ...(playbook === undefined ? [] : ['--playbook', playbook]),
      ...(read === true ? ['--read'] : []),
    ],
  };
}

/** What the server is called in a client's configuration. */
export function serverName(playbook: string | undefined): string {
  return playbook === undefined ? PRODUCT : `${PRODUCT}-${playbook}`;
}

export interface LaunchCommand {
  command: string;
  args: readonly string[];
  /** Its environment variables. */
  environment: Readonly<Record<string, string>>;
}

/** The command that starts this installation's command line, with Node or with the desktop app's program in Node mode. */
export function ownCommand({
  execPath,
  versions,
}: Pick<NodeJS.Process, 'execPath' | 'versions'> = process): LaunchCommand {
  if (versions['electron'] === undefined) return { command: execPath, args: [IN_PACKAGE], environment: {} };
  return { command: execPath, args: [IN_APP], environment: { ELECTRON_RUN_AS_NODE: '1' } };
}

const IN_PACKAGE = fileURLToPath(new URL('../../../bin/cuebook.js', import.meta.url));
/** Outside the archive that contains this module. */
const IN_APP = fileURLToPath(new URL('../../../../app.asar.unpacked/electron/cuebook.mjs', import.meta.url));
