import path from 'node:path';
import Database from 'better-sqlite3';
import { UnusableStoreError } from '../store.ts';
import { ownFile } from './store-files.ts';

/** Keeps locks from being garbage-collected, which would release them. */
const heldLocks = new Set<Database.Database>();

/**
 * Holds a side database in an exclusive transaction; the system releases it however the process ends.
 * @returns releases it
 * @throws UnusableStoreError while another process holds it
 */
export function takeLock(file: string): () => void {
  const lock = new Database(ownFile(file));
  try {
    lock.pragma('busy_timeout = 0');
    lock.pragma('journal_mode = DELETE');
    lock.exec('BEGIN EXCLUSIVE');
  } catch (error) {
    lock.close();
    if (error instanceof Database.SqliteError && error.code === 'SQLITE_BUSY') {
      throw new UnusableStoreError(
        `The data directory ${path.dirname(file)} is in use by another Cuebook process. Stop that process, or name another folder with --data-dir.`,
      );
    }
    throw error;
  }
  heldLocks.add(lock);
  return () => {
    heldLocks.delete(lock);
    lock.close();
  };
}
