// For tests: stores in schemas of their own, of the PostgreSQL that `npm run test:postgres` starts.
import pg from 'pg';
import { type Clock, createFakeClock } from '../../../lib/clock.ts';
import { randomHex } from '../../../lib/random.ts';
import type { Migration } from '../migration.ts';
import type { Store } from '../store.ts';
import type { TestedStore } from '../testing.ts';
import { openPostgresStore } from './open.ts';
import type { PostgresStoreOptions } from './store.ts';

/** The URL of its database; undefined where the tests run without one. */
export const POSTGRES_FOR_TESTS = process.env['POSTGRES_FOR_TESTS'];

/** What a store in a new schema is opened with. */
export function schemaOfItsOwn(
  migrations: readonly Migration[],
  clock: Clock = createFakeClock(),
): PostgresStoreOptions {
  return {
    url: POSTGRES_FOR_TESTS ?? '',
    schema: `test_${randomHex(8)}`,
    poolSize: 4,
    migrations,
    clock,
    onUnknownCommit(sentence) {
      throw new Error(sentence);
    },
  };
}

/** Carries out a statement on a connection of its own. */
export async function ask(statement: string, url = POSTGRES_FOR_TESTS): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

export interface TemporaryPostgresStore extends TestedStore {
  options: PostgresStoreOptions;
}

export function openTemporaryPostgres(migrations: readonly Migration[]): TemporaryPostgresStore {
  const options = schemaOfItsOwn(migrations);
  let store: Store = openPostgresStore(options);
  return {
    options,
    store,
    async reopen() {
      await store.close();
      store = openPostgresStore(options);
      return store;
    },
    async remove() {
      await store.close();
      await ask(`DROP SCHEMA IF EXISTS ${options.schema} CASCADE`);
    },
  };
}
