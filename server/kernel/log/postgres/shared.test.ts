import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { Refused } from '../../../lib/rejection.ts';
import type { Migration } from '../migration.ts';
import type { PlaybookKey } from '../event.ts';
import type { SharedStore } from '../shared-store.ts';
import type { Store } from '../store.ts';
import { wasCommitted } from './unknown-commit.ts';
import { openPool } from './pool.ts';
import { openPostgresStore } from './open.ts';
import { ask, openTemporaryPostgres, POSTGRES_FOR_TESTS, type TemporaryPostgresStore } from './testing.ts';

const PLACE: PlaybookKey = { org: 'acme', playbook: 'support' };
const names: Migration = { id: 'test/1', sql: 'CREATE TABLE names (name TEXT NOT NULL PRIMARY KEY);' };

// Without a database there is nothing to test: `npm run test:postgres` starts one.
describe.runIf(POSTGRES_FOR_TESTS !== undefined)('processes that share a schema', () => {
  let tested: TemporaryPostgresStore;
  let one: Store;
  let other: Store;

  beforeEach(async () => {
    tested = openTemporaryPostgres([names]);
    one = tested.store;
    other = openPostgresStore(tested.options);
    // Each has a lease once it has written.
    await Promise.all([one, other].map((store) => store.write('no playbook', async () => {})));
  });
  afterEach(async () => {
    await other.close();
    await tested.remove();
  });

  const sharedOf = ({ shared }: Store): SharedStore => {
    if (shared === undefined) throw new Error('PostgreSQL is shared.');
    return shared;
  };
  const expire = (store: Store): Promise<unknown> =>
    ask(
      `UPDATE ${tested.options.schema}.holders SET expires_at = now() - interval '1 second'
       WHERE holder = '${sharedOf(store).holder().id}'`,
    );
  const insert = (store: Store, name: string): Promise<void> =>
    store.write(PLACE, (tx) => tx.run('INSERT INTO names (name) VALUES ($1)', [name]));
  const stored = async (): Promise<unknown[]> => ask(`SELECT name FROM ${tested.options.schema}.names`);

  test('learn of the commits and topics of each other, not of their own', async () => {
    const heard: unknown[] = [];
    for (const [name, store] of Object.entries({ one, other })) {
      sharedOf(store).onCommittedElsewhere((place) => heard.push([name, place]));
      sharedOf(store).onAnnounced((topic) => heard.push([name, topic]));
    }
    // A store that has opened may not listen yet: what it misses is lost to it.
    await vi.waitFor(
      () => {
        sharedOf(one).announce('is there');
        expect(heard).toContainEqual(['other', 'is there']);
      },
      { timeout: 10_000 },
    );
    await insert(one, 'a');
    sharedOf(one).announce('tasks');
    await vi.waitFor(() => {
      expect(heard).toContainEqual(['other', PLACE]);
      expect(heard).toContainEqual(['other', 'tasks']);
    });
    expect(heard).not.toContainEqual(['one', 'tasks']);
  });

  test('open no connection after they were closed', async () => {
    const closed = openPostgresStore(tested.options);
    await closed.write('no playbook', async () => {});
    await closed.close();
    await expect(sharedOf(closed).leaseEnd(sharedOf(one).holder().id)).rejects.toThrow('The store is closed.');
  });

  test('find a commit whose notification was lost', async () => {
    const heard: PlaybookKey[] = [];
    sharedOf(other).onCommittedElsewhere((place) => heard.push(place));
    // As of another database, which this one was restored from.
    await ask(`INSERT INTO ${tested.options.schema}.playbook_queues (org, playbook, version, changed_by)
      VALUES ('acme', 'restored', 1, '9223372036854775807')`);
    // A commit without a notification, as if it was lost; the first look only finds out where to look from.
    await vi.waitFor(
      async () => {
        await ask(
          `INSERT INTO ${tested.options.schema}.playbook_queues AS queue (org, playbook, version) VALUES ('acme', 'quiet', 1)
           ON CONFLICT (org, playbook) DO UPDATE SET version = queue.version + 1, changed_by = pg_current_xact_id()`,
        );
        expect(heard).toContainEqual({ org: 'acme', playbook: 'quiet' });
      },
      { timeout: 8000, interval: 400 },
    );
    expect(heard).not.toContainEqual({ org: 'acme', playbook: 'restored' });
  });

  test('write nothing under a lease that has expired, and become another holder', async () => {
    await insert(one, 'before');
    const before = sharedOf(one).holder();
    await expire(one);
    const refused = await insert(one, 'late').catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Refused);
    expect((refused as Refused).rejection).toMatchObject({ reason: 'unavailable', retryAfter: 1 });
    expect(before.lost.aborted).toBe(true);
    await insert(one, 'after');
    expect(sharedOf(one).holder().id).not.toBe(before.id);
    expect(await stored()).toEqual([{ name: 'before' }, { name: 'after' }]);
  });

  test('commit nothing of a transaction that outlasts the lease of its holder', async () => {
    await insert(one, 'before');
    const { id } = sharedOf(one).holder();
    const leaveSeconds = (seconds: number): Promise<unknown> =>
      ask(
        `UPDATE ${tested.options.schema}.holders SET expires_at = clock_timestamp() + interval '${seconds} seconds'
         WHERE holder = '${id}'`,
      );
    await leaveSeconds(8);
    const refused = await one
      .write(PLACE, async (tx) => {
        await tx.run('INSERT INTO names (name) VALUES ($1)', ['late']);
        await leaveSeconds(0);
      })
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(Refused);
    expect(await stored()).toEqual([{ name: 'before' }]);
    await insert(one, 'after');
    expect(sharedOf(one).holder().id).not.toBe(id);
    expect(await stored()).toEqual([{ name: 'before' }, { name: 'after' }]);
  });

  test('commit what ends before a lease that is about to expire', async () => {
    await ask(
      `UPDATE ${tested.options.schema}.holders SET expires_at = clock_timestamp() + interval '8 seconds'
       WHERE holder = '${sharedOf(one).holder().id}'`,
    );
    await insert(one, 'in time');
    expect(await stored()).toEqual([{ name: 'in time' }]);
  });

  test('do not take the commit of another transaction for a lost one that had its id', async () => {
    await insert(one, 'a');
    const holder = sharedOf(one).holder();
    const scope = JSON.stringify([PLACE.org, PLACE.playbook]);
    const [named] = await ask(`SELECT name, xmin::text AS transaction FROM ${tested.options.schema}.last_commits
      WHERE holder = '${holder.id}' AND scope = '${scope}'`);
    const [transaction, name] = [String(named?.['transaction']), String(named?.['name'])];
    const pool = openPool(tested.options, 1);
    const was = (id: string, as: string) =>
      wasCommitted(
        { transaction: id, holder, scope, name: as },
        { pool, isClosing: () => false, whileUnknown: () => {} },
      );
    try {
      expect(await was(transaction, name)).toBe(true);
      expect(await was(transaction, 'lost in a crash')).toBe(false);
      // An id that no transaction has yet, since the crash lost those that had one.
      expect(await was('4000000000', 'lost in a crash')).toBe(false);
    } finally {
      await pool.end();
    }
  });

  test('keep their lease by renewing it', async () => {
    const { shared } = one;
    const { id } = sharedOf(one).holder();
    const first = await shared?.leaseEnd(id);
    await vi.waitFor(async () => expect(await shared?.leaseEnd(id)).toBeGreaterThan(first ?? Infinity), {
      timeout: 8000,
    });
    expect(sharedOf(one).holder().lost.aborted).toBe(false);
  });

  test('take over what another one held, whether its lease expired or was given back', async () => {
    const taken = new Set<string>();
    sharedOf(other).onExpired(async (holders) => holders.forEach((holder) => taken.add(holder)));
    const gone = sharedOf(one).holder().id;
    await expire(one);
    await sharedOf(other).lookForExpired();
    expect([...taken]).toEqual([gone]);
    const leaving = openPostgresStore(tested.options);
    await insert(leaving, 'a');
    const left = sharedOf(leaving).holder().id;
    await leaving.close();
    await vi.waitFor(() => expect(taken).toContain(left));
    expect(await sharedOf(other).leaseEnd(left)).toBeUndefined();
  });
});
