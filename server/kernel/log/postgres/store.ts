// The store on PostgreSQL, which any number of processes may share.
//
// 1. The works of this process on one playbook wait in one queue. Those that wait when the playbook is taken share a
//    transaction (commit.ts), so that a lock and a synced commit are paid once for many. Each caller is answered after the commit.
// 2. Works on different playbooks run side by side, on at most so many playbooks that the pool keeps connections for works
//    on no playbook: a playbook that is blocked by another process blocks nothing else.
// 3. A work that a deadlock or a lost connection undid is carried out again. Where the database stays away, the caller is
//    refused `unavailable`, and the next one finds out whether it is back.
// 4. Reads see one snapshot, on connections of their own.
// 5. A work is carried out in the name of the holder that this process was when it was asked for. Where that one's lease has
//    expired since, the caller is refused `unavailable`.
import type { Pool } from 'pg';
import { type Clock, isoTime } from '../../../lib/clock.ts';
import { inOrder } from '../../../lib/in-order.ts';
import { unavailable } from '../../../lib/rejection.ts';
import type { DatabaseStanding, ReportedStanding } from '../database-standing.ts';
import type { Migration } from '../migration.ts';
import type { SharedStore } from '../shared-store.ts';
import type { ReadTransaction, Store, StoreCounters, WriteScope, WriteTransaction } from '../store.ts';
import { memoryOf } from '../transaction-memory.ts';
import { carryOutAlone } from './alone.ts';
import type { CommitOptions } from './commit.ts';
import { begin, query, send, withConnection } from './connections.ts';
import { Courier } from './courier.ts';
import { refusalOf } from './failures.ts';
import { migrate, PATIENCE } from './migrate.ts';
import type { Peers } from './peers.ts';
import { breakConnections, type DatabaseAddress, openPool } from './pool.ts';
import type { Remembered } from './remembered.ts';
import { counting, readsBy } from './transaction.ts';
import { createWatch } from './watch.ts';
import { WriteQueues } from './write-queues.ts';

/** Connections that works on playbooks leave to works on none. */
const SPARE_CONNECTIONS = 2;

export interface PostgresStoreOptions extends DatabaseAddress {
  /** Connections for works, and as many for reads; at least 3. */
  poolSize: number;
  migrations: readonly Migration[];
  clock: Clock;
  /** Milliseconds for which a server that is away at the start is tried. */
  patience?: number;
  /** Ends the process: PostgreSQL cannot tell whether the last commit happened. Nothing is answered after it. */
  onUnknownCommit: (sentence: string) => void;
}

/** What it gives of SharedStore: `peers` gives the rest. */
export type PostgresStore = Omit<Store, 'shared' | 'standing' | 'remembered'> &
  Pick<DatabaseStanding, 'alone'> & { shared: Pick<SharedStore, 'leaseEnd' | 'lookForExpired'> };

/** What is there before its driver is loaded. */
export interface PostgresStoreParts {
  counters: StoreCounters;
  peers: Peers;
  standing: ReportedStanding;
  remembered: Remembered;
}

export function createPostgresStore(
  options: PostgresStoreOptions,
  { counters, peers, standing, remembered }: PostgresStoreParts,
): PostgresStore {
  const { migrations, clock, poolSize, patience = PATIENCE } = options;
  const address: DatabaseAddress = { url: options.url, schema: options.schema };
  const works = openPool(address, poolSize);
  const reads = openPool(address, poolSize);
  const pools = [works, reads];
  const watch = createWatch(address, { standing, breakConnections: () => pools.forEach(breakConnections) });
  let isClosed = false;
  const committing: CommitOptions = { pool: works, counters, remembered, peers, isClosing: () => isClosed };
  const now = (): string => isoTime(clock.now());
  const opening = migrate({ address, migrations, patience, now, isClosed: () => isClosed }).then(() =>
    isClosed ? undefined : watch.start(),
  );
  const courier = new Courier(address, peers, counters);
  // Each work that waits for it gets the error.
  opening.then(
    () => isClosed || courier.start(),
    () => {},
  );

  const queues = new WriteQueues({
    committing,
    mostPlaybooks: Math.max(1, poolSize - SPARE_CONNECTIONS),
    async untilReady() {
      await opening;
      await courier.registered();
    },
    onUnknownCommit(sentence) {
      isClosed = true;
      options.onUnknownCommit(sentence);
    },
  });

  return {
    counters,
    shared: courier,
    alone: (work) => carryOutAlone(address, work),
    opened: () => opening,
    write<T>(scope: WriteScope, work: (tx: WriteTransaction) => Promise<T>): Promise<T> {
      if (isClosed) return Promise.reject(unavailable('The store is closed.'));
      return queues.write(scope, peers.holder(), work);
    },
    async read<T>(work: (tx: ReadTransaction) => Promise<T>): Promise<T> {
      if (isClosed) throw unavailable('The store is closed.');
      await opening;
      try {
        return await readSnapshot(reads, counters, work);
      } catch (error) {
        throw refusalOf(error) ?? error;
      }
    },
    async close() {
      isClosed = true;
      await opening.catch(() => {});
      await queues.flushed();
      await courier.close();
      await watch.close();
      await Promise.all(pools.map((pool) => pool.end()));
    },
  };
}

/** Another process may have written since this one did. */
const NOTHING_REMEMBERED = memoryOf(() => undefined);

function readSnapshot<T>(pool: Pool, counters: StoreCounters, work: (tx: ReadTransaction) => Promise<T>): Promise<T> {
  return withConnection(pool, async (client) => {
    const begun = begin(client, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
    const execute = counting(counters, (sql, parameters) => query(client, sql, parameters));
    const working = work({ ...readsBy(execute), memory: NOTHING_REMEMBERED });
    try {
      return await inOrder(begun, working);
    } finally {
      send(client, 'COMMIT');
    }
  });
}
