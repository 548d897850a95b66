import type { SharedState, Store, WriteTransaction } from './store.ts';

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
  const used = new Set<SharedState>();
  const undone: WriteTransaction = {
    ...tx,
    afterCommit: () => {},
    shared(make) {
      const state = tx.shared(make);
      used.add(state);
      return state;
    },
  };
  await tx.run('SAVEPOINT first_time');
  // A refusal comes a second time.
  await work(undone).catch(() => {});
  await tx.run('ROLLBACK TO first_time');
  await tx.run('RELEASE first_time');
  for (const state of used) {
    state.workIsUndone();
    state.workBegins();
  }
}
