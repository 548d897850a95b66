// Databases of released versions on PostgreSQL. What is kept is on SQLite; the migrations of a version are one text for both stores
// and never change, so the kept rows, in a schema made by the kept migrations, are what that version had on PostgreSQL.
// Skipped without PostgreSQL: `npm run test:postgres` starts it.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  continueNumbering,
  copyTable,
  listTables,
  openPostgresStore,
  type ReadTransaction,
  readUnopenedDatabase,
  type SqlValue,
} from '../kernel/log/index.ts';
import { ask, POSTGRES_FOR_TESTS } from '../kernel/log/postgres/testing.ts';
import { systemClock } from '../lib/clock.ts';
import { randomHex } from '../lib/random.ts';
import { MIGRATIONS } from './open-stores.ts';
import { startServer, temporaryFolder } from '../test/index.ts';
import { clockAfter, unpack, useUpgraded, VERSIONS } from '../test/released/released.testing.ts';

const url = POSTGRES_FOR_TESTS ?? '';
const folder = { path: '', remove: () => {} };
let schema: string;
beforeEach(() => {
  Object.assign(folder, temporaryFolder());
  schema = `test_${randomHex(8)}`;
});
afterEach(async () => {
  folder.remove();
  if (url !== '') await ask(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
});

/** Reads the kept file by itself: where these tests run, PostgreSQL takes the place of the store on SQLite. */
function reading(file: string): Pick<ReadTransaction, 'all' | 'get'> {
  const all = async <Row>(sql: string, parameters: readonly SqlValue[] = []): Promise<Row[]> =>
    readUnopenedDatabase(file, (rows) => rows<Row>(sql, parameters));
  return { all, get: async <Row>(sql: string) => (await all<Row>(sql))[0] };
}

/** Makes the schema as the version left it. */
async function restore(file: string): Promise<void> {
  const from = reading(file);
  const applied = await from.all<{ id: string }>('SELECT id FROM schema_versions');
  const to = openPostgresStore({
    url,
    schema,
    poolSize: 2,
    migrations: MIGRATIONS.filter(({ id }) => applied.some((one) => one.id === id)),
    clock: systemClock,
    onUnknownCommit(sentence) {
      throw new Error(sentence);
    },
  });
  try {
    await to.opened();
    const tables = await listTables(from);
    await to.write('every playbook', async (tx) => {
      for (const table of tables) await copyTable((work) => work(from), tx, table);
      await continueNumbering(tx);
    });
  } finally {
    await to.close();
  }
}

describe.runIf(url !== '').each(VERSIONS)('on PostgreSQL, the database of version %s', (version) => {
  const environment = (): Record<string, string> => ({
    DATABASE_URL: url,
    DATABASE_SCHEMA: schema,
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
  });

  test('is upgraded with its runs, its views and its open requests', async () => {
    const file = unpack(version, folder.path);
    await restore(file);
    const server = await startServer({ environment: environment(), clock: clockAfter(file) });
    try {
      expect(await useUpgraded(server)).toBe('succeeded');
    } finally {
      await server.close();
    }
  });

  test('is refused if a newer version has used it', async () => {
    await restore(unpack(version, folder.path));
    await ask(`INSERT INTO ${schema}.migrations (id, applied_at) VALUES ('runs/9999', '2030-01-01')`);
    await expect(startServer({ environment: environment() })).rejects.toThrow(
      /was written by a newer Cuebook \(it contains runs\/9999\)\./,
    );
  });
});
