// Checks that the read tables of a store are what its event log gives: the log is read back and folded again.
import type { EventLog } from './log.ts';
import type { WriteTransaction } from './store.ts';
import { digestTable, type StoredTable } from './table-contents.ts';

export interface CheckedFold {
  events: number;
  /** Read tables that hold something else than the log gives. */
  differing: readonly string[];
}

/** Folds the log again in the transaction, which the caller may undo. */
export async function foldAgain(
  log: EventLog,
  tx: WriteTransaction,
  tables: readonly StoredTable[],
): Promise<CheckedFold> {
  const folded = tables.filter(({ name }) => log.readTables.includes(name));
  const digests = async (): Promise<string[]> => {
    const all: string[] = [];
    for (const table of folded) all.push((await digestTable((work) => work(tx), table)).digest);
    return all;
  };
  const before = await digests();
  const events = await log.rebuildIn(tx);
  const after = await digests();
  return { events, differing: folded.filter((_, index) => before[index] !== after[index]).map(({ name }) => name) };
}

class Undo extends Error {}

/** Folds the log again and undoes it. */
export async function checkFold(log: EventLog, tables: readonly StoredTable[]): Promise<CheckedFold> {
  let checked: CheckedFold | undefined;
  await log
    .write('every playbook', async (tx) => {
      checked = await foldAgain(log, tx, tables);
      throw new Undo();
    })
    .catch((error: unknown) => {
      if (!(error instanceof Undo)) throw error;
    });
  if (checked === undefined) throw new Error('The log was not folded.');
  return checked;
}
