import Database from 'better-sqlite3';
import { ownFile } from './store-files.ts';

/** Keeps locks from being garbage-collected, which would release them. */
const heldLocks = new Set<Database.Database>();

/**
 * Holds a side database in an exclusive transaction; the system releases it however the process ends.
 * @returns releases it; undefined while another process, or this one, holds it
 */
export function takeLock(file: string): (() => void) | undefined {
  const lock = new Database(ownFile(file));
  try {
    lock.pragma('busy_timeout = 0');
    lock.pragma('journal_mode = DELETE');
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (error instanceof Database.SqliteError && error.code === 'SQLITE_BUSY') return undefined;
    throw error;
  }
  heldLocks.add(lock);
  return () => {
    heldLocks.delete(lock);
    lock.close();
  };
}
