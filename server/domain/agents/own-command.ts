import { fileURLToPath } from 'node:url';

export interface Launch {
  command: string;
  args: readonly string[];
  /** What it needs in its environment. */
  environment: Readonly<Record<string, string>>;
}

/** What starts the command line of this very installation: with Node, or with the desktop app's program as a Node. */
export function ownCommand({ execPath, versions }: Pick<NodeJS.Process, 'execPath' | 'versions'> = process): Launch {
  if (versions['electron'] === undefined) return { command: execPath, args: [IN_PACKAGE], environment: {} };
  return { command: execPath, args: [IN_APP], environment: { ELECTRON_RUN_AS_NODE: '1' } };
}

const IN_PACKAGE = fileURLToPath(new URL('../../../bin/cuebook.js', import.meta.url));
/** Outside of the archive that this module stands in. */
const IN_APP = fileURLToPath(new URL('../../../../app.asar.unpacked/electron/cuebook.mjs', import.meta.url));
