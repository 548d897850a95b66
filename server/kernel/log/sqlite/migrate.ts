import type Database from 'better-sqlite3';
import { type Migration, UnusableStoreError } from '../store.ts';
import { HELD_TABLE, NAME_DATABASE } from './acknowledged.ts';

/** Brings the database to this program's schema: each migration once, in one transaction, in the order given. */
export function migrate(database: Database.Database, migrations: readonly Migration[], now: () => string): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    database.exec('CREATE TABLE IF NOT EXISTS schema_versions (id TEXT PRIMARY KEY, applied_at TEXT NOT NULL)');
    const applied = database
      .prepare<[], { id: string }>('SELECT id FROM schema_versions')
      .all()
      .map(({ id }) => id);
    const known = new Set(migrations.map(({ id }) => id));
    const unknown = applied.filter((id) => !known.has(id));
    if (unknown.length > 0) {
      throw new UnusableStoreError(
        `The database ${database.name} was written by a newer Cuebook (it contains ${unknown.join(', ')}). Start that version, or name another folder with --data-dir.`,
      );
    }
    const done = new Set(applied);
    for (const { id, sql } of migrations) {
      if (done.has(id)) continue;
      database.exec(sql);
      database.prepare('INSERT INTO schema_versions (id, applied_at) VALUES (?, ?)').run(id, now());
    }
    database.exec(HELD_TABLE);
    database.exec(NAME_DATABASE);
    database.exec('COMMIT');
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK');
    throw error;
  }
}
