// Copies of a SQLite database. A copy is made and checked in a folder beside its place, and moved there at the end: what
// stands under its name is whole.
import { chmodSync, existsSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import path from 'node:path';
import { checkFold, copyDatabase, type EventLog, listTables } from '../../kernel/log/index.ts';
import { systemClock } from '../../lib/clock.ts';
import { openLog } from '../../open-stores.ts';
import { type Overrides, readSettings, type SqliteSettings } from '../../settings/index.ts';
import { CommandFailure, EXIT } from './failure.ts';
import { exists, makeFolder } from './paths.ts';

export type BackupOptions = Pick<Overrides, 'dataDir'>;

/** Copies the database to a new file. */
export async function backup(file: string, options: BackupOptions): Promise<void> {
  const { dataDir, database } = sqliteOf(options, 'Back it up with pg_dump');
  if (!exists(database.file)) {
    throw new CommandFailure(`There is no Cuebook database in ${dataDir}. Name another folder.`, EXIT.misused);
  }
  refuseExisting(file);
  const events = await copyChecked(database.file, path.resolve(file));
  process.stdout.write(
    `Copied ${events} events and their read tables to ${file}. The data key, the configuration file and the env file are not in it.\n`,
  );
}

/** Puts a backup into the data directory, which must be empty. */
export async function restore(file: string, options: BackupOptions): Promise<void> {
  const { dataDir, database } = sqliteOf(options, 'Restore it with pg_restore');
  if (!exists(file)) throw new CommandFailure(`${file} does not exist; name the file of a backup.`, EXIT.misused);
  if (existsSync(dataDir) && readdirSync(dataDir).length > 0) {
    throw new CommandFailure(
      `The data directory ${dataDir} is not empty. Name an empty or new one with --data-dir; add the data key and the settings after the restore.`,
      EXIT.misused,
    );
  }
  makeFolder(dataDir, 'DATA_DIR', 0o700);
  refuseExisting(database.file);
  const events = await copyChecked(path.resolve(file), database.file);
  process.stdout.write(`Restored ${events} events and their read tables in ${dataDir}.\n`);
}

function sqliteOf(options: BackupOptions, instead: string): { dataDir: string; database: SqliteSettings } {
  const { dataDir, database } = readSettings(process.env, options);
  if (database.kind === 'sqlite') return { dataDir, database };
  throw new CommandFailure(
    `The data is in PostgreSQL, at ${database.place}. ${instead}; see docs/teams.md.`,
    EXIT.misused,
  );
}

function refuseExisting(file: string): void {
  if (exists(file)) throw new CommandFailure(`${file} exists already; name a new file.`, EXIT.misused);
}

/** @returns how many events the copy holds */
async function copyChecked(source: string, target: string): Promise<number> {
  const parent = path.dirname(target);
  if (!exists(parent)) throw new CommandFailure(`The folder ${parent} does not exist; create it first.`, EXIT.misused);
  const folder = mkdtempSync(path.join(parent, '.cuebook-copy-'));
  try {
    const copy = path.join(folder, 'cuebook.db');
    await copyDatabase(source, copy);
    chmodSync(copy, 0o600);
    const log = openCopy(folder, copy);
    const checked = await check(log).finally(() => log.close());
    if (checked.differing.length > 0) {
      throw new CommandFailure(
        `The read tables ${checked.differing.join(', ')} are not what the event log gives, so nothing was copied. Run cuebook doctor --rebuild, then try again.`,
        EXIT.failed,
      );
    }
    renameSync(copy, target);
    return checked.events;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function openCopy(dataDir: string, file: string): EventLog {
  return openLog({ dataDir, database: { kind: 'sqlite', file } }, systemClock, (sentence) => {
    throw new Error(sentence);
  });
}

async function check(log: EventLog): ReturnType<typeof checkFold> {
  return checkFold(log, await log.read(listTables));
}
