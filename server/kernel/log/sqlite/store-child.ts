// The program that startStoreChild runs: it opens a store and writes notes, saying each key once it is acknowledged.
// It ends when its standard input does; with 3 and a sentence when the store failed, as the server itself.
import { writeSync } from 'node:fs';
import path from 'node:path';
import { systemClock } from '../../../lib/clock.ts';
import type { Store } from '../store.ts';
import { noteMigrations, type StoreChildOrder } from './start-store-child.ts';
import { openSqliteStore } from './store.ts';

const order: StoreChildOrder = JSON.parse(process.argv[2] ?? '');

function endWith(sentence: string): never {
  writeSync(2, `${sentence}\n`);
  process.exit(3);
}

function open(): Store {
  try {
    const file = path.join(order.folder, 'cuebook.db');
    return openSqliteStore({
      file,
      threadAfter: 0,
      migrations: noteMigrations,
      clock: systemClock,
      onUnknownCommit: endWith,
    });
  } catch (error) {
    return endWith(error instanceof Error ? error.message : String(error));
  }
}

const store = open();
writeSync(1, 'open\n');
for (let note = 0; note < order.notes; note += 1) {
  const key = `${order.prefix}${note}`;
  await store.write('no playbook', (tx) =>
    tx.run('INSERT INTO notes (key, text) VALUES ($1, $2)', [key, 'x'.repeat(2_000)]),
  );
  writeSync(1, `${key}\n`);
}
process.stdin.resume();
process.stdin.on('end', () => process.exit(0));
