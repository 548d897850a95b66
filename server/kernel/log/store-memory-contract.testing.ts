// What a store guarantees of what its process remembers (memory.ts): a part of store-contract.testing.ts.
import { beforeEach, describe, expect, test } from 'vitest';
import type { PlaybookKey, Store, WriteTransaction } from './index.ts';
import { createMemory, createRowMemory } from './index.ts';

export interface MemoryFixture {
  playbookKey: PlaybookKey;
  /** The store of the current test. */
  store: () => Store;
  /** Closes it and opens its database again. */
  reopen: () => Promise<Store>;
  stored: () => Promise<string[]>;
  insert: (tx: WriteTransaction, name: string) => Promise<unknown>;
  /** False for a store that other processes write to: its reads find nothing remembered. */
  remembersForReads: boolean;
}

export function describeMemory(fixture: MemoryFixture): void {
  const { playbookKey, reopen, stored, insert, remembersForReads } = fixture;

  describe('what is remembered', () => {
    let store: Store;
    beforeEach(() => {
      store = fixture.store();
    });
    const addName = (name: string): Promise<unknown> => store.write(playbookKey, (tx) => insert(tx, name));

    const memory = createMemory<string>(10);
    const remember = (value: string | undefined, fail?: Error): Promise<string | undefined> =>
      store.write(playbookKey, async (tx) => {
        const before = memory.get(tx, 'key');
        memory.set(tx, 'key', value);
        expect(memory.get(tx, 'key')).toBe(value);
        if (fail !== undefined) throw fail;
        return before;
      });

    test('is what works before left, in the same commit and after it, but for those that were refused', async () => {
      const works = [remember('a'), remember('b', new Error('refused')), remember('c'), remember('d')];
      const outcomes = await Promise.allSettled(works);
      const before = outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : 'refused'));
      expect(before).toEqual([undefined, 'refused', 'a', 'c']);
      await expect(remember('e', new Error('refused'))).rejects.toThrow('refused');
      expect(await remember(undefined)).toBe('d');
      expect(await remember('f')).toBeUndefined();
    });

    test('of rows is written once, before the commit, without what was refused', async () => {
      const written: string[][] = [];
      const rows = createRowMemory<{ name: string }>(10, async (tx, changed) => {
        written.push(changed.map(({ name }) => name));
        for (const { name } of changed) await insert(tx, name);
      });
      const put = (key: string, name: string, fail?: Error): Promise<void> =>
        store.write(playbookKey, async (tx) => {
          rows.put(tx, key, { name });
          if (fail !== undefined) throw fail;
        });
      const refusal = new Error('refused');
      const works = [put('1', 'a'), put('1', 'b'), put('1', 'c', refusal), put('2', 'd', refusal), put('3', 'e')];
      await Promise.allSettled(works);
      expect(written).toEqual([['b', 'e']]);
      expect(await stored()).toEqual(['b', 'e']);
    });

    test('is filled by who reads, unless something was committed since', async () => {
      const fill = (value: string, meanwhile?: () => Promise<unknown>): Promise<void> =>
        store.read(async (tx) => {
          await meanwhile?.();
          memory.set(tx, 'key', value);
        });
      const known = () => store.read(async (tx) => memory.get(tx, 'key'));
      await fill('late', () => addName('a'));
      expect(await known()).toBeUndefined();
      await fill('a');
      expect(await known()).toBe(remembersForReads ? 'a' : undefined);
      const before = await store.read(async (tx) => {
        await Promise.all([remember('b'), addName('b')]);
        return memory.get(tx, 'key');
      });
      expect([before, await known()]).toEqual([undefined, remembersForReads ? 'b' : undefined]);
    });

    test('is what the commit left when those are called who asked for that', async () => {
      const known = () => store.read(async (tx) => memory.get(tx, 'key'));
      await remember('a');
      await known();
      let seen: Promise<string | undefined> | undefined;
      await store.write(playbookKey, async (tx) => {
        await insert(tx, 'a');
        memory.set(tx, 'key', 'b');
        tx.afterCommit(() => {
          seen = known();
        });
      });
      expect(await seen).toBe(remembersForReads ? 'b' : undefined);
    });

    test('is of one store, and gone after a commit on every playbook', async () => {
      await remember('a');
      store = await reopen();
      expect(await remember('b')).toBeUndefined();
      await store.write('every playbook', async (tx) => insert(tx, 'a'));
      expect(await remember('c')).toBeUndefined();
    });
  });
}
