import { createFakeClock } from '../../../lib/clock.ts';
import { describeEventLog } from '../log-contract.testing.ts';
import type { Migration } from '../migration.ts';
import { describeStore } from '../store-contract.testing.ts';
import { openTemporaryStore, repeating, type TestedStore } from '../testing.ts';

async function openWithThread(migrations: readonly Migration[]): Promise<TestedStore> {
  const temporary = openTemporaryStore(migrations, createFakeClock(), { threadAfter: 0 });
  await temporary.store.opened();
  return temporary;
}

describeStore('SQLite', async (migrations) => openTemporaryStore(migrations));
describeStore('SQLite, each work carried out twice', async (migrations) => repeating(openTemporaryStore(migrations)));
describeStore('SQLite, written in a thread', openWithThread);
describeEventLog('SQLite', async (migrations) => openTemporaryStore(migrations));
describeEventLog('SQLite, each work carried out twice', async (migrations) =>
  repeating(openTemporaryStore(migrations)),
);
describeEventLog('SQLite, written in a thread, each work carried out twice', async (migrations) =>
  repeating(await openWithThread(migrations)),
);
