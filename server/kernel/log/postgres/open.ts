import type { Store, StoreCounters } from '../store.ts';
import { createPeers } from './peers.ts';
import type { PostgresStoreOptions } from './store.ts';

/** Opens a store on PostgreSQL. Its driver is loaded here alone: loading it would slow down every start on SQLite. */
export function openPostgresStore(options: PostgresStoreOptions): Store {
  const counters: StoreCounters = { commits: 0, statements: 0 };
  const peers = createPeers({
    leaseEnd: async (holder) => (await loading).shared.leaseEnd(holder),
    lookForExpired: async () => (await loading).shared.lookForExpired(),
  });
  const loading = import('./store.ts').then(({ createPostgresStore }) => createPostgresStore(options, counters, peers));
  return {
    counters,
    shared: peers.shared,
    opened: async () => (await loading).opened(),
    write: async (scope, work) => (await loading).write(scope, work),
    read: async (work) => (await loading).read(work),
    close: async () => (await loading).close(),
  };
}
