// How a client starts Cuebook. A desktop program has no shell: it is given whole paths.
import { PRODUCT } from '../../../shared/product.ts';
import { type Launch, ownCommand } from './own-command.ts';

export interface Wanted {
  /** The origin of a server elsewhere, in place of one on this machine. */
  server?: string | undefined;
  /** The whole path of the data directory; of no meaning to a server elsewhere. */
  dataDir?: string | undefined;
  org?: string | undefined;
  playbook?: string | undefined;
  /** Reading tools alone. */
  read?: boolean | undefined;
}

export function launchOf({ server, dataDir, org, playbook, read }: Wanted): Launch {
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
