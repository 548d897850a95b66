// A database, or a network before it, that fails in the middle of what a store asks.
import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import pg from 'pg';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { randomHex } from '../../../lib/random.ts';
import type { PlaybookKey } from '../event.ts';
import type { Migration } from '../migration.ts';
import type { Store } from '../store.ts';
import { openPool } from './pool.ts';
import { query, withConnection } from './connections.ts';
import { isLost } from './failures.ts';
import { openPostgresStore } from './open.ts';
import type { PostgresStoreOptions } from './store.ts';
import { ask, openTemporaryPostgres, POSTGRES_FOR_TESTS, type TemporaryPostgresStore } from './testing.ts';

/** Something between a process and its database. @param pass gives the database what the process sent */
async function startBetween(
  database: string,
  pass: (bytes: Buffer, client: Socket, server: Socket) => void,
): Promise<{ url: string; isAway: boolean; close: () => void }> {
  const url = new URL(database);
  const { hostname, port } = url;
  const listener = createServer((client) => {
    if (between.isAway) return void client.destroy();
    const server = connect(Number(port), hostname);
    server.pipe(client);
    client.on('data', (bytes: Buffer) => pass(bytes, client, server));
    for (const socket of [client, server]) socket.on('error', () => {});
    client.on('close', () => server.end());
    server.on('close', () => client.destroy());
  });
  await once(listener.listen(0, '127.0.0.1'), 'listening');
  url.host = `127.0.0.1:${(listener.address() as AddressInfo).port}`;
  const between = { url: url.href, isAway: false, close: () => void listener.close() };
  return between;
}

/** The database gets the next bytes with this text, and its answer is lost with the connection. */
function losing(text: string, onLost = (): void => {}): { isNext: boolean; pass: Parameters<typeof startBetween>[1] } {
  const loss = {
    isNext: false,
    pass(bytes: Buffer, client: Socket, server: Socket): void {
      if (!loss.isNext || !bytes.includes(text)) return void server.write(bytes);
      loss.isNext = false;
      onLost();
      server.unpipe(client);
      server.end(bytes);
      server.resume();
      client.destroy();
    },
  };
  return loss;
}

const PLACE: PlaybookKey = { org: 'acme', playbook: 'support' };
const OTHER: PlaybookKey = { org: 'acme', playbook: 'sales' };
const names: Migration = { id: 'test/1', sql: 'CREATE TABLE names (name TEXT NOT NULL PRIMARY KEY);' };
const UNREACHABLE = 'The database cannot be reached, so nothing was changed. Try again.';

// Without a database there is nothing to test: `npm run test:postgres` starts one.
describe.runIf(POSTGRES_FOR_TESTS !== undefined)('a store whose database', () => {
  let tested: TemporaryPostgresStore;
  const opened = new Set<Store>();
  beforeEach(async () => {
    tested = openTemporaryPostgres([names]);
    await tested.store.opened();
  });
  afterEach(async () => {
    for (const store of opened) await store.close();
    opened.clear();
    await tested.remove();
  });

  const open = (options: Partial<PostgresStoreOptions>): Store => {
    const store = openPostgresStore({ ...tested.options, ...options });
    opened.add(store);
    return store;
  };
  const insert = (store: Store, name: string, place = PLACE): Promise<void> =>
    store.write(place, (tx) => tx.run('INSERT INTO names (name) VALUES ($1)', [name]));
  const count = async (): Promise<unknown> =>
    (await ask(`SELECT COUNT(*)::int AS count FROM ${tested.options.schema}.names`))[0]?.['count'];

  test('answers a COMMIT, but the answer is lost: it has happened', async () => {
    const loss = losing('COMMIT');
    const between = await startBetween(tested.options.url, loss.pass);
    const behind = open({ url: between.url });
    await insert(behind, 'a');
    loss.isNext = true;
    await insert(behind, 'b');
    between.close();
    expect([loss.isNext, await count()]).toEqual([false, 2]);
  });

  test('goes away at a COMMIT: what comes later is refused, and what is unknown is answered when it is back', async () => {
    const loss = losing('COMMIT', () => (between.isAway = true));
    const between = await startBetween(tested.options.url, loss.pass);
    const behind = open({ url: between.url });
    await insert(behind, 'a');
    loss.isNext = true;
    const unknown = insert(behind, 'b');
    await vi.waitFor(() => expect(between.isAway).toBe(true));
    await expect(insert(behind, 'c')).rejects.toThrow(UNREACHABLE);
    between.isAway = false;
    await unknown;
    expect(await count()).toBe(2);
    await insert(behind, 'd');
    between.close();
  });

  test('gives a process its lease, but the answer is lost: it registers again', async () => {
    const loss = losing('INSERT INTO holders');
    loss.isNext = true;
    const between = await startBetween(tested.options.url, loss.pass);
    const behind = open({ url: between.url });
    await vi.waitFor(() => insert(behind, 'a'), { timeout: 8000, interval: 100 });
    between.close();
    expect(loss.isNext).toBe(false);
  });

  test('is silent on a connection: that is given up after a minute', async () => {
    const [known, silent] = [new Set<Socket>(), new Set<Socket>()];
    const between = await startBetween(tested.options.url, (bytes, client, server) => {
      known.add(client);
      if (!silent.has(client)) server.write(bytes);
    });
    const pool = openPool({ ...tested.options, url: between.url }, 1);
    const askIt = (): Promise<unknown> =>
      withConnection(pool, async (client) => (await query(client, 'SELECT 1 AS n')).rows);
    await askIt();
    for (const client of known) silent.add(client);
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    let failure: unknown;
    const asked = askIt().catch((error: unknown) => (failure = error));
    await vi.advanceTimersByTimeAsync(59_000);
    expect(failure).toBeUndefined();
    await vi.advanceTimersByTimeAsync(2000);
    vi.useRealTimers();
    await asked;
    expect(isLost(failure)).toBe(true);
    expect(await askIt()).toEqual([{ n: 1 }]);
    await pool.end();
    between.close();
  });

  test('ignores what a connection begins with: it is refused', async () => {
    const { schema } = tested.options;
    const between = await startBetween(tested.options.url, (bytes, _client, server) => {
      const other = `search_path=${'x'.repeat(schema.length)}`;
      server.write(Buffer.from(bytes.toString('latin1').replace(`search_path=${schema}`, other), 'latin1'));
    });
    const overridden = new URL(tested.options.url);
    overridden.searchParams.set('idle_in_transaction_session_timeout', '60000');
    for (const url of [between.url, overridden.href]) {
      await expect(open({ url }).opened()).rejects.toThrow(
        /^The database .* ignores what a connection of Cuebook begins with: .*, not to a connection pooler, and/,
      );
    }
    between.close();
  });

  test('lets its user in no more: it is unavailable', async () => {
    const role = `test_${randomHex(8)}`;
    await ask(`CREATE ROLE ${role} SUPERUSER LOGIN`);
    const url = new URL(tested.options.url);
    url.username = role;
    const shut = open({ url: url.href });
    await insert(shut, 'a');
    await ask(`ALTER ROLE ${role} NOLOGIN`);
    await ask(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = '${role}'`);
    const refused = 'The database refuses connections (28000), so nothing was changed.';
    await expect(insert(shut, 'b')).rejects.toThrow(refused);
    await expect(shut.read((tx) => tx.get('SELECT 1 AS one'))).rejects.toThrow(refused);
    await ask(`DROP ROLE ${role}`);
  });

  test('locks everything for long: works on no playbook are unavailable as well', { timeout: 20_000 }, async () => {
    await insert(tested.store, 'a');
    const locking = new pg.Client({ connectionString: tested.options.url });
    await locking.connect();
    await locking.query(`BEGIN; LOCK TABLE ${tested.options.schema}.playbook_queues IN SHARE ROW EXCLUSIVE MODE`);
    const busy = 'The database is busy, so nothing was changed. Try again.';
    const outcomes = await Promise.allSettled([
      tested.store.write('no playbook', (tx) => tx.run('DELETE FROM names')),
      tested.store.write('every playbook', (tx) => tx.run('DELETE FROM names')),
      insert(tested.store, 'b', OTHER),
    ]);
    await locking.end();
    expect(outcomes.map((outcome) => (outcome.status === 'rejected' ? String(outcome.reason) : ''))).toEqual(
      outcomes.map(() => `Refused: ${busy}`),
    );
  });

  test('undoes a migration that meets the works of another version: it is repeated', async () => {
    const { schema } = tested.options;
    await ask(`CREATE TABLE ${schema}.others (name TEXT)`);
    const older = new pg.Client({ connectionString: tested.options.url });
    await older.connect();
    await older.query(`BEGIN; LOCK TABLE ${schema}.others`);
    const sql = 'ALTER TABLE names ADD COLUMN n BIGINT; ALTER TABLE others ADD COLUMN n BIGINT;';
    const newer = open({ migrations: [names, { id: 'test/2', sql }] });
    const opening = newer.opened();
    await vi.waitFor(async () => {
      const waits = `SELECT 1 FROM pg_locks WHERE NOT granted AND relation = '${schema}.others'::regclass`;
      expect(await ask(waits)).toHaveLength(1);
    });
    // The one that waits first finds the deadlock, and is undone.
    await older.query(`LOCK TABLE ${schema}.names; COMMIT`);
    await older.end();
    await opening;
    expect(await newer.read((tx) => tx.all('SELECT names.n FROM names, others'))).toEqual([]);
  });
});
