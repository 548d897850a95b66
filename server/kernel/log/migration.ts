// Migrations: one text for both stores. Each store replaces the tokens below with its own words.
import { UnusableStoreError } from './store.ts';

export interface Migration {
  /** Unique and never changed, for example `log/1`. */
  id: string;
  sql: string;
}

/** The type of a column that numbers the rows of its table, rising, perhaps with gaps; it is the primary key. */
export const ROW_NUMBER = '{row number}';
/** Ends the definition of a table whose rows are small and are found by their primary key. */
export const STORED_BY_KEY = '{stored by key}';

export interface Dialect {
  rowNumber: string;
  storedByKey: string;
  /** The type of a text column. It is compared by code points. */
  text: string;
}

/** A migration in the words of a store. */
export function sqlOf({ sql }: Migration, dialect: Dialect): string {
  return sql
    .replaceAll(ROW_NUMBER, dialect.rowNumber)
    .replaceAll(STORED_BY_KEY, dialect.storedByKey)
    .replaceAll(/\bTEXT\b/g, dialect.text);
}

/**
 * The migrations that a database still needs, in their order.
 * @param wayOut what to do about a database of a newer version, as a sentence
 * @throws UnusableStoreError where the database has one that this program does not know
 */
export function missingMigrations(
  migrations: readonly Migration[],
  applied: readonly string[],
  { database, wayOut }: { database: string; wayOut: string },
): Migration[] {
  const known = new Set(migrations.map(({ id }) => id));
  const unknown = applied.filter((id) => !known.has(id));
  if (unknown.length > 0) {
    throw new UnusableStoreError(
      `The database ${database} was written by a newer Cuebook (it contains ${unknown.join(', ')}). ${wayOut}`,
    );
  }
  const done = new Set(applied);
  return migrations.filter(({ id }) => !done.has(id));
}
