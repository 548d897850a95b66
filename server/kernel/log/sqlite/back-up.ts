import { copyFileSync, existsSync } from 'node:fs';
import type { Migration } from '../migration.ts';
import { UnusableStoreError } from '../store.ts';
import { openReadOnly } from './acknowledged.ts';
import { refuseForeignFile, refuseUnsound } from './sound.ts';

/**
 * Copies a database as it is at one moment, also beside a process that has it open, and checks the copy. The caller
 * removes a copy that is refused.
 * @param isInUse whether a process may have it open; a file of its own is copied without being opened
 * @throws UnusableStoreError for what is not a whole database of Cuebook, of this version or an older one
 */
export async function copyDatabase(
  file: string,
  to: string,
  { migrations, isInUse }: { migrations: readonly Migration[]; isInUse: boolean },
): Promise<void> {
  try {
    refuseForeignFile(file);
    if (isInUse || existsSync(`${file}-wal`)) await copyOpened(file, to);
    else copyFileSync(file, to);
    refuseUnsound(to, file, migrations);
  } catch (error) {
    if (error instanceof UnusableStoreError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new UnusableStoreError(`The database ${file} cannot be copied: ${reason}.`);
  }
}

async function copyOpened(file: string, to: string): Promise<void> {
  const database = openReadOnly(file);
  try {
    await database.backup(to);
  } finally {
    database.close();
  }
}
