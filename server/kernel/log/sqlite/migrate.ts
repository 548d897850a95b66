import type Database from 'better-sqlite3';
import { type Dialect, type Migration, missingMigrations, sqlOf } from '../migration.ts';
import { UnusableStoreError } from '../store.ts';
import { HELD_TABLE, NAME_DATABASE } from './acknowledged.ts';

const SQLITE: Dialect = { rowNumber: 'INTEGER PRIMARY KEY', storedByKey: 'WITHOUT ROWID', text: 'TEXT' };

/** `Cueb`: marks a database as ours in its header. Databases of the first versions have 0. */
export const APPLICATION_ID = 0x43756562;

const VERSIONS_TABLE = 'CREATE TABLE IF NOT EXISTS schema_versions (id TEXT PRIMARY KEY, applied_at TEXT NOT NULL)';

/** Brings the database to this program's schema: each migration once, in one transaction, in the order given. */
export function migrate(database: Database.Database, migrations: readonly Migration[], now: () => string): void {
  database.exec('BEGIN IMMEDIATE');
  try {
    refuseForeign(database);
    database.exec(VERSIONS_TABLE);
    const wayOut = 'Start that version, or name another folder with --data-dir.';
    const applied = appliedMigrations(database);
    for (const migration of missingMigrations(migrations, applied, { database: database.name, wayOut })) {
      database.exec(sqlOf(migration, SQLITE));
      database.prepare('INSERT INTO schema_versions (id, applied_at) VALUES (?, ?)').run(migration.id, now());
    }
    database.exec(HELD_TABLE);
    database.exec(NAME_DATABASE);
    if (applicationId(database) === 0) database.pragma(`application_id = ${APPLICATION_ID}`);
    database.exec('COMMIT');
  } catch (error) {
    if (database.inTransaction) database.exec('ROLLBACK');
    throw error;
  }
}

/** The ids of the migrations that a database with our schema has, in the order in which they were applied. */
export function appliedMigrations(database: Database.Database): string[] {
  return database
    .prepare<[], { id: string }>('SELECT id FROM schema_versions ORDER BY rowid')
    .all()
    .map(({ id }) => id);
}

/** Creates the tables of an empty database as these migrations, in their order, leave them. */
export function createSchema(database: Database.Database, migrations: readonly Migration[]): void {
  for (const sql of [VERSIONS_TABLE, ...migrations.map((migration) => sqlOf(migration, SQLITE)), HELD_TABLE]) {
    database.exec(sql);
  }
}

/** Refuses to make tables in the database of another program. */
function refuseForeign(database: Database.Database): void {
  const id = applicationId(database);
  const tables = database.prepare<[], { name: string }>(`SELECT name FROM sqlite_master WHERE type = 'table'`).all();
  const isOurs = tables.length === 0 || tables.some(({ name }) => name === 'schema_versions');
  if ((id === 0 || id === APPLICATION_ID) && isOurs) return;
  throw new UnusableStoreError(
    `The database ${database.name} belongs to another program. Name another file with DATABASE_URL, or another folder with --data-dir.`,
  );
}

function applicationId(database: Database.Database): number {
  return Number(database.pragma('application_id', { simple: true }));
}
