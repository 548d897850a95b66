// What this process remembers of the database, so that nothing is read back that it has just read or written.
//
// 1. Within a transaction it answers what the transaction has written so far.
// 2. A work that is refused leaves it as it was, as its savepoint leaves the database. A commit that is undone changes
//    nothing of it.
// 3. It may lack anything at any time. The caller then reads the database.
// 4. What is put is written once, before the commit, however often it changes; until then the table lags behind, and is
//    read only by those who look here first, or who call `flush`.
import { LRUCache } from 'lru-cache';
import type { ReadTransaction, SharedState, WriteTransaction } from './store.ts';

export interface Memory<Value extends object | number | string> {
  /** The value of a key as the transaction sees it; undefined where it is not known. */
  get(tx: ReadTransaction, key: string): Value | undefined;
  /** The transaction has read or written this value; undefined: it is not known any more. */
  set(tx: ReadTransaction, key: string, value: Value | undefined): void;
}

export interface RowMemory<Row extends object> extends Memory<Row> {
  /** As `set`, of a row that is to be written before the commit. */
  put(tx: WriteTransaction, key: string, row: Row): void;
  /** Writes what was put so far, for a statement that reads the table itself. */
  flush(tx: WriteTransaction): Promise<void>;
}

/** Makes a memory of at most so many values: those that were used last. Each store has values of its own. */
export function createMemory<Value extends object | number | string>(most: number): Memory<Value> {
  return memoryOf<Value>(most, async () => {});
}

/** The same of rows. @param write writes rows that are not in the database, or are there as they were before */
export function createRowMemory<Row extends object>(
  most: number,
  write: (tx: WriteTransaction, rows: readonly Row[]) => Promise<void>,
): RowMemory<Row> {
  return memoryOf(most, write);
}

type RowMemoryOf<Value extends object | number | string> = Memory<Value> & {
  put(tx: WriteTransaction, key: string, value: Value): void;
  flush(tx: WriteTransaction): Promise<void>;
};

/** The values of one commit. */
interface Changes<Value> extends SharedState {
  /** An absent one is as it was before the commit. */
  values: Map<string, Value | undefined>;
  set(key: string, value: Value | undefined): void;
  put(key: string, value: Value): void;
  write(tx: WriteTransaction): Promise<void>;
}

function memoryOf<Value extends object | number | string>(
  most: number,
  write: (tx: WriteTransaction, values: readonly Value[]) => Promise<void>,
): RowMemoryOf<Value> {
  const makeKept = (): LRUCache<string, Value> => new LRUCache({ max: most });

  function makeChanges(): Changes<Value> {
    const values = new Map<string, Value | undefined>();
    /** What the current work changed, as it was before: undefined where the commit had no value for it. */
    let before = new Map<string, { value: Value | undefined } | undefined>();
    const put = new Set<string>();

    function set(key: string, value: Value | undefined): void {
      if (!before.has(key)) before.set(key, values.has(key) ? { value: values.get(key) } : undefined);
      values.set(key, value);
    }
    /** Where the work that put a value was undone, the one before it is written again, or there is none. */
    async function writePut(tx: WriteTransaction): Promise<void> {
      const rows = [...put].map((key) => values.get(key)).filter((value) => value !== undefined);
      if (rows.length > 0) await write(tx, rows);
    }

    return {
      values,
      set,
      put(key, value) {
        set(key, value);
        put.add(key);
      },
      write: writePut,
      workBegins() {
        if (before.size > 0) before = new Map();
      },
      workIsUndone() {
        for (const [key, entry] of before) {
          if (entry === undefined) values.delete(key);
          else values.set(key, entry.value);
        }
      },
      async beforeCommit(tx) {
        await writePut(tx);
        tx.afterCommit(() => {
          const kept = tx.remembered(makeKept);
          for (const [key, value] of values) {
            if (value === undefined) kept?.delete(key);
            else kept?.set(key, value);
          }
        });
      },
    };
  }

  return {
    get(tx, key) {
      const values = isWriting(tx) ? tx.shared(makeChanges).values : undefined;
      return values?.has(key) === true ? values.get(key) : tx.remembered(makeKept)?.get(key);
    },
    set(tx, key, value) {
      if (isWriting(tx)) tx.shared(makeChanges).set(key, value);
      else if (value !== undefined) tx.remembered(makeKept)?.set(key, value);
    },
    put: (tx, key, value) => tx.shared(makeChanges).put(key, value),
    flush: (tx) => tx.shared(makeChanges).write(tx),
  };
}

function isWriting(tx: ReadTransaction): tx is WriteTransaction {
  return 'shared' in tx;
}
