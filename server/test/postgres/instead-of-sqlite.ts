// Takes the place of the SQLite store in the tests of `npm run test:postgres`: each database file is a schema of the
// PostgreSQL that POSTGRES_FOR_TESTS names.
import { createHash } from 'node:crypto';
import path from 'node:path';
import { openPostgresStore } from '../../kernel/log/postgres/open.ts';
import type { SqliteStoreOptions } from '../../kernel/log/index.ts';
import type { Store } from '../../kernel/log/store.ts';

export function openSqliteStore({ file, migrations, clock, onUnknownCommit }: SqliteStoreOptions): Store {
  const url = process.env['POSTGRES_FOR_TESTS'];
  if (url === undefined) throw new Error('POSTGRES_FOR_TESTS names no database.');
  return openPostgresStore({ url, schema: schemaOf(file), poolSize: 4, migrations, clock, onUnknownCommit });
}

/** The schema that takes the place of a database file. */
export function schemaOf(file: string): string {
  return `t${createHash('sha256').update(path.resolve(file)).digest('hex').slice(0, 24)}`;
}
