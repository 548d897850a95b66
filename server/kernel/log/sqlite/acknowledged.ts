// A note beside the database of what was acknowledged: which database it was, and how many commits it held. A database
// that holds less has lost something: its write-ahead log was removed, it was cut, or an older one took its place.
//
// 1. The database counts its commits. The note is written after a commit has reached the disk and before any caller is
//    answered, so it is never ahead of the database.
// 2. Nothing flushes the note: it survives the end of the process, and after a power cut it may be behind the database.
//    One that a power cut tore is not taken for a note.
// 3. An emptied database is refused before it is opened: SQLite would remove its write-ahead log, even to read it.
import { closeSync, openSync, readFileSync, statSync, writeSync } from 'node:fs';
import { crc32 } from 'node:zlib';
import Database from 'better-sqlite3';
import { UnusableStoreError } from '../store.ts';
import { ownFile, realFile, refuseIrregular } from './store-files.ts';

/** A database, and how many commits it holds. */
interface StoredCommits {
  database: string;
  commits: number;
}

/** The path of the note about a database. */
export function notePath(file: string): string {
  return `${file}.acknowledged`;
}

/** Made with the schema; the one row names the database. */
export const HELD_TABLE = 'CREATE TABLE IF NOT EXISTS commits_held (database TEXT NOT NULL, commits BIGINT NOT NULL)';
export const NAME_DATABASE = `INSERT INTO commits_held (database, commits)
  SELECT lower(hex(randomblob(16))), 0 WHERE NOT EXISTS (SELECT 1 FROM commits_held)`;
/** Counts the commit that it is part of. */
export const COUNT_COMMIT = 'UPDATE commits_held SET commits = commits + 1 RETURNING commits';

/**
 * Opens a database for reading alone. The caller closes it.
 * @throws UnusableStoreError where it is empty, SqliteError where it cannot be read
 */
export function openReadOnly(file: string): Database.Database {
  refuseEmptied(file);
  return new Database(file, { readonly: true, fileMustExist: true });
}

/** Refuses a database that is gone or empty although something was acknowledged in it. @throws UnusableStoreError */
export function refuseEmptied(asked: string): void {
  const file = realFile(asked);
  refuseIrregular(file);
  if (sizeOf(file) > 0) return;
  const note = readNote(file);
  if (note === undefined && sizeOf(`${file}-wal`) === 0) return;
  const acknowledged =
    note === undefined ? 'its write-ahead log is not' : `${note.commits} commits were acknowledged in it`;
  const leftOver = note === undefined ? `${file}-wal` : notePath(file);
  throw new UnusableStoreError(
    `The database ${file} is missing or empty, and ${acknowledged}. Restore it, from a backup if necessary; to continue with what is there, remove ${leftOver} and start again.`,
  );
}

/** Refuses a database that no process has open, as opening the store would. @throws UnusableStoreError, SqliteError */
export function refuseLost(file: string): void {
  refuseEmptied(file);
  if (sizeOf(file) === 0) return;
  const database = openReadOnly(file);
  try {
    refuseOlder(database, realFile(file));
  } finally {
    database.close();
  }
}

/** Refuses an open database that holds less than was acknowledged, or is another one. @throws UnusableStoreError */
export function refuseOlder(database: Database.Database, file: string): void {
  const note = readNote(file);
  if (note === undefined) return;
  const held = storedCommits(database);
  const way = `Restore the newest files, including ${file}-wal; to use this database anyway, remove ${notePath(file)} and start again.`;
  if (held?.database !== note.database) {
    throw new UnusableStoreError(`The database ${file} is not the database that was last used here. ${way}`);
  }
  if (held.commits < note.commits) {
    throw new UnusableStoreError(
      `The database ${file} has lost acknowledged commits: it contains ${held.commits} of ${note.commits} commits. ${way}`,
    );
  }
}

export interface OpenNote {
  write(commits: number): void;
  close(): void;
}

/** Opens the note of a database that is not behind it, and writes what the database holds. */
export function openNote(database: Database.Database, file: string): OpenNote {
  const held = storedCommits(database);
  if (held === undefined) throw new Error('The database has no name.');
  const note = openSync(ownFile(notePath(file)), 'r+');
  const write = (commits: number): void => {
    try {
      writeSync(note, lineOf({ ...held, commits }), 0, 'latin1');
    } catch {
      // The commit is on the disk: a note that is behind says less, and nothing wrong.
    }
  };
  write(held.commits);
  let isOpen = true;
  return {
    write,
    close() {
      // Closed twice, the number may by then be another file's.
      if (isOpen) closeSync(note);
      isOpen = false;
    },
  };
}

function storedCommits(database: Database.Database): StoredCommits | undefined {
  const isThere = database.prepare(`SELECT 1 FROM sqlite_master WHERE name = 'commits_held'`).get() !== undefined;
  return isThere ? database.prepare<[], StoredCommits>('SELECT database, commits FROM commits_held').get() : undefined;
}

/** One line of one length, so that each write takes the place of the last. */
function lineOf({ database, commits }: StoredCommits): string {
  const words = `${database} ${String(commits).padStart(16, '0')}`;
  return `${words} ${crc32(words).toString(16).padStart(8, '0')}\n`;
}

function readNote(file: string): StoredCommits | undefined {
  let line: string;
  try {
    line = readFileSync(notePath(file), 'latin1');
  } catch {
    return undefined;
  }
  const [database = '', commits] = line.split(' ');
  const held = { database, commits: Number(commits) };
  return lineOf(held) === line ? held : undefined;
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}
