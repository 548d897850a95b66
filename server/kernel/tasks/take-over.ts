// The claims of a process whose lease has expired, where several processes share the store.
import type { Store } from '../log/index.ts';
import { freeClaimsIn, selectClaimants, selectPlacesOfClaims } from './claims-sql.ts';
import { TASK_TABLES } from './sql.ts';
import type { Tasks } from './tasks.ts';

/** Everyone who has claimed a task. */
export function readClaimants(store: Store): Promise<string[]> {
  return store.read(selectClaimants);
}

/**
 * Frees what expired holders claimed; what they began counts as a try, and as a death unless the holder was this process,
 * which slept: another process that was stopped cannot be told from one that died. In each playbook under its lock, so that no task of it is being finished meanwhile.
 */
export async function freeExpiredClaims(store: Store, tasks: Tasks, holders: readonly string[]): Promise<void> {
  let areFreed = false;
  const haveDied = (holder: string): boolean => store.shared?.isOwn(holder) !== true;
  for (const table of TASK_TABLES) {
    for (const holder of holders) {
      const places = await store.read((tx) => selectPlacesOfClaims(tx, table, holder));
      for (const place of places)
        await store.write(place, (tx) => freeClaimsIn(tx, table, place, { holder, hasDied: haveDied(holder) }));
      areFreed ||= places.length > 0;
    }
  }
  if (areFreed) tasks.wake();
}
