// Checks that the read tables of a store are what its event log gives: the log is read back and folded again.
import type { EventLog } from './log.ts';
import type { Migration } from './migration.ts';
import type { WriteTransaction } from './store.ts';
import { digestTable, type StoredTable } from './table-contents.ts';

export interface CheckedFold {
  events: number;
  /** Read tables that hold something else than the log gives. */
  differing: readonly string[];
}

/**
 * Folds the log again in the transaction, which the caller may undo. Columns that a migration added may differ: rows from
 * before it do not have what the fold gives now.
 * @param migrations those of the store
 */
export async function foldAgain(
  log: EventLog,
  tx: WriteTransaction,
  { tables, migrations }: { tables: readonly StoredTable[]; migrations: readonly Migration[] },
): Promise<CheckedFold> {
  const folded = tables.filter(({ name }) => log.readTables.includes(name));
  const lasting = folded.map((table) => withoutAdded(table, migrations));
  const before = await digestsOf(tx, folded);
  const lastingBefore = await digestsOf(tx, lasting);
  const events = await log.rebuildIn(tx);
  const after = await digestsOf(tx, folded);
  const suspects = lasting.filter((_, index) => before[index] !== after[index]);
  const lastingAfter = await digestsOf(tx, suspects);
  const differing = suspects.filter((table, index) => lastingBefore[lasting.indexOf(table)] !== lastingAfter[index]);
  return { events, differing: differing.map(({ name }) => name) };
}

async function digestsOf(tx: WriteTransaction, tables: readonly StoredTable[]): Promise<string[]> {
  const all: string[] = [];
  for (const table of tables) all.push((await digestTable((work) => work(tx), table)).digest);
  return all;
}

function withoutAdded(table: StoredTable, migrations: readonly Migration[]): StoredTable {
  const isAdded = (column: string): boolean => {
    const statement = new RegExp(`\\bALTER TABLE ${table.name} ADD COLUMN ${column}\\b`);
    return migrations.some(({ sql }) => statement.test(sql));
  };
  return { ...table, columns: table.columns.filter((column) => !isAdded(column)) };
}

class Undo extends Error {}

/** Folds the log again and undoes it. */
export async function checkFold(
  log: EventLog,
  stored: { tables: readonly StoredTable[]; migrations: readonly Migration[] },
): Promise<CheckedFold> {
  let checked: CheckedFold | undefined;
  await log
    .write('every playbook', async (tx) => {
      checked = await foldAgain(log, tx, stored);
      throw new Undo();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undo)) throw error;
    });
  if (checked === undefined) throw new Error('The log was not folded.');
  return checked;
}
