import { UnusableStoreError } from '../store.ts';
import { openReadOnly } from './acknowledged.ts';

/** Copies a database as it is at one moment, also beside a process that has it open. @throws UnusableStoreError */
export async function copyDatabase(file: string, to: string): Promise<void> {
  try {
    const database = openReadOnly(file);
    try {
      await database.backup(to);
    } finally {
      database.close();
    }
  } catch (error) {
    if (error instanceof UnusableStoreError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new UnusableStoreError(`The database ${file} cannot be copied: ${reason}.`);
  }
}
