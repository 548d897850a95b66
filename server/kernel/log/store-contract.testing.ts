// What every store guarantees (store.ts), as one suite: each adapter is mounted on it.
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { CommitMemory, Migration, PlaybookKey, WriteScope, Store, WriteTransaction } from './index.ts';
import { NothingChanged, requireInScope, UniqueViolation } from './index.ts';
import { describeMemory } from './store-memory-contract.testing.ts';
import type { TestedStore } from './testing.ts';

const PLACE: PlaybookKey = { org: 'acme', playbook: 'support' };

const names: Migration = { id: 'test/1', sql: 'CREATE TABLE names (name TEXT NOT NULL PRIMARY KEY);' };

/**
 * Mounts the suite on one adapter; 'open' answers an empty store in a place of its own.
 * @param remembersForReads false for a store that other processes write to: its reads find nothing remembered
 */
export function describeStore(
  name: string,
  open: (migrations: readonly Migration[]) => Promise<TestedStore>,
  { remembersForReads = true } = {},
): void {
  describe(`the store on ${name}`, () => {
    let tested: TestedStore;
    let store: Store;

    beforeEach(async () => {
      tested = await open([names]);
      store = tested.store;
    });

    afterEach(() => tested.remove());

    const stored = async (from: Pick<Store, 'read'> = store): Promise<string[]> =>
      (await from.read((tx) => tx.all<{ name: string }>('SELECT name FROM names ORDER BY name'))).map(
        (row) => row.name,
      );

    const insert = (tx: WriteTransaction, added: string): Promise<void> =>
      tx.run('INSERT INTO names (name) VALUES ($1)', [added]);

    const addName = (added: string, fail?: Error): Promise<string> =>
      store.write(PLACE, async (tx) => {
        await insert(tx, added);
        if (fail !== undefined) throw fail;
        return added;
      });

    const addCountedName = (): Promise<number> =>
      store.write(PLACE, async (tx) => {
        await tx.run(`INSERT INTO names (name) SELECT 'name ' || COUNT(*) FROM names`);
        return (await tx.all('SELECT name FROM names')).length;
      });

    describe('1. a work is alone in its playbook', () => {
      test('and sees what works before it in the same commit did', async () => {
        expect(await Promise.all([addCountedName(), addCountedName(), addCountedName()])).toEqual([1, 2, 3]);
      });

      test.each<[WriteScope, PlaybookKey, boolean]>([
        [PLACE, PLACE, true],
        ['every playbook', PLACE, true],
        [PLACE, { ...PLACE, playbook: 'sales' }, false],
        [PLACE, { ...PLACE, org: 'other' }, false],
        ['no playbook', PLACE, false],
      ])('and given a work on %j that changes %j, then it is carried out: %s', async (scope, changed, isCarriedOut) => {
        const work = store.write(scope, async (tx) => {
          await insert(tx, 'before');
          requireInScope(tx, changed);
        });
        const outcome = await work.then(() => 'carried out', String);
        expect(outcome).toContain(isCarriedOut ? 'carried out' : `changes ${changed.org}/${changed.playbook}`);
        expect(await stored()).toEqual(isCarriedOut ? ['before'] : []);
      });

      test('and what it did is undone alone where it is refused', async () => {
        const refusal = new Error('refused');
        const outcomes = await Promise.allSettled([addName('a'), addName('b', refusal), addName('c'), addName('b')]);
        expect(outcomes).toEqual([
          { status: 'fulfilled', value: 'a' },
          { status: 'rejected', reason: refusal },
          { status: 'fulfilled', value: 'c' },
          { status: 'fulfilled', value: 'b' },
        ]);
        expect(await stored()).toEqual(['a', 'b', 'c']);
      });
    });

    describe('2. what must happen once', () => {
      test('happens after the commit, in the order in which it was asked for, where readers see what was committed', async () => {
        const order: string[] = [];
        const seen: Promise<string[]>[] = [];
        await store.write(PLACE, async (tx) => {
          tx.afterCommit(() => order.push('first'));
          await insert(tx, 'a');
          tx.afterCommit(() => {
            order.push('second');
            seen.push(stored());
          });
        });
        expect(order).toEqual(['first', 'second']);
        expect(await seen[0]).toEqual(['a']);
      });

      test('does not happen where the work was undone', async () => {
        let hasHappened = false;
        const refused = store.write(PLACE, async (tx) => {
          tx.afterCommit(() => {
            hasHappened = true;
          });
          throw new Error('refused');
        });
        await Promise.allSettled([refused, addName('a')]);
        expect(hasHappened).toBe(false);
      });
    });

    describe('what is counted', () => {
      test('is each commit that changed something, and each statement, those of reads included', async () => {
        const { commits, statements } = store.counters;
        await addName('a');
        await store.write(PLACE, () => Promise.resolve());
        const written = store.counters.statements;
        expect(written).toBeGreaterThan(statements + 1);
        await stored();
        expect(store.counters).toEqual({ commits: commits + 1, statements: written + 1 });
      });
    });

    describe('3. a work that has an answer', () => {
      test('is committed, and readers see nothing of it before', async () => {
        const seenInside = await store.write(PLACE, async (tx) => {
          await insert(tx, 'a');
          return stored();
        });
        expect(seenInside).toEqual([]);
        expect(await stored()).toEqual(['a']);
      });

      test('does not change what a reader that began before it reads', async () => {
        await addName('a');
        const [before, after] = await store.read(async (tx) => {
          const first = await tx.all('SELECT name FROM names');
          await addName('b');
          return [first, await tx.all('SELECT name FROM names')];
        });
        expect([before?.length, after?.length]).toEqual([1, 1]);
        expect(await stored()).toEqual(['a', 'b']);
      });

      test('and waits while the store closes is carried out, and a later one is refused', async () => {
        const waiting = addName('a');
        const reopened = tested.reopen();
        await expect(addName('b')).rejects.toThrow('The store is closed.');
        await waiting;
        expect(await stored(await reopened)).toEqual(['a']);
      });
    });

    const reopen = async (): Promise<Store> => (store = await tested.reopen());
    describeMemory({ playbookKey: PLACE, store: () => store, reopen, stored, insert, remembersForReads });

    describe('a statement that answers no rows', () => {
      test('is seen by what the work reads after it', async () => {
        const seen = await store.write(PLACE, async (tx) => {
          await insert(tx, 'a');
          return tx.all('SELECT name FROM names');
        });
        expect(seen).toEqual([{ name: 'a' }]);
      });

      test('is undone alone with its work, before and after which others change something', async () => {
        const refusal = new Error('refused');
        const refused = store.write(PLACE, async (tx) => {
          await insert(tx, 'b');
          throw refusal;
        });
        const outcomes = await Promise.allSettled([addName('a'), refused, addName('c')]);
        expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
        expect(outcomes[1]).toMatchObject({ reason: refusal });
        expect(await stored()).toEqual(['a', 'c']);
      });

      test('that a unique index refuses refuses its work alone', async () => {
        await addName('a');
        let hasHappened = false;
        const refused = store.write(PLACE, async (tx) => {
          tx.afterCommit(() => {
            hasHappened = true;
          });
          await insert(tx, 'b');
          await insert(tx, 'a');
        });
        const outcomes = await Promise.allSettled([addName('c'), refused, addName('d')]);
        expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
        expect(outcomes[1]).toMatchObject({ reason: expect.any(UniqueViolation) });
        expect(await stored()).toEqual(['a', 'c', 'd']);
        expect(hasHappened).toBe(false);
      });

      test('that a unique index refuses may be replaced by the work', async () => {
        await addName('a');
        await store.write(PLACE, async (tx) => {
          await insert(tx, 'b');
          await insert(tx, 'a').catch((error: unknown) => {
            if (error instanceof UniqueViolation) return insert(tx, 'c');
            throw error;
          });
        });
        expect(await stored()).toEqual(['a', 'b', 'c']);
      });
    });

    describe('a change that is expected', () => {
      const remove = (tx: WriteTransaction, name: string): Promise<boolean> =>
        tx.run('DELETE FROM names WHERE name = $1', [name], 'a change').then(
          () => true,
          (error: unknown) => {
            if (error instanceof NothingChanged) return false;
            throw error;
          },
        );

      test('is made, with what its work does before and after it', async () => {
        await addName('a');
        const changed = await store.write(PLACE, async (tx) => {
          await tx.run('INSERT INTO names (name) VALUES ($1)', ['b']);
          const isChanged = await remove(tx, 'a');
          await tx.run('INSERT INTO names (name) VALUES ($1)', ['a']);
          return isChanged;
        });
        expect(changed).toBe(true);
        expect((await stored()).toSorted()).toEqual(['a', 'b']);
      });

      test('that met no row is known to its work, and to no other', async () => {
        await addName('a');
        const works = ['a', 'missing', 'b'].map((name) =>
          store.write(PLACE, async (tx) => {
            const isChanged = await remove(tx, name);
            await tx.run('INSERT INTO names (name) VALUES ($1)', [`${name} ${isChanged ? 'was' : 'was not'} there`]);
            return isChanged;
          }),
        );
        expect(await Promise.all([...works, addName('c')])).toEqual([true, false, false, 'c']);
        const expected = ['a was there', 'b was not there', 'c', 'missing was not there'];
        expect((await stored()).toSorted()).toEqual(expected);
      });

      test('that met no row is known before what works share is read and written', async () => {
        let read: unknown;
        const makeShared = (memory: CommitMemory): object => {
          memory.beforeCommit(async (tx) => {
            read = await tx.all('SELECT name FROM names');
          });
          return {};
        };
        await store.write(PLACE, async (tx) => {
          tx.memory.shared(makeShared);
          const isChanged = await remove(tx, 'missing');
          await tx.run('INSERT INTO names (name) VALUES ($1)', [isChanged ? 'was there' : 'was missing']);
        });
        expect(read).toEqual([{ name: 'was missing' }]);
      });

      test('that met no row may refuse its work', async () => {
        const refusal = new Error('refused');
        const refused = store.write(PLACE, async (tx) => {
          await tx.run('INSERT INTO names (name) VALUES ($1)', ['b']);
          if (!(await remove(tx, 'missing'))) throw refusal;
        });
        const outcomes = await Promise.allSettled([addName('a'), refused]);
        expect(outcomes).toMatchObject([{ status: 'fulfilled' }, { reason: refusal }]);
        expect(await stored()).toEqual(['a']);
      });
    });

    describe('a row that is not expected', () => {
      const insertUnlessThere = (added: string): Promise<unknown> =>
        store.write(PLACE, async (tx) => {
          const found = await tx.get<{ name: string }>('SELECT name FROM names WHERE name = $1', [added], 'no row');
          if (found === undefined) await tx.run('INSERT INTO names (name) VALUES ($1)', [added]);
          return found;
        });

      test('is found by the work that looks for it, also where a work before it in the same commit added it', async () => {
        await addName('a');
        const works = ['a', 'b', 'b', 'c'].map(insertUnlessThere);
        expect(await Promise.all(works)).toEqual([{ name: 'a' }, undefined, { name: 'b' }, undefined]);
        expect(await stored()).toEqual(['a', 'b', 'c']);
      });

      test('is changed once where the statement changes it', async () => {
        await addName('a');
        const take = (): Promise<unknown> =>
          store.write(PLACE, (tx) => tx.get(`DELETE FROM names WHERE name = 'a' RETURNING name`, [], 'no row'));
        expect(await Promise.all([take(), take()])).toEqual([{ name: 'a' }, undefined]);
        expect(await stored()).toEqual([]);
      });
    });

    describe('a text', () => {
      test('comes back as it was given, and is found by it, whatever characters it has', async () => {
        const texts = ['\0', 'a\0b', '\uFFFF', '\uFFFF0', '\uFFFF\uFFFF0', '\0\uFFFF', '\u{10FFFF}', '😀\n\\0', 'a0b'];
        for (const text of texts) await addName(text);
        expect((await stored()).toSorted()).toEqual(texts.toSorted());
        const found = (condition: string, value: string): Promise<{ name: string }[]> =>
          store.read((tx) => tx.all<{ name: string }>(`SELECT name FROM names WHERE ${condition}`, [value]));
        for (const text of texts) expect(await found('name = $1', text)).toEqual([{ name: text }]);
        await expect(addName('a\0b')).rejects.toBeInstanceOf(UniqueViolation);
      });
    });

    describe('a unique index', () => {
      test.each(['run', 'get', 'all'] as const)('that refuses a row gives UniqueViolation from %s', async (by) => {
        const inserted = (): Promise<unknown> =>
          store.write(PLACE, (tx) =>
            tx[by](`INSERT INTO names (name) VALUES ($1)${by === 'run' ? '' : ' RETURNING name'}`, ['a']),
          );
        await inserted();
        await expect(inserted()).rejects.toThrow(UniqueViolation);
        expect(await stored()).toEqual(['a']);
      });

      test('that refuses one statement of a work leaves the others', async () => {
        await addName('a');
        await store.write(PLACE, async (tx) => {
          await insert(tx, 'b');
          await expect(tx.all(`INSERT INTO names (name) VALUES ('c'), ('a') RETURNING name`)).rejects.toThrow(
            UniqueViolation,
          );
        });
        expect(await stored()).toEqual(['a', 'b']);
      });
    });
  });
}
