// Opens the database of a store for writing: alone, complete, and with the schema of this version.
import path from 'node:path';
import { type Clock, isoTime } from '../../../lib/clock.ts';
import type { Migration } from '../migration.ts';
import { UnusableStoreError } from '../store.ts';
import { openNote, type OpenNote, refuseEmptied, refuseOlder } from './acknowledged.ts';
import { type Connection, openConnection } from './connection.ts';
import { takeLock } from './lock.ts';
import { migrate } from './migrate.ts';
import { ownFile, type WatchedFiles, watchFiles } from './store-files.ts';

export interface OpenedStore {
  writer: Connection;
  releaseLock: () => void;
  /** Where the database is, whatever links lead to it. */
  file: string;
  note: OpenNote;
  files: WatchedFiles;
}

/** @throws UnusableStoreError */
export function openWriter({
  file: asked,
  migrations,
  clock,
}: {
  file: string;
  migrations: readonly Migration[];
  clock: Clock;
}): OpenedStore {
  let releaseLock: (() => void) | undefined;
  let writer: Connection | undefined;
  try {
    refuseEmptied(asked);
    const file = ownFile(asked);
    const lock = `${file}.lock`;
    releaseLock = takeLock(lock);
    if (releaseLock === undefined) throw inUse(file);
    writer = openConnection(file);
    refuseOlder(writer.database, file);
    migrate(writer.database, migrations, () => isoTime(clock.now()));
    const files = watchFiles([lock, file, `${file}-wal`, `${file}-shm`]);
    return { writer, releaseLock, file, note: openNote(writer.database, file), files };
  } catch (error) {
    writer?.database.close();
    releaseLock?.();
    if (error instanceof UnusableStoreError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new UnusableStoreError(`The database ${asked} cannot be opened: ${reason}.`);
  }
}

function inUse(file: string): UnusableStoreError {
  return new UnusableStoreError(
    `The data directory ${path.dirname(file)} is in use by another Cuebook process. Stop that process, or name another folder with --data-dir.`,
  );
}
