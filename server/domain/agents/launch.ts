// How a client starts Cuebook. A desktop program has no shell: it is given whole paths.
import { PRODUCT } from '../../../shared/product.ts';
import { fileURLToPath } from 'node:url';

export interface LaunchOptions {
  /** The origin of a server elsewhere, in place of one on this machine. */
  server?: string | undefined;
  /** The whole path of the data directory; of no meaning to a server elsewhere. */
  dataDir?: string | undefined;
  org?: string | undefined;
  playbook?: string | undefined;
  /** Reading tools alone. */
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
  /** What it needs in its environment. */
  environment: Readonly<Record<string, string>>;
}

/** What starts the command line of this very installation: with Node, or with the desktop app's program as a Node. */
export function ownCommand({
  execPath,
  versions,
}: Pick<NodeJS.Process, 'execPath' | 'versions'> = process): LaunchCommand {
  if (versions['electron'] === undefined) return { command: execPath, args: [IN_PACKAGE], environment: {} };
  return { command: execPath, args: [IN_APP], environment: { ELECTRON_RUN_AS_NODE: '1' } };
}

const IN_PACKAGE = fileURLToPath(new URL('../../../bin/cuebook.js', import.meta.url));
/** Outside of the archive that this module stands in. */
const IN_APP = fileURLToPath(new URL('../../../../app.asar.unpacked/electron/cuebook.mjs', import.meta.url));
