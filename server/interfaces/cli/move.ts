// Moves the data of one server from SQLite to PostgreSQL, in one transaction: if it fails, the target stays empty.
// Before the commit, the copy is compared row by row, and its read tables are rebuilt from its event log.
import path from 'node:path';
import {
  continueNumbering,
  copyTable,
  digestTable,
  type EventLog,
  foldAgain,
  isEmpty,
  listTables,
  type StoredTable,
  type ReadTransaction,
} from '../../kernel/log/index.ts';
import { systemClock } from '../../lib/clock.ts';
import { MIGRATIONS, openLog, openSecrets } from '../../runtime/open-stores.ts';
import { type DatabaseSettings, openSettings, type Overrides, type Settings } from '../../settings/index.ts';
import { type CommandFailure, exitForStore, failed, misused } from './failure.ts';
import { progress } from './output.ts';
import { exists } from './paths.ts';

export interface MoveOptions extends Pick<Overrides, 'dataDir'> {
  from?: string | undefined;
  to?: string | undefined;
}

export async function move(options: MoveOptions): Promise<void> {
  const { settings, source, target } = readMove(options);
  const from = open(settings, source);
  try {
    if (await openSecrets(settings, from).lacksKey()) {
      throw misused(
        'SECRETS_KEY does not open what is sealed in the source. Set it to the content of secrets.key in its data directory.',
      );
    }
    const to = open(settings, target);
    try {
      const { rows, events, tables } = await copyAll(from, to);
      process.stdout.write(
        `Copied ${rows} rows of ${tables} tables. Both databases hold the same ${events} events and the same read tables.\n`,
      );
    } finally {
      await to.close();
    }
  } finally {
    await from.close();
  }
}

/** @throws CommandFailure, SettingsError */
function readMove(options: MoveOptions): { settings: Settings; source: DatabaseSettings; target: DatabaseSettings } {
  const read = (url: string | undefined): Settings =>
    openSettings({ ...process.env, ...(url === undefined ? {} : { DATABASE_URL: url }) }, options);
  const settings = read(options.to);
  const { dataDir, database: target } = settings;
  if (target.kind !== 'postgres') {
    throw misused(
      'The target is not PostgreSQL; set DATABASE_URL, or --to, to postgres://USER:PASSWORD@HOST:PORT/DATABASE.',
    );
  }
  const { database: source } = read(options.from ?? `sqlite:${path.join(dataDir, 'cuebook.db')}`);
  if (source.kind !== 'sqlite') {
    throw misused('The source is not SQLite; set --from to sqlite: and the path of the file.');
  }
  if (!exists(source.file)) {
    throw misused(`${source.file} does not exist; set --from to sqlite: and the path of the file.`);
  }
  return { settings, source, target };
}

function open({ dataDir }: Settings, database: DatabaseSettings): EventLog {
  return openLog({ dataDir, database }, systemClock, exitForStore);
}

async function copyAll(from: EventLog, to: EventLog): Promise<{ rows: number; events: number; tables: number }> {
  await to.opened();
  const source: EventLog['read'] = (work) => from.read(work);
  const tables = await source(listTables);
  await to.read((tx) => refuseFilled(tx, tables));
  // Before the transaction: PostgreSQL ends a transaction that waits for the source for too long.
  const digests = new Map<StoredTable, string>();
  for (const table of tables) digests.set(table, (await digestTable(source, table)).digest);
  return to.write('every playbook', async (tx) => {
    await refuseFilled(tx, tables);
    let rows = 0;
    // The transaction waits for the source: no other process uses the target.
    for (const table of tables) {
      const copied = await copyTable(source, tx, table);
      if (copied > 0) progress(`${table.name}: ${copied} rows`);
      rows += copied;
      const { digest } = await digestTable((work) => work(tx), table);
      if (digest !== digests.get(table)) throw differs(table.name);
    }
    await continueNumbering(tx);
    const { events, differing } = await foldAgain(to, tx, { tables, migrations: MIGRATIONS });
    const [first] = differing;
    if (first !== undefined) throw differs(first);
    return { rows, events, tables: tables.length };
  });
}

async function refuseFilled(tx: ReadTransaction, tables: readonly StoredTable[]): Promise<void> {
  for (const table of tables) {
    if (await isEmpty(tx, table)) continue;
    throw misused(
      `The target is not empty: its table ${table.name} has rows. Name another schema with DATABASE_SCHEMA, or drop this one.`,
    );
  }
}

function differs(table: string): CommandFailure {
  return failed(
    `The table ${table} is not the same in the copy, so nothing was moved. Run cuebook doctor --rebuild on the source, then try again.`,
  );
}
