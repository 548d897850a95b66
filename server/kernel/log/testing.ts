// For tests: real stores in folders of their own, and waiting for what the store does by itself.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Clock, createFakeClock } from '../../lib/clock.ts';
import { yieldToEventLoop } from '../../lib/event-loop.ts';
import { createRepeatingStore } from './repeating-store.testing.ts';
import { openSqliteStore } from './sqlite/store.ts';
import type { Migration } from './migration.ts';
import type { Store } from './store.ts';

export function createTemporaryFolder(): { folder: string; remove: () => void } {
  const folder = mkdtempSync(path.join(tmpdir(), 'cuebook-'));
  return { folder, remove: () => rmSync(folder, { recursive: true, force: true }) };
}

/** What a contract suite needs of a store; each adapter opens its own. */
export interface TestedStore {
  store: Store;
  /** Closes the store and opens its database again. */
  reopen(): Promise<Store>;
  /** Closes the store and removes its folder. */
  remove(): Promise<void>;
}

export interface TemporaryStore extends TestedStore {
  file: string;
}

/** The store each of whose works is carried out twice. */
export function repeating(tested: TestedStore): TestedStore {
  return {
    store: createRepeatingStore(tested.store),
    reopen: async () => createRepeatingStore(await tested.reopen()),
    remove: () => tested.remove(),
  };
}

/** A SQLite store in a folder of its own. An unknown commit is an error nobody catches. */
export function openTemporaryStore(
  migrations: readonly Migration[],
  clock: Clock = createFakeClock(),
  options: { threadAfter?: number } = {},
): TemporaryStore {
  const { folder, remove } = createTemporaryFolder();
  const file = path.join(folder, 'cuebook.db');
  const open = (): FollowedStore => {
    const opened = followed(openSqliteStore({ ...options, file, migrations, clock, onUnknownCommit: failTest }));
    openStores.add(opened);
    return opened;
  };
  const close = async (opened: FollowedStore): Promise<void> => {
    openStores.delete(opened);
    await opened.close();
  };
  let store = open();
  return {
    store,
    file,
    async reopen() {
      await close(store);
      store = open();
      return store;
    },
    async remove() {
      await close(store);
      remove();
    },
  };
}

function failTest(sentence: string): void {
  throw new Error(sentence);
}

/** A store that knows what it was asked and has not answered. */
interface FollowedStore extends Store {
  asked: Set<Promise<unknown>>;
}

function followed(store: Store): FollowedStore {
  const asked = new Set<Promise<unknown>>();
  const follow = <T>(asking: Promise<T>): Promise<T> => {
    const ended = asking.catch(() => {}).finally(() => asked.delete(ended));
    asked.add(ended);
    return asking;
  };
  return {
    ...store,
    asked,
    write: (scope, work) => follow(store.write(scope, work)),
    read: (work) => follow(store.read(work)),
  };
}

/** Stores that tests hold open: what they do by themselves goes through them. */
const openStores = new Set<FollowedStore>();

/** Lets everything that needs no clock come to its end: each round follows what the last one left in the stores. */
export async function settle(rounds = 12): Promise<void> {
  for (let round = 0; round < rounds; round += 1) {
    for (const store of openStores) {
      // A work of one's own is answered behind those that waited before it, where all wait in one queue.
      await store.write('no playbook', async () => {}).catch(() => {});
      await Promise.all(store.asked);
    }
    for (let turn = 0; turn < 5; turn += 1) await yieldToEventLoop();
  }
}
