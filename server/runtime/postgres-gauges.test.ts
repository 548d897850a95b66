// The gauges of a database in another process: locks that are waited for, and a database that is away. Skipped without a
// PostgreSQL: `npm run test:postgres` starts one.
import { chmodSync } from 'node:fs';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { POSTGRES_FOR_TESTS } from '../kernel/log/postgres/testing.ts';
import type { EventLog } from '../kernel/log/index.ts';
import { systemClock } from '../lib/clock.ts';
import { openLog } from './open-stores.ts';
import { storeGauges } from './store-gauges.ts';
import { temporaryFolder } from '../test/index.ts';
import { type PostgresServer, startPostgres } from '../test/postgres/start-postgres.ts';

describe.runIf(POSTGRES_FOR_TESTS !== undefined)('the gauges of a database', () => {
  let cluster: ReturnType<typeof temporaryFolder>;
  let postgres: PostgresServer;
  let log: EventLog;

  beforeEach(async () => {
    cluster = temporaryFolder();
    chmodSync(cluster.path, 0o755);
    postgres = await startPostgres(process.env['POSTGRES_PROGRAMS'] ?? '', cluster.path, ['fsync=off']);
    const database = {
      kind: 'postgres',
      url: () => postgres.url,
      place: 'the test',
      schema: 'gauges',
      poolSize: 3,
    } as const;
    log = openLog({ dataDir: cluster.path, database }, systemClock, (sentence) => expect.fail(sentence));
    await log.opened();
  });
  afterEach(async () => {
    await log.close();
    await postgres.stop();
    cluster.remove();
  });

  const read = async (wanted: string): Promise<number | undefined> =>
    storeGauges(log, systemClock)
      .find(({ name }) => name === wanted)
      ?.read();

  test('count the connections that wait for a lock', async () => {
    expect(await read('store.lock_waits')).toBe(0);
    const holder = new pg.Client({ connectionString: postgres.url });
    await holder.connect();
    await holder.query('BEGIN; LOCK TABLE gauges.events IN ACCESS EXCLUSIVE MODE');
    const waiting = log.read((tx) => tx.all('SELECT 1 FROM events'));
    await expect.poll(() => read('store.lock_waits')).toBe(1);
    await holder.query('COMMIT');
    await holder.end();
    await waiting;
    expect(await read('store.lock_waits')).toBe(0);
  });

  test('say that it is away, and that it is back', { timeout: 60_000 }, async () => {
    expect(await read('store.reachable')).toBe(1);
    await postgres.stop('SIGQUIT');
    await expect.poll(() => read('store.reachable')).toBe(0);
    await expect(read('store.lock_waits')).rejects.toThrow('cannot be reached');
    await postgres.start();
    await expect.poll(() => read('store.reachable')).toBe(1);
    expect(await read('store.lock_waits')).toBe(0);
  });
});
