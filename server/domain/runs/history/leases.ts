// Leases of attempts: which process executes an attempt. They are records of their own, which no rebuild changes.
import type { ReadTransaction, WriteTransaction } from '../../../kernel/log/index.ts';
import type { RunRow } from './sql.ts';

export interface Lease {
  org: string;
  playbook: string;
  run_id: string;
  attempt: number;
  /** The process start that holds it. */
  holder: string;
}

export async function putLease(tx: WriteTransaction, lease: Lease): Promise<void> {
  await tx.run(
    `INSERT INTO run_leases (org, playbook, run_id, attempt, holder) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (org, playbook, run_id) DO UPDATE SET attempt = $4, holder = $5`,
    [lease.org, lease.playbook, lease.run_id, lease.attempt, lease.holder],
  );
}

/** Gives the lease up; false when somebody else holds the run by now. */
export async function dropLease(tx: WriteTransaction, lease: Lease): Promise<boolean> {
  const dropped = await tx.get(
    `DELETE FROM run_leases WHERE org = $1 AND playbook = $2 AND run_id = $3 AND attempt = $4 AND holder = $5
     RETURNING run_id`,
    [lease.org, lease.playbook, lease.run_id, lease.attempt, lease.holder],
  );
  return dropped !== undefined;
}

/** The holder of attempts that an orderly stop left, which distinguishes them from those of a process that died. */
export const LEFT_BY_STOP = 'left by a stop';

/** Leaves every attempt of a holder to the next start. */
export async function leaveLeases(tx: WriteTransaction, holder: string): Promise<void> {
  await tx.run(`UPDATE run_leases SET holder = $2 WHERE holder = $1`, [holder, LEFT_BY_STOP]);
}

/** Whose leases: those of every other holder, or of one holder. */
export type LeasesOf = { allBut: string } | { holder: string };

export async function selectLeases(tx: ReadTransaction, of: LeasesOf, limit: number): Promise<Lease[]> {
  const [comparison, holder] = 'allBut' in of ? ['<>', of.allBut] : ['=', of.holder];
  return tx.all(
    `SELECT org, playbook, run_id, attempt, holder FROM run_leases WHERE holder ${comparison} $1
     ORDER BY org, playbook, run_id LIMIT $2`,
    [holder, limit],
  );
}

/** Everyone who holds an attempt. */
export async function selectLeaseHolders(tx: ReadTransaction): Promise<string[]> {
  const rows = await tx.all<{ holder: string }>('SELECT DISTINCT holder FROM run_leases');
  return rows.map(({ holder }) => holder);
}

/** Who holds the attempt of a run; undefined where nobody works on it. */
export async function selectLeaseHolder(
  tx: ReadTransaction,
  { org, playbook, run_id }: Pick<RunRow, 'org' | 'playbook' | 'run_id'>,
): Promise<string | undefined> {
  const lease = await tx.get<{ holder: string }>(
    `SELECT holder FROM run_leases WHERE org = $1 AND playbook = $2 AND run_id = $3`,
    [org, playbook, run_id],
  );
  return lease?.holder;
}

/** Whether a run in progress waits: an attempt that works holds a lease, and one that waits has given it up. */
export async function isWaiting(tx: ReadTransaction, run: Pick<RunRow, 'org' | 'playbook' | 'run_id' | 'status'>) {
  if (run.status !== 'started') return false;
  return (await selectLeaseHolder(tx, run)) === undefined;
}
