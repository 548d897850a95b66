// What this process remembers of the database, so that nothing is read back that it has just read or written.
//
// 1. Within a transaction it answers what the transaction has written so far.
// 2. A transaction that is refused leaves it as it was, as its savepoint leaves the database. A commit that is undone
//    changes nothing of it.
// 3. It may lack anything at any time. The caller then reads the database.
// 4. What is put is written once, before the commit, however often it changes; until then the table lags behind, and is
//    read only by those who look here first, or who call `flush`.
import { LRUCache } from 'lru-cache';
import type { CommitMemory, ReadTransaction, TransactionMemory, WriteTransaction } from './store.ts';

/** All that a memory needs to know of a transaction. */
export type Remembering = Pick<ReadTransaction, 'memory'>;

export interface Memory<Value extends object | number | string> {
  /** The value of a key as the transaction sees it; undefined where it is not known. */
  get(tx: Remembering, key: string): Value | undefined;
  /** The transaction has read or written this value; undefined: it is not known any more. */
  set(tx: Remembering, key: string, value: Value | undefined): void;
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

/** The values that the transactions of one commit have read or written. */
interface Changes<Value> {
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
  const makeRemembered = (): LRUCache<string, Value> => new LRUCache({ max: most });

  function makeChanges(memory: CommitMemory): Changes<Value> {
    const values = new Map<string, Value | undefined>();
    const put = new Set<string>();

    function set(key: string, value: Value | undefined): void {
      const before = values.get(key);
      if (before !== undefined || values.has(key)) memory.onUndone(() => values.set(key, before));
      else memory.onUndone(() => values.delete(key));
      values.set(key, value);
    }
    /** Where the transaction that put a value was undone, the one before it is written again, or there is none. */
    async function writePut(tx: WriteTransaction): Promise<void> {
      const rows = [...put].map((key) => values.get(key)).filter((value) => value !== undefined);
      if (rows.length > 0) await write(tx, rows);
    }

    memory.beforeCommit(writePut);
    memory.onCommitted(() => {
      const remembered = memory.remembered(makeRemembered);
      for (const [key, value] of values) {
        if (value === undefined) remembered?.delete(key);
        else remembered?.set(key, value);
      }
    });
    return {
      values,
      set,
      put(key, value) {
        set(key, value);
        put.add(key);
      },
      write: writePut,
    };
  }

  return {
    get({ memory }, key) {
      const values = isOfCommit(memory) ? memory.shared(makeChanges).values : undefined;
      return values?.has(key) === true ? values.get(key) : memory.remembered(makeRemembered)?.get(key);
    },
    set({ memory }, key, value) {
      if (isOfCommit(memory)) memory.shared(makeChanges).set(key, value);
      else if (value !== undefined) memory.remembered(makeRemembered)?.set(key, value);
    },
    put: ({ memory }, key, value) => memory.shared(makeChanges).put(key, value),
    flush: (tx) => tx.memory.shared(makeChanges).write(tx),
  };
}

function isOfCommit(memory: TransactionMemory): memory is CommitMemory {
  return 'shared' in memory;
}
