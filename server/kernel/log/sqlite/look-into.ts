// Looking into a database that this process does not have open, also beside a process that has it.
import type Database from 'better-sqlite3';
import { type SqlValue, UnusableStoreError } from '../store.ts';
import { openReadOnly } from './acknowledged.ts';

/** The rows of one statement, in the dialect of the store. */
export type Rows = <Row>(sql: string, parameters?: readonly SqlValue[]) => Row[];

/**
 * Reads one moment of the database. Nothing is locked, migrated or written.
 * @throws UnusableStoreError where it is absent or empty, or cannot be read
 */
export function readUnopenedDatabase<T>(file: string, look: (rows: Rows) => T): T {
  try {
    const database = openReadOnly(file);
    try {
      return database.transaction(() => look(rowsOf(database)))();
    } finally {
      database.close();
    }
  } catch (error) {
    if (error instanceof UnusableStoreError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new UnusableStoreError(`The database ${file} cannot be read: ${reason}.`);
  }
}

function rowsOf(database: Database.Database): Rows {
  return <Row>(sql: string, parameters: readonly SqlValue[] = []) => {
    const bound = Object.fromEntries(parameters.map((value, index) => [index + 1, value]));
    return database.prepare(sql).all(...(parameters.length === 0 ? [] : [bound])) as Row[];
  };
}
