// The event log of a data directory, and one that has nothing but a store, filled without a server.
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { createIds } from '../server/kernel/ids.ts';
import { createEventLog, type EventLog, logMigrations, openSqliteStore } from '../server/kernel/log/index.ts';
import { systemClock } from '../server/lib/clock.ts';
import { openLog } from '../server/runtime/open-stores.ts';
import { readSettings } from '../server/settings/index.ts';

export const KEY = { org: 'local', playbook: 'bench' };

function onUnknownCommit(sentence: string): never {
  throw new Error(sentence);
}

export const openDataDir = (folder: string): EventLog =>
  openLog(readSettings({ DATA_DIR: folder }), systemClock, onUnknownCommit);

/** Without projections. @param options `threadAfter` says after how many commits a thread writes */
export function openBareLog(file: string, options: { threadAfter?: number } = {}): EventLog {
  mkdirSync(path.dirname(file), { recursive: true });
  const store = openSqliteStore({ file, migrations: logMigrations, clock: systemClock, onUnknownCommit, ...options });
  return createEventLog({ store, projections: [], clock: systemClock, ids: createIds(systemClock) });
}
