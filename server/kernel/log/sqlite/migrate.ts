import type Database from 'better-sqlite3';
import { type Dialect, type Migration, missingMigrations, sqlOf } from '../migration.ts';
import { HELD_TABLE, NAME_DATABASE } from './acknowledged.ts';

const SQLITE: Dialect = { rowNumber: 'INTEGER PRIMARY KEY', storedByKey: 'WITHOUT ROWID', text: 'TEXT' };

/** Brings the database to this program's schema: each migration once, in one transaction, in the order given. */
export function migrate(database: Database.Database, migrations: readonly Migration[], now: () => string): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    database.exec('CREATE TABLE IF NOT EXISTS schema_versions (id TEXT PRIMARY KEY, applied_at TEXT NOT NULL)');
    const applied = database
      .prepare<[], { id: string }>('SELECT id FROM schema_versions')
      .all()
      .map(({ id }) => id);
    const wayOut = 'Start that version, or name another folder with --data-dir.';
    for (const migration of missingMigrations(migrations, applied, { database: database.name, wayOut })) {
      database.exec(sqlOf(migration, SQLITE));
      database.prepare('INSERT INTO schema_versions (id, applied_at) VALUES (?, ?)').run(migration.id, now());
    }
    database.exec(HELD_TABLE);
    database.exec(NAME_DATABASE);
    database.exec('COMMIT');
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK');
    throw error;
  }
}
