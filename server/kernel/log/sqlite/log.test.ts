import { describeEventLog } from '../log-contract.ts';
import { describeStore } from '../store-contract.ts';
import { openTemporaryStore, repeating } from '../testing.ts';

describeStore('SQLite', async (migrations) => openTemporaryStore(migrations));
describeStore('SQLite, each work carried out twice', async (migrations) => repeating(openTemporaryStore(migrations)));
describeEventLog('SQLite', async (migrations) => openTemporaryStore(migrations));
describeEventLog('SQLite, each work carried out twice', async (migrations) =>
  repeating(openTemporaryStore(migrations)),
);
