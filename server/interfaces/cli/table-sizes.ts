import type Database from 'better-sqlite3';
import { openReadOnly, UnusableStoreError } from '../../kernel/log/index.ts';

export interface TableSize {
  table: string;
  rows: number;
  /** What the table and its indexes take in the file. */
  bytes: number;
}

/**
 * The tables of a database, largest first. It only looks, beside a runtime that lives on the file too.
 * @throws UnusableStoreError
 */
export function tableSizes(file: string): TableSize[] {
  try {
    const database = openReadOnly(file);
    try {
      return sizesIn(database);
    } finally {
      database.close();
    }
  } catch (error) {
    if (error instanceof UnusableStoreError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new UnusableStoreError(`The database ${file} cannot be read: ${reason}.`);
  }
}

function sizesIn(database: Database.Database): TableSize[] {
  const bytes = database
    .prepare<[], { table: string; bytes: number }>(
      `SELECT m.tbl_name AS "table", SUM(d.pgsize) AS bytes
       FROM sqlite_master m JOIN dbstat d ON d.name = m.name AND d.aggregate = TRUE
       WHERE m.tbl_name NOT LIKE 'sqlite_%' GROUP BY m.tbl_name ORDER BY bytes DESC, m.tbl_name`,
    )
    .all();
  return bytes.map(({ table, bytes: size }) => {
    const counted = database.prepare<[], { rows: number }>(`SELECT COUNT(*) AS rows FROM "${table}"`).get();
    return { table, rows: counted?.rows ?? 0, bytes: size };
  });
}
