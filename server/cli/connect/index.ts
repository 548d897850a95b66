// `cuebook connect`: how an agent's client is told of Cuebook.
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { PRODUCT } from '../../../shared/product.ts';
import { originOf } from '../attach.ts';
import type { McpOptions } from '../mcp/index.ts';
import { progress, show } from '../output.ts';
import { lookForPlaybook } from '../require-playbook.ts';
import { clientNamed, type Launch, surroundings } from './clients.ts';
import { writeServer } from './write-config.ts';

const COMMAND = fileURLToPath(new URL('../../../bin/cuebook.js', import.meta.url));

export interface ConnectOptions extends McpOptions {
  write?: boolean | undefined;
  json?: boolean | undefined;
}

/** Prints what the client's configuration needs, or writes it there. */
export async function connect(client: string, options: ConnectOptions): Promise<void> {
  const { title, file, member, entry, then } = clientNamed(client);
  const { org, playbook } = options;
  const doubt = playbook === undefined ? undefined : await lookForPlaybook(options, { org, playbook });
  if (doubt !== undefined) progress(doubt);
  const name = options.playbook === undefined ? PRODUCT : `${PRODUCT}-${options.playbook}`;
  const added = entry(launch(options));
  const place = file(surroundings());
  if (options.write !== true) {
    progress(`For ${title}, in ${place} (or let --write put it there). ${then}`);
    const config = { [member]: { [name]: added } };
    show(options, config, () => JSON.stringify(config, null, 2));
    return;
  }
  const written = writeServer(place, { member, name, entry: added });
  show(options, { file: written.file, backup: written.backup ?? null, changed: written.changed }, () =>
    written.changed
      ? `${written.file} has the server ${name} now.${written.backup === undefined ? '' : ` What it held before is in ${written.backup}.`} ${then}`
      : `${written.file} has the server ${name} already.`,
  );
}

/** A desktop program has no shell: it is given whole paths, and the data directory that holds here. */
function launch({ server, dataDir, org, playbook, read }: McpOptions): Launch {
  const data = dataDir ?? process.env['DATA_DIR'];
  if (server !== undefined && process.env['CUEBOOK_KEY'] !== undefined) {
    progress('The key in CUEBOOK_KEY is not written: set it in the environment of the client.');
  }
  return {
    command: process.execPath,
    args: [
      COMMAND,
      'mcp',
      ...(server === undefined ? [] : ['--server', originOf(server)]),
      ...(server !== undefined || data === undefined || data === '' ? [] : ['--data-dir', path.resolve(data)]),
      ...(org === undefined ? [] : ['--org', org]),
      ...(playbook === undefined ? [] : ['--playbook', playbook]),
      ...(read === true ? ['--read'] : []),
    ],
  };
}
