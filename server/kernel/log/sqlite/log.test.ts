import { describeEventLog } from '../log-contract.ts';
import { createRepeatingStore } from '../repeating-store.testing.ts';
import { describeStore } from '../store-contract.ts';
import { openTemporaryStore, type TestedStore } from '../testing.ts';

function repeating(tested: TestedStore): TestedStore {
  return {
    store: createRepeatingStore(tested.store),
    reopen: async () => createRepeatingStore(await tested.reopen()),
    remove: () => tested.remove(),
  };
}

describeStore('SQLite', async (migrations) => openTemporaryStore(migrations));
describeStore('SQLite, each work carried out twice', async (migrations) => repeating(openTemporaryStore(migrations)));
describeEventLog('SQLite', async (migrations) => openTemporaryStore(migrations));
describeEventLog('SQLite, each work carried out twice', async (migrations) =>
  repeating(openTemporaryStore(migrations)),
);
