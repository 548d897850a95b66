// Copies of a SQLite database. A copy is made and checked in a temporary folder next to its target, then renamed: a file
// with the name of the target is complete.
import { chmodSync, mkdtempSync, readdirSync, renameSync, rmSync, statfsSync, statSync } from 'node:fs';
import path from 'node:path';
import { checkFold, copyDatabase, type EventLog, listTables, UnusableStoreError } from '../../kernel/log/index.ts';
import { Refused } from '../../lib/rejection.ts';
import { systemClock } from '../../lib/clock.ts';
import { MIGRATIONS, openLog } from '../../runtime/open-stores.ts';
import { openSettings, type Overrides, type SqliteSettings } from '../../settings/index.ts';
import { codeOf, failed, misused } from './failure.ts';
import { exists, makeFolder } from './paths.ts';

/** Files that a data directory may contain before the restore: they configure where its database is. */
const SETTINGS_FILES = ['env', 'cuebook.yaml'];
/** The prefix of the temporary folders in which copies are made. */
const COPY_FOLDER = '.cuebook-copy-';

export type BackupOptions = Pick<Overrides, 'dataDir'>;

/** Copies the database to a new file. */
export async function backup(file: string, options: BackupOptions): Promise<void> {
  const { dataDir, database } = sqliteOf(options, 'Back it up with pg_dump');
  if (!exists(database.file)) {
    throw misused(`There is no Cuebook database in ${dataDir}. Name another folder.`);
  }
  refuseExisting(path.resolve(file));
  const events = await copyChecked(database.file, path.resolve(file), { isInUse: true });
  process.stdout.write(
    `Copied ${events} events and their read tables to ${file}. The data key, the configuration file and the env file are not in it.\n`,
  );
}

/** Puts a backup into the data directory, which must be empty. */
export async function restore(file: string, options: BackupOptions): Promise<void> {
  const { dataDir, database } = sqliteOf(options, 'Restore it with pg_restore');
  if (!exists(file)) throw misused(`${file} does not exist; name the file of a backup.`);
  const found = entriesOf(dataDir).filter((name) => !SETTINGS_FILES.includes(name));
  if (found.some((name) => !name.startsWith(COPY_FOLDER))) {
    throw misused(
      `The data directory ${dataDir} is not empty. Name a new one with --data-dir, or one with nothing but ${SETTINGS_FILES.join(' and ')}; add the data key after the restore.`,
    );
  }
  const isNew = !exists(dataDir);
  makeFolder(dataDir, 'DATA_DIR', 0o700);
  try {
    refuseExisting(database.file);
    // Left by a restore that was killed.
    for (const name of found) rmSync(path.join(dataDir, name), { recursive: true });
    const events = await copyChecked(path.resolve(file), database.file, { isInUse: false });
    process.stdout.write(`Restored ${events} events and their read tables in ${dataDir}.\n`);
  } catch (error) {
    if (isNew) rmSync(dataDir, { recursive: true, force: true });
    throw error;
  }
}

function sqliteOf(options: BackupOptions, instead: string): { dataDir: string; database: SqliteSettings } {
  const { dataDir, database } = openSettings(process.env, options);
  if (database.kind === 'sqlite') return { dataDir, database };
  throw misused(`The data is in PostgreSQL, at ${database.place}. ${instead}; see docs/teams.md.`);
}

/** The names in a folder; none if it does not exist. */
function entriesOf(folder: string): string[] {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true ? readdirSync(folder) : [];
}

function refuseExisting(file: string): void {
  if (exists(file)) throw misused(`${file} exists already; name a new file.`);
}

/** @returns how many events the copy holds */
async function copyChecked(source: string, target: string, { isInUse }: { isInUse: boolean }): Promise<number> {
  const parent = path.dirname(target);
  if (!exists(parent)) throw misused(`The folder ${parent} does not exist; create it first.`);
  requireRoom(source, parent);
  const folder = makeCopyFolder(parent);
  try {
    const copy = path.join(folder, 'cuebook.db');
    await copyDatabase(source, copy, { migrations: MIGRATIONS, isInUse });
    chmodSync(copy, 0o600);
    const log = openCopy(folder, copy);
    const checked = await check(log, source).finally(() => log.close());
    if (checked.differing.length > 0) {
      throw failed(
        `The read tables ${checked.differing.join(', ')} are not what the event log gives, so nothing was copied. Run cuebook doctor --rebuild, then try again.`,
      );
    }
    renameSync(copy, target);
    return checked.events;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function requireRoom(source: string, folder: string): void {
  const { bavail, bsize } = statfsSync(folder);
  const [needed, free] = [statSync(source).size, bavail * bsize];
  if (needed <= free) return;
  throw failed(
    `The copy needs ${needed} bytes, and the disk of ${folder} has ${free} free. Make room, or name another folder.`,
  );
}

function openCopy(dataDir: string, file: string): EventLog {
  return openLog({ dataDir, database: { kind: 'sqlite', file } }, systemClock, (sentence) => {
    throw new Error(sentence);
  });
}

async function check(log: EventLog, source: string): ReturnType<typeof checkFold> {
  try {
    return await checkFold(log, { tables: await log.read(listTables), migrations: MIGRATIONS });
  } catch (error) {
    if (error instanceof Refused || error instanceof UnusableStoreError) throw error;
    // The message of a parser may quote the event.
    throw new UnusableStoreError(`${source} is not a sound database of Cuebook: its event log cannot be read.`);
  }
}

function makeCopyFolder(parent: string): string {
  try {
    return mkdtempSync(path.join(parent, COPY_FOLDER));
  } catch (error) {
    throw misused(`Cannot write to the folder ${parent} (${codeOf(error)}).`);
  }
}
