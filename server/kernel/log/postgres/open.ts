import type { Store, StoreCounters } from '../store.ts';
import { createStanding } from '../database-standing.ts';
import { memoryOf } from '../transaction-memory.ts';
import { createPeers } from './peers.ts';
import type { DatabaseAddress } from './pool.ts';
import type { LookedAtDatabase } from './look.ts';
import { createRemembered } from './remembered.ts';
import type { PostgresStoreOptions } from './store.ts';

/** Opens a store on PostgreSQL. Its driver is loaded here alone: loading it would slow down every start on SQLite. */
export function openPostgresStore(options: PostgresStoreOptions): Store {
  const counters: StoreCounters = { commits: 0, statements: 0 };
  const peers = createPeers({
    leaseEnd: async (holder) => (await loading).shared.leaseEnd(holder),
    lookForExpired: async () => (await loading).shared.lookForExpired(),
  });
  const remembered = createRemembered();
  const standing = createStanding(async (work) => (await loading).alone(work));
  const loading = import('./store.ts').then(({ createPostgresStore }) =>
    createPostgresStore(options, { counters, peers, standing, remembered }),
  );
  return {
    counters,
    shared: peers.shared,
    standing,
    opened: async () => (await loading).opened(),
    write: async (scope, work) => (await loading).write(scope, work),
    read: async (work) => (await loading).read(work),
    remembered: (playbookKey) => memoryOf(() => remembered.last(playbookKey)),
    close: async () => (await loading).close(),
  };
}

/** What a database holds, without changing it. @throws UnusableStoreError */
export async function lookIntoPostgres(address: DatabaseAddress): Promise<LookedAtDatabase> {
  return (await import('./look.ts')).lookIntoPostgres(address);
}
