// Leases by the database's clock: two processes on one store. Skipped where processes do not share it:
// `npm run test:postgres` runs these tests on PostgreSQL.
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { POSTGRES_FOR_TESTS } from '../log/postgres/testing.ts';
import type { SharedStore, Store } from '../log/index.ts';
import { createTasks, freeExpiredClaims, type Task, type TaskHandler, type Tasks } from './index.ts';
import {
  add,
  clock,
  committed,
  createHeldHandler,
  done,
  failures,
  left,
  openOther,
  record,
  renewForEachTest,
  start,
  store,
  tasks,
} from './runner.testing.ts';

renewForEachTest();

const sharedOf = ({ shared }: Store): SharedStore => {
  if (shared === undefined) throw new Error('Processes share this store.');
  return shared;
};

describe.runIf(POSTGRES_FOR_TESTS !== undefined)('a lease that processes share', () => {
  let other: Store;
  let otherTasks: Tasks;
  /** Tasks as the other process got them. */
  let taken: Task[];

  beforeEach(() => {
    other = openOther();
    otherTasks = createTasks();
    taken = [];
  });

  const take: TaskHandler = async (task, lease) => {
    taken.push(task);
    await record(task, lease, other);
  };
  const startOther = () => {
    sharedOf(other).onExpired((holders) => freeExpiredClaims(other, otherTasks, holders));
    start(take, { store: other, tasks: otherTasks });
  };
  const lookForExpired = () => sharedOf(other).lookForExpired();
  /** Ends the lease of this process, as if it had been stopped for longer than that. */
  async function expire(): Promise<void> {
    const { id } = sharedOf(store).holder();
    await other.write('no playbook', (tx) =>
      tx.run(`UPDATE holders SET expires_at = clock_timestamp() - interval '1 second' WHERE holder = $1`, [id]),
    );
  }
  /** A task that is being carried out here. */
  async function givenHeld(key: string): Promise<{ goOn: () => void }> {
    const { held, handler } = createHeldHandler();
    start(handler);
    await add(key);
    await vi.waitFor(() => expect(held).toHaveLength(1));
    return { goOn: () => held[0]?.goOn() };
  }

  test('is kept however long the task takes by the clock of a process', async () => {
    const { goOn } = await givenHeld('long');
    startOther();
    clock.advance(30 * 60_000);
    await lookForExpired();
    expect(taken).toEqual([]);
    goOn();
    await vi.waitFor(() => expect(done).toEqual(['long']));
    expect(failures).toEqual([]);
  });

  test('that expired is taken over; the try and a death count, and the late one is dropped with all it did', async () => {
    const { goOn } = await givenHeld('contested');
    startOther();
    await expire();
    await lookForExpired();
    await vi.waitFor(() => expect(done).toEqual(['contested']));
    expect(taken).toMatchObject([{ key: 'contested', tries: 1, deaths: 1 }]);
    goOn();
    // The first write finds out that the lease is lost.
    await vi.waitFor(() => store.write('no playbook', async () => {}));
    expect(await committed()).toEqual(['contested']);
    expect(taken).toHaveLength(1);
  });

  test('that expired while its holder slept is claimed again by it, and no death counts', async () => {
    const tries: object[] = [];
    const { held, handler } = createHeldHandler();
    sharedOf(store).onExpired((holders) => freeExpiredClaims(store, tasks, holders));
    start((task, lease) => {
      tries.push({ tries: task.tries, deaths: task.deaths });
      return handler(task, lease);
    });
    await add('slept');
    for (let sleeps = 0; sleeps <= 3; sleeps += 1) {
      await vi.waitFor(() => expect(held).toHaveLength(sleeps + 1));
      if (sleeps === 3) break;
      await expire();
      // Any write finds out.
      await expect(store.write('no playbook', async () => {})).rejects.toThrow('lost its lease');
      await sharedOf(store).lookForExpired();
    }
    held[3]?.goOn();
    await vi.waitFor(() => expect(done).toEqual(['slept']));
    expect(tries).toEqual([0, 1, 2, 3].map((count) => ({ tries: count, deaths: 0 })));
    expect(await committed()).toEqual(['slept']);
  });

  test('that is lost lets its holder record nothing, though nobody has taken the task over yet', async () => {
    const { goOn } = await givenHeld('late');
    const before = sharedOf(store).holder();
    await expire();
    // Any write finds out.
    await expect(store.write('no playbook', async () => {})).rejects.toThrow('lost its lease');
    expect(before.lost.aborted).toBe(true);
    goOn();
    await store.write('no playbook', async () => {});
    expect(await committed()).toEqual([]);
    expect(await left()).toMatchObject([{ key: 'late', claimed_by: before.id, tries: 0 }]);
  });

  test('that is lost lets its holder count no failed try either', async () => {
    const before = sharedOf(store).holder();
    const { promise: failing, reject } = Promise.withResolvers<void>();
    const begun = vi.fn<() => void>();
    start(() => {
      begun();
      return failing;
    });
    await add('failing');
    await vi.waitFor(() => expect(begun).toHaveBeenCalled());
    await expire();
    reject(new Error('failed'));
    await vi.waitFor(() => expect(before.lost.aborted).toBe(true));
    // The write that was refused is tried again after a while, in the name of another holder.
    await vi.waitFor(() => expect(failures.some(({ task }) => task?.key === 'failing')).toBe(true));
    clock.advance(60_000);
    await store.write('no playbook', async () => {});
    expect(await left()).toMatchObject([{ key: 'failing', claimed_by: before.id, tries: 0 }]);
  });

  test('is given back by a stop, and no try is counted', async () => {
    const grace = new AbortController();
    const { held, handler } = createHeldHandler();
    const runner = start(handler, { graceOver: grace.signal });
    await add('slow');
    await vi.waitFor(() => expect(held).toHaveLength(1));
    const stop = runner.stop();
    grace.abort();
    await stop;
    startOther();
    await vi.waitFor(() => expect(done).toEqual(['slow']));
    expect(taken).toMatchObject([{ key: 'slow', tries: 0, deaths: 0 }]);
  });
});
