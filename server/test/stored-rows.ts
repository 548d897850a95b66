// Statements beside a server that has its store open, or is stopped: on the SQLite file of its data directory, or, in the
// tests of `npm run test:postgres`, on the schema that takes the place of that file.
import path from 'node:path';
import Database from 'better-sqlite3';
import pg from 'pg';
import { schemaOf } from './postgres/instead-of-sqlite.ts';

/** Carries out a statement with parameters `$1`, ...; returns its rows, if it has any. */
export async function storedRows<Row>(
  dataDir: string,
  sql: string,
  parameters: readonly (string | number)[] = [],
): Promise<Row[]> {
  const file = path.join(dataDir, 'cuebook.db');
  const url = process.env['POSTGRES_FOR_TESTS'];
  return url === undefined ? inSqlite(file, sql, parameters) : inPostgres(url, schemaOf(file), sql, parameters);
}

function inSqlite<Row>(file: string, sql: string, parameters: readonly (string | number)[]): Row[] {
  const database = new Database(file);
  try {
    const statement = database.prepare(sql);
    const bound = parameters.length === 0 ? [] : [Object.fromEntries(parameters.map((value, i) => [i + 1, value]))];
    if (statement.reader) return statement.all(...bound) as Row[];
    statement.run(...bound);
    return [];
  } finally {
    database.close();
  }
}

async function inPostgres<Row>(
  url: string,
  schema: string,
  sql: string,
  parameters: readonly (string | number)[],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url, options: `-c search_path=${schema}` });
  await client.connect();
  try {
    return (await client.query(sql, [...parameters])).rows as Row[];
  } finally {
    await client.end();
  }
}
