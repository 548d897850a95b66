import { createFakeClock } from '../../../lib/clock.ts';
import { describeEventLog } from '../log-contract.ts';
import type { Migration } from '../migration.ts';
import { describeStore } from '../store-contract.ts';
import { openTemporaryStore, repeating, type TestedStore } from '../testing.ts';

const openWithThread = (migrations: readonly Migration[]): TestedStore =>
  openTemporaryStore(migrations, createFakeClock(), { writesInThread: true });

describeStore('SQLite', async (migrations) => openTemporaryStore(migrations));
describeStore('SQLite, each work carried out twice', async (migrations) => repeating(openTemporaryStore(migrations)));
describeStore('SQLite, written in a thread', async (migrations) => openWithThread(migrations));
describeEventLog('SQLite', async (migrations) => openTemporaryStore(migrations));
describeEventLog('SQLite, each work carried out twice', async (migrations) =>
  repeating(openTemporaryStore(migrations)),
);
describeEventLog('SQLite, written in a thread, each work carried out twice', async (migrations) =>
  repeating(openWithThread(migrations)),
);
