import { afterEach, beforeEach, expect, test } from 'vitest';
import type { SharedStore } from '../../kernel/log/index.ts';
import { openTemporaryStore, type TemporaryStore } from '../../kernel/log/testing.ts';
import { createFakeClock, type FakeClock } from '../../lib/clock.ts';
import { createViewLeases, type ViewLeases } from './view-leases.ts';
import { viewMigrations } from './sql.ts';

const KEY = { org: 'acme', playbook: 'desk', name: 'count' };

let clock: FakeClock;
let temporary: TemporaryStore;
/** Holders whose lease lasts. */
let held: Set<string>;

beforeEach(() => {
  clock = createFakeClock();
  temporary = openTemporaryStore(viewMigrations, clock);
  held = new Set(['one', 'other']);
});
afterEach(() => temporary.remove());

/** The leases of views as a process of this name takes them. */
function leasesOf(id: string): ViewLeases {
  const shared: Pick<SharedStore, 'holder' | 'leaseEnd'> = {
    holder: () => ({ id, lost: new AbortController().signal }),
    leaseEnd: async (holder) => (held.has(holder) ? clock.now() + 15_000 : undefined),
  };
  return createViewLeases(temporary.store, shared, clock);
}

test('a process that asks twice at once does not lose the lease to itself', async () => {
  const one = leasesOf('one');
  expect(await Promise.all([one.take(KEY), one.take(KEY)])).toEqual([true, true]);
  expect(await one.take(KEY)).toBe(true);
});

test('one of two processes gets the lease, and the other one once that of the first has expired', async () => {
  const [one, other] = [leasesOf('one'), leasesOf('other')];
  const taken = await Promise.all([one.take(KEY), other.take(KEY)]);
  expect(taken.filter(Boolean)).toHaveLength(1);
  const [keeps, waits, keeper] = taken[0] ? [one, other, 'one'] : [other, one, 'other'];
  clock.advance(60_000);
  expect(await waits.take(KEY)).toBe(false);
  held.delete(keeper);
  // What another process holds is looked at again after two seconds.
  expect(await waits.take(KEY)).toBe(false);
  clock.advance(2000);
  expect(await waits.take(KEY)).toBe(true);
  clock.advance(2000);
  expect(await keeps.take(KEY)).toBe(false);
});
