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
import { type Clock, isoTime } from '../../../lib/clock.ts';
import { yieldToEventLoop } from '../../../lib/event-loop.ts';
import { inOrder } from '../../../lib/in-order.ts';
import { unavailable } from '../../../lib/rejection.ts';
import type { PlaybookKey } from '../event.ts';
import type { Migration } from '../migration.ts';
import {
  type ReadTransaction,
  type Store,
  type StoreCounters,
  tellSafely,
  type WriteScope,
  type WriteTransaction,
  UnusableStoreError,
} from '../store.ts';
import type { SharedStore } from '../shared-store.ts';
import type { DatabaseStanding, ReportedStanding } from '../database-standing.ts';
import { carryOutAlone } from './alone.ts';
import type { Work } from './carry-out-works.ts';
import { type CommitOptions, commitWorks, HolderLost, UnknownEnding } from './commit.ts';
import { begin, breakConnections, type DatabaseAddress, openPool, query, send, withConnection } from './connections.ts';
import { madeOnce } from '../inner-commits.ts';
import { createCourier } from './courier.ts';
import { refusalOf, unreachable } from './failures.ts';
import { migrate, PATIENCE } from './migrate.ts';
import type { Peers } from './peers.ts';
import { createRemembered } from './remembered.ts';
import { statementsBy } from './transaction.ts';
import { createWatch } from './watch.ts';

/** Works that one commit takes at most, so that those who wait are answered in time. */
const MOST_WORKS_A_COMMIT = 256;
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

interface WaitingWork extends Work {
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** What it gives of SharedStore: `peers` gives the rest. */
export type PostgresStore = Omit<Store, 'shared' | 'standing'> &
  Pick<DatabaseStanding, 'alone'> & { shared: Pick<SharedStore, 'leaseEnd' | 'lookForExpired'> };

/** @param told what it counts in, and what it tells of other processes and of the database */
export function createPostgresStore(
  options: PostgresStoreOptions,
  told: { counters: StoreCounters; peers: Peers; standing: ReportedStanding },
): PostgresStore {
  const { counters, peers, standing } = told;
  const { migrations, clock, poolSize, patience = PATIENCE } = options;
  const address: DatabaseAddress = { url: options.url, schema: options.schema };
  const works = openPool(address, poolSize);
  const reads = openPool(address, poolSize);
  const pools = [works, reads];
  const watch = createWatch(address, {
    standing,
    breakConnections: () => pools.forEach(breakConnections),
  });
  let isClosed = false;
  const committing: CommitOptions = {
    pool: works,
    counters,
    remembered: createRemembered(),
    peers,
    isClosing: () => isClosed,
  };
  const now = (): string => isoTime(clock.now());
  const opening = migrate({ address, migrations, patience, now, isClosed: () => isClosed }).then(() =>
    isClosed ? undefined : watch.start(),
  );
  const courier = createCourier(address, peers, counters);
  // Each work that waits for it gets the error.
  opening.then(
    () => isClosed || courier.start(),
    () => {},
  );

  /** Works that wait, by what they are on. */
  const queues = new Map<string, WaitingWork[]>();
  const flushing = new Set<Promise<void>>();
  const onPlaybooks = createPlaces(Math.max(1, poolSize - SPARE_CONNECTIONS));

  /** @param whileUnknown called while those that wait would wait for a database that is away */
  async function commitFirst(
    queue: WaitingWork[],
    { scope, holder }: WaitingWork,
    whileUnknown: () => void,
  ): Promise<void> {
    let taken: readonly WaitingWork[] | undefined;
    /** The same works each time the transaction is tried. */
    const take = (): readonly WaitingWork[] => (taken ??= takeTogether(queue));
    try {
      await opening;
      await courier.registered();
      const { outcomes, told } = await commitWorks({ scope, holder, take }, { ...committing, whileUnknown });
      for (const tell of told) tellSafely(tell);
      take().forEach(({ resolve, reject }, index) => {
        const outcome = outcomes[index];
        if (outcome === undefined) resolve();
        else reject(outcome.error);
      });
    } catch (error) {
      if (error instanceof UnknownEnding) {
        isClosed = true;
        options.onUnknownCommit(error.message);
        return;
      }
      if (error instanceof HolderLost) peers.lose(holder);
      const refusal = refusalFor(error);
      for (const { reject } of take()) reject(refusal);
    }
  }

  async function flush(key: string, queue: WaitingWork[]): Promise<void> {
    for (let [first] = queue; first !== undefined; [first] = queue) {
      await yieldToEventLoop();
      let hasPlace = typeof first.scope === 'object';
      if (hasPlace) await onPlaybooks.take();
      const leave = (): void => {
        if (hasPlace) onPlaybooks.leave();
        hasPlace = false;
      };
      await commitFirst(queue, first, () => {
        leave();
        for (const { reject } of queue.splice(0)) reject(unreachable());
      });
      leave();
    }
    queues.delete(key);
  }

  function enqueue(work: WaitingWork): void {
    const key = keyOf(work.scope);
    const waiting = queues.get(key);
    if (waiting !== undefined) {
      waiting.push(work);
      return;
    }
    const queue = [work];
    queues.set(key, queue);
    const flushed = flush(key, queue);
    flushing.add(flushed);
    void flushed.finally(() => flushing.delete(flushed));
  }

  return {
    counters,
    shared: courier,
    alone: (work) => carryOutAlone(address, work),
    opened: () => opening,
    write<T>(scope: WriteScope, work: (tx: WriteTransaction) => Promise<T>): Promise<T> {
      if (isClosed) return Promise.reject(unavailable('The store is closed.'));
      return new Promise<T>((resolve, reject) => {
        let answered: T;
        const kept = async (tx: WriteTransaction): Promise<void> => {
          answered = await work(tx);
        };
        enqueue({ scope, holder: peers.holder(), work: kept, resolve: () => resolve(answered), reject });
      });
    },
    async read<T>(work: (tx: ReadTransaction) => Promise<T>): Promise<T> {
      if (isClosed) throw unavailable('The store is closed.');
      await opening;
      try {
        return await withConnection(reads, async (client) => {
          const begun = begin(client, 'BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
          const working = work({
            ...statementsBy((sql, parameters) => query(client, sql, parameters), counters),
            remembered: () => undefined,
          });
          try {
            return await inOrder(begun, working);
          } finally {
            send(client, 'COMMIT');
          }
        });
      } catch (error) {
        throw refusalOf(error) ?? error;
      }
    },
    async readAssumed<T>(
      place: PlaybookKey,
      work: (tx: ReadTransaction, isAssumed: boolean) => Promise<T>,
    ): Promise<T> {
      const values = committing.remembered.last(place);
      if (values !== undefined && !isClosed) {
        try {
          return await work({ ...NO_STATEMENTS, remembered: (make) => madeOnce(values, make) }, true);
        } catch {
          // It lacks something, or is refused, which may have changed: what holds is read.
        }
      }
      return this.read((tx) => work(tx, false));
    },
    async close() {
      isClosed = true;
      await opening.catch(() => {});
      await Promise.all(flushing);
      await courier.close();
      await watch.close();
      await Promise.all(pools.map((pool) => pool.end()));
    },
  };
}

const refuseStatement = (): Promise<never> => Promise.reject(new Error('It is not remembered.'));
const NO_STATEMENTS = { all: refuseStatement, get: refuseStatement };

/** Takes the first works that wait, as far as they are in the name of one holder. */
function takeTogether(queue: WaitingWork[]): WaitingWork[] {
  const holder = queue[0]?.holder;
  const other = queue.findIndex((work) => work.holder !== holder);
  return queue.splice(0, Math.min(MOST_WORKS_A_COMMIT, other === -1 ? queue.length : other));
}

function refusalFor(error: unknown): unknown {
  if (error instanceof UnusableStoreError) return error;
  if (error instanceof HolderLost) {
    return unavailable('The server lost its lease while it worked on the request, so nothing was changed. Try again.', {
      retryAfter: 1,
    });
  }
  return refusalOf(error) ?? error;
}

function keyOf(scope: WriteScope): string {
  return typeof scope === 'string' ? scope : JSON.stringify([scope.org, scope.playbook]);
}

/** So many places; who finds none waits for one. */
function createPlaces(count: number): { take(): Promise<void>; leave(): void } {
  let free = count;
  const waiting: (() => void)[] = [];
  return {
    async take() {
      if (free > 0) free -= 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
    },
    leave() {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    },
  };
}
