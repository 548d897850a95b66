// What this process remembers of the database from one commit to the next, so that it need not be read again.
//
// 1. Within a transaction it answers what the transaction has written so far.
// 2. A work that is refused leaves it as it was, as its savepoint leaves the database. A commit that is undone changes
//    nothing of it.
// 3. It may lack anything at any time. Whoever asks then reads the database.
import { LRUCache } from 'lru-cache';
import type { SharedState, WriteTransaction } from './store.ts';

export interface Memory<Value extends object | number | string> {
  /** The value of a key as the transaction sees it; undefined where it is not known. */
  get(tx: WriteTransaction, key: string): Value | undefined;
  /** The transaction has read or written this value; undefined: it is not known any more. */
  set(tx: WriteTransaction, key: string, value: Value | undefined): void;
}

/** Makes a memory of at most so many values: those that were used last. Each store has values of its own. */
export function createMemory<Value extends object | number | string>(most: number): Memory<Value> {
  const makeKept = (): LRUCache<string, Value> => new LRUCache({ max: most });

  /** The values of one commit: an absent one is as it was before. */
  interface Changes extends SharedState {
    values: Map<string, Value | undefined>;
    set(key: string, value: Value | undefined): void;
  }

  function makeChanges(): Changes {
    const values = new Map<string, Value | undefined>();
    /** What the current work changed, as it was before: undefined where the commit had no value for it. */
    let before = new Map<string, { value: Value | undefined } | undefined>();
    return {
      values,
      set(key, value) {
        if (!before.has(key)) before.set(key, values.has(key) ? { value: values.get(key) } : undefined);
        values.set(key, value);
      },
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
        tx.afterCommit(() => {
          const kept = tx.remembered(makeKept);
          for (const [key, value] of values) {
            if (value === undefined) kept.delete(key);
            else kept.set(key, value);
          }
        });
      },
    };
  }

  return {
    get(tx, key) {
      const { values } = tx.shared(makeChanges);
      return values.has(key) ? values.get(key) : tx.remembered(makeKept).get(key);
    },
    set: (tx, key, value) => tx.shared(makeChanges).set(key, value),
  };
}
