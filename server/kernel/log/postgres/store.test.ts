import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Refused } from '../../../lib/rejection.ts';
import { describeEventLog } from '../log-contract.testing.ts';
import type { Migration } from '../migration.ts';
import { createMemory } from '../memory.ts';
import { describeStore } from '../store-contract.testing.ts';
import type { PlaybookKey } from '../event.ts';
import { type Store, UnusableStoreError } from '../store.ts';
import { repeating } from '../testing.ts';
import { openPostgresStore } from './open.ts';
import {
  ask,
  openTemporaryPostgres,
  POSTGRES_FOR_TESTS,
  schemaOfItsOwn,
  type TemporaryPostgresStore,
} from './testing.ts';

const PLACE: PlaybookKey = { org: 'acme', playbook: 'support' };
const OTHER: PlaybookKey = { org: 'acme', playbook: 'sales' };
const names: Migration = { id: 'test/1', sql: 'CREATE TABLE names (name TEXT NOT NULL PRIMARY KEY);' };

// Without a database there is nothing to test: `npm run test:postgres` starts one.
describe.runIf(POSTGRES_FOR_TESTS !== undefined)('PostgreSQL', () => {
  describeStore('PostgreSQL', async (migrations) => openTemporaryPostgres(migrations), { remembersForReads: false });
  describeStore(
    'PostgreSQL, each work carried out twice',
    async (migrations) => repeating(openTemporaryPostgres(migrations)),
    { remembersForReads: false },
  );
  describeEventLog('PostgreSQL', async (migrations) => openTemporaryPostgres(migrations));
  describeEventLog('PostgreSQL, each work carried out twice', async (migrations) =>
    repeating(openTemporaryPostgres(migrations)),
  );

  describe('two processes on one database', () => {
    let tested: TemporaryPostgresStore;
    let one: Store;
    let other: Store;

    beforeEach(async () => {
      tested = openTemporaryPostgres([names]);
      one = tested.store;
      other = openPostgresStore(tested.options);
      await Promise.all([one.opened(), other.opened()]);
    });
    afterEach(async () => {
      await other.close();
      await tested.remove();
    });

    const insert = (store: Store, name: string, place = PLACE): Promise<void> =>
      store.write(place, (tx) => tx.run('INSERT INTO names (name) VALUES ($1)', [name]));
    const count = (store: Store): Promise<number | undefined> =>
      store.read(async (tx) => (await tx.get<{ count: number }>('SELECT COUNT(*) AS count FROM names'))?.count);
    const addCounted = (store: Store): Promise<void> =>
      store.write(PLACE, (tx) => tx.run(`INSERT INTO names (name) SELECT 'name ' || COUNT(*) FROM names`));

    test('a work of one waits for a work of the other on the same playbook', async () => {
      await Promise.all(Array.from({ length: 40 }, (_, index) => addCounted(index % 2 === 0 ? one : other)));
      expect(await count(one)).toBe(40);
    });

    test('works that come while the playbook is waited for share the commit', async () => {
      const late: Promise<void>[] = [];
      await one.write(PLACE, async (tx) => {
        await tx.run('INSERT INTO names (name) VALUES ($1)', ['a']);
        const pid = (await tx.get<{ pid: number }>('SELECT pg_backend_pid() AS pid'))?.pid;
        const waiting = `SELECT 1 FROM pg_stat_activity WHERE ${pid} = ANY (pg_blocking_pids(pid))`;
        late.push(insert(other, 'b'));
        await vi.waitFor(async () => expect(await ask(waiting)).toHaveLength(1), { timeout: 20_000 });
        late.push(insert(other, 'c'), insert(other, 'd'));
      });
      await Promise.all(late);
      expect([await count(one), other.counters.commits]).toEqual([4, 1]);
    });

    test('a work on another playbook does not wait', async () => {
      await one.write(PLACE, () => insert(other, 'a', OTHER));
      expect(await count(one)).toBe(1);
    });

    test('what one remembers of a playbook ends with a commit of the other there, and there alone', async () => {
      const memory = createMemory<string>(10);
      const remember = (value: string, place = PLACE): Promise<string | undefined> =>
        one.write(place, async (tx) => {
          const before = memory.get(tx, place.playbook);
          memory.set(tx, place.playbook, value);
          await tx.run('DELETE FROM names WHERE name = $1', ['none']);
          return before;
        });
      await remember('a');
      await remember('z', OTHER);
      expect(await remember('b')).toBe('a');
      await insert(other, 'theirs');
      expect(await remember('c')).toBeUndefined();
      expect(await remember('y', OTHER)).toBe('z');
      await other.write('every playbook', (tx) => tx.run('DELETE FROM names'));
      expect(await remember('x', OTHER)).toBeUndefined();
    });

    test('what is remembered of a playbook is as of the last commit of this process there', async () => {
      const memory = createMemory<string>(10);
      const remembered = (): string | undefined => memory.get({ memory: one.remembered(PLACE) }, 'name');
      expect(remembered()).toBeUndefined();
      await one.write(PLACE, async (tx) => {
        await tx.run('INSERT INTO names (name) VALUES ($1)', ['a']);
        memory.set(tx, 'name', 'a');
      });
      expect(remembered()).toBe('a');
      await other.write(PLACE, (tx) => tx.run(`UPDATE names SET name = 'b'`));
      expect(remembered()).toBe('a');
      await one.write(PLACE, (tx) => tx.run(`DELETE FROM names WHERE name = 'none'`));
      expect(remembered()).toBeUndefined();
    });

    test('a statement whose result is not needed is not waited for', async () => {
      await insert(one, 'a');
      let isAnswered = false;
      const wasAnswered = await one.write(PLACE, async (tx) => {
        void tx.get('SELECT 1').then(() => (isAnswered = true));
        await tx.run('INSERT INTO names (name) VALUES ($1)', ['b']);
        await tx.get('SELECT name FROM names WHERE name = $1', ['c'], 'no row');
        await tx.run('DELETE FROM names WHERE name = $1', ['a'], 'a change');
        return isAnswered;
      });
      expect([wasAnswered, isAnswered, await count(one)]).toEqual([false, true, 1]);
    });

    test('a table that grows has statistics before autovacuum sees it', async () => {
      const { schema } = tested.options;
      const counted = async (): Promise<unknown> =>
        (await ask(`SELECT reltuples FROM pg_class WHERE oid = '${schema}.names'::regclass`))[0]?.['reltuples'];
      const grow = (first: number, last: number): Promise<unknown> =>
        one.write(PLACE, async (tx) => {
          await tx.run(`INSERT INTO names SELECT n::text FROM generate_series(${first}, ${last}) n`);
          // A busy connection reports what it changed once a second.
          return tx.get('SELECT pg_stat_force_next_flush()');
        });
      await grow(1, 1000);
      await expect.poll(counted, { timeout: 20_000 }).toBe(1000);
      await grow(1001, 2500);
      await expect.poll(counted, { timeout: 20_000 }).toBe(2500);
    });

    test('a work on every playbook waits for the works of others', async () => {
      let deleting: Promise<unknown[]> | undefined;
      await one.write(PLACE, async (tx) => {
        deleting = other.write('every playbook', (all) => all.all('DELETE FROM names RETURNING name'));
        await tx.run('INSERT INTO names (name) VALUES ($1)', ['a']);
      });
      expect(await deleting).toEqual([{ name: 'a' }]);
    });

    test('a deadlock is resolved without the callers', async () => {
      await insert(one, 'a');
      await insert(one, 'b');
      const { promise: bothBegan, resolve: bothBegin } = Promise.withResolvers<undefined>();
      let began = 0;
      const touch = (store: Store, place: PlaybookKey, order: readonly string[]): Promise<void> =>
        store.write(place, async (tx) => {
          await tx.get('UPDATE names SET name = name WHERE name = $1 RETURNING name', [order[0] ?? '']);
          if ((began += 1) === 2) bothBegin(undefined);
          await bothBegan;
          await tx.get('UPDATE names SET name = name WHERE name = $1 RETURNING name', [order[1] ?? '']);
        });
      await Promise.all([touch(one, PLACE, ['a', 'b']), touch(other, OTHER, ['b', 'a'])]);
      // The one that is repeated may take its first row before the other gets it, and they meet again.
      expect(began).toBeGreaterThan(2);
    });
  });

  describe('a connection that is cut', () => {
    let tested: TemporaryPostgresStore;
    beforeEach(() => {
      tested = openTemporaryPostgres([names]);
    });
    afterEach(() => tested.remove());

    const cut = (): Promise<unknown> =>
      ask(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE state = 'idle in transaction'
           AND application_name = 'cuebook' AND query LIKE '%${tested.options.schema}%'`);
    const insert = (name: string, afterwards = async (): Promise<unknown> => undefined): Promise<void> =>
      tested.store.write(PLACE, async (tx) => {
        await tx.get(`INSERT INTO names (name) VALUES ($1) RETURNING name /* ${tested.options.schema} */`, [name]);
        await afterwards();
      });
    const stored = (): Promise<{ name: string }[]> =>
      tested.store.read((tx) => tx.all('SELECT name FROM names ORDER BY name'));

    test('during a work is made again, and the work carried out again', async () => {
      let cuts = 0;
      await insert('a', async () => {
        if ((cuts += 1) === 1) await cut();
      });
      expect([cuts, await stored()]).toEqual([2, [{ name: 'a' }]]);
    });

    test('again and again gives unavailable, and nothing was changed', async () => {
      const refused = insert('a', cut);
      await expect(refused).rejects.toThrow(Refused);
      await expect(refused).rejects.toMatchObject({ rejection: { reason: 'unavailable', retryAfter: 1 } });
      expect(await stored()).toEqual([]);
      await insert('b');
      expect(await stored()).toEqual([{ name: 'b' }]);
    });
  });

  describe('opening', () => {
    const open = async (options: Partial<ReturnType<typeof schemaOfItsOwn>>): Promise<void> => {
      const store = openPostgresStore({ ...schemaOfItsOwn([names]), patience: 0, ...options });
      try {
        await store.opened();
      } finally {
        await store.close();
      }
    };
    const at = (change: (url: URL) => unknown): string => {
      const url = new URL(POSTGRES_FOR_TESTS ?? '');
      change(url);
      return url.href;
    };

    test('by several processes at once migrates once', async () => {
      const options = schemaOfItsOwn([names]);
      await Promise.all([1, 2, 3].map(() => open(options)));
      expect(await ask(`SELECT id FROM ${options.schema}.migrations`)).toEqual([{ id: 'test/1' }]);
      await ask(`DROP SCHEMA ${options.schema} CASCADE`);
    });

    test('a schema of a newer version is refused', async () => {
      const options = schemaOfItsOwn([names, { id: 'future/1', sql: 'SELECT 1' }]);
      await open(options);
      await expect(open({ schema: options.schema })).rejects.toThrow(
        `(schema ${options.schema}) was written by a newer Cuebook (it contains future/1).`,
      );
      await ask(`DROP SCHEMA ${options.schema} CASCADE`);
    });

    test.each<[string, (url: URL) => unknown, string]>([
      ['a database that does not exist', (url) => (url.pathname = '/nowhere'), '"nowhere" does not exist'],
      ['a user that does not exist', (url) => (url.username = 'nobody'), '"nobody" does not exist'],
      ['a server that is away', (url) => (url.port = '1'), 'ECONNREFUSED'],
    ])('%s is refused in a sentence without the password', async (_, change, reason) => {
      const url = at((changed) => {
        changed.password = 'canary';
        change(changed);
      });
      const error = await open({ url }).catch((refusal: unknown) => refusal);
      expect(error).toBeInstanceOf(UnusableStoreError);
      expect(String(error)).toContain(reason);
      expect(String(error)).not.toContain('canary');
    });

    test('gives every work the error', async () => {
      const store = openPostgresStore({ ...schemaOfItsOwn([]), url: at((url) => (url.port = '1')), patience: 0 });
      await expect(store.write(PLACE, async () => {})).rejects.toThrow(UnusableStoreError);
      await expect(store.read(async () => {})).rejects.toThrow(UnusableStoreError);
      await store.close();
    });
  });

  test('texts are ordered by code points, and values come back as on SQLite', async () => {
    const migration: Migration = {
      id: 'test/2',
      sql: 'CREATE TABLE kinds (text TEXT NOT NULL, number BIGINT NOT NULL, bytes BYTEA NOT NULL)',
    };
    const tested = openTemporaryPostgres([migration]);
    await tested.store.write(PLACE, async (tx) => {
      for (const text of ['b', 'a', 'B', 'é', '_'])
        await tx.run('INSERT INTO kinds (text, number, bytes) VALUES ($1, $2, $3)', [text, 2 ** 40, Buffer.from([7])]);
    });
    const rows = await tested.store.read((tx) => tx.all('SELECT * FROM kinds ORDER BY text'));
    expect(rows.map((row) => Object.values(row as object)[0])).toEqual(['B', '_', 'a', 'b', 'é']);
    expect(rows[0]).toEqual({ text: 'B', number: 2 ** 40, bytes: Buffer.from([7]) });
    const sums = 'SELECT SUM(number) AS sum, COUNT(*) AS count, MAX(number) > 1 AS large FROM kinds';
    expect(await tested.store.read((tx) => tx.get(sums))).toEqual({ sum: 5 * 2 ** 40, count: 5, large: 1 });
    await tested.remove();
  });
});
