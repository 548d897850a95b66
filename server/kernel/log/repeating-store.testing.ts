import type { Store, WriteTransaction } from './store.ts';
import { MemoryOfCommit } from './transaction-memory.ts';

/** A store that carries each work out twice and undoes the first time: whatever a work does must be repeatable. */
export function createRepeatingStore(store: Store): Store {
  return {
    ...store,
    write: (scope, work) =>
      store.write(scope, async (tx) => {
        await carryOutAndUndo(tx, work);
        return work(tx);
      }),
  };
}

async function carryOutAndUndo(tx: WriteTransaction, work: (tx: WriteTransaction) => Promise<unknown>): Promise<void> {
  const { memory } = tx;
  if (!(memory instanceof MemoryOfCommit)) throw new Error('Only a store knows when a transaction is undone.');
  await tx.run('SAVEPOINT first_time');
  // A refusal comes a second time.
  await work({ ...tx, afterCommit: () => {} }).catch(() => {});
  await tx.run('ROLLBACK TO first_time');
  await tx.run('RELEASE first_time');
  memory.transactionIsUndone();
}
