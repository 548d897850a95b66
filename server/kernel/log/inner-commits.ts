// Parts of one long transaction, each as a commit of its own for memory: what is written once per commit is written after
// each part, so that no part leaves more in memory than a commit would. What is remembered from part to part ends with the
// transaction.
import type { WriteTransaction } from './store.ts';
import { MemoryOfCommit, RememberedValues } from './transaction-memory.ts';

export type ExecutePart = (part: (tx: WriteTransaction) => Promise<void>) => Promise<void>;

export function createInnerCommits(tx: WriteTransaction): ExecutePart {
  const remembered = new RememberedValues();
  return async (part) => {
    const memory = new MemoryOfCommit(remembered);
    const notifications: (() => void)[] = [];
    const inner: WriteTransaction = { ...tx, memory, afterCommit: (notify) => notifications.push(notify) };
    await part(inner);
    await memory.write(inner);
    memory.committed();
    for (const notify of notifications) notify();
  };
}
