// Claims of tasks: a runner claims a task before it executes it.
import {
  NothingChanged,
  type PlaybookKey,
  type ReadTransaction,
  SKIP_LOCKED,
  type WriteTransaction,
} from '../log/index.ts';
import { type Claim, NAMED, type StoredInteger, TASK_TABLES, type TaskName, type TaskTable, UNCLAIM } from './sql.ts';

/** Deaths of the process that make a task a suspect. A suspect is always either claimed or parked. */
export const SUSPECT_DEATHS = 2;
/** The claimant of parked suspects: they wait until no other suspect is being carried out. */
export const PARKED = 'parked';

const CLAIMED = `${NAMED} AND claimed_by = $5 AND claim = $6`;
/** Gives a claim back; a suspect is parked. @param deaths the task's, as SQL */
const giveBack = (deaths: string): string =>
  `claimed_by = CASE WHEN ${deaths} = ${SUSPECT_DEATHS} THEN '${PARKED}' END, claimed_until = NULL, claim = NULL`;

/** Returns false if the claim is no longer valid. */
export async function deleteClaimed(
  tx: WriteTransaction,
  table: TaskTable,
  task: TaskName,
  claim: Claim,
): Promise<boolean> {
  try {
    await tx.run(`DELETE FROM ${table} WHERE ${CLAIMED}`, claimedBy(task, claim), 'a change');
    return true;
  } catch (error) {
    if (error instanceof NothingChanged) return false;
    throw error;
  }
}

/** Whether the claim is still valid. */
export async function isClaimed(
  tx: WriteTransaction,
  table: TaskTable,
  task: TaskName,
  claim: Claim,
): Promise<boolean> {
  return (await tx.get(`SELECT 1 FROM ${table} WHERE ${CLAIMED}`, claimedBy(task, claim))) !== undefined;
}

/**
 * Counts a try that threw and gives the claim back. The process survived the try, so the task is no suspect any more.
 * Returns false if the claim is no longer valid.
 */
export async function postponeClaimed(
  tx: WriteTransaction,
  table: TaskTable,
  task: TaskName,
  claim: Claim,
  { dueAt, isCounted }: { dueAt: number; isCounted: boolean },
): Promise<boolean> {
  const cleared = `deaths = CASE WHEN deaths <= ${SUSPECT_DEATHS} THEN 0 ELSE deaths END`;
  const postpone = `UPDATE ${table} SET tries = tries + $8, ${cleared}, due_at = $7, ${UNCLAIM} WHERE ${CLAIMED} RETURNING key`;
  return (await tx.get(postpone, [...claimedBy(task, claim), dueAt, isCounted ? 1 : 0])) !== undefined;
}

function claimedBy({ org, playbook, kind, key }: TaskName, { holder, number }: Claim): (string | number)[] {
  return [org, playbook, kind, key, holder, number];
}

/**
 * Frees the claims of others that ended before `deadBefore`; what they began counts as a try.
 * @param haveDied whether their processes are known to have died; a claim that expired may also have been lost by a
 * process that slept
 * @returns whether there were any
 */
export async function freeDeadClaims(
  tx: WriteTransaction,
  table: TaskTable,
  holder: string,
  { deadBefore, haveDied }: { deadBefore: number; haveDied: boolean },
): Promise<boolean> {
  const deaths = haveDied ? 'deaths + 1' : 'deaths';
  const freed = await tx.get(
    `UPDATE ${table} SET tries = tries + 1, deaths = ${deaths}, ${giveBack(deaths)}
     WHERE claimed_by IS NOT NULL AND claimed_by <> $1 AND claimed_until <= $2 RETURNING 1 AS freed`,
    [holder, deadBefore],
    'no row',
  );
  return freed !== undefined;
}

/** Everyone who has claimed a task of any lane. */
export async function selectClaimants(tx: ReadTransaction): Promise<string[]> {
  const lanes = TASK_TABLES.map((table) => `SELECT claimed_by FROM ${table} WHERE claimed_by <> '${PARKED}'`);
  const rows = await tx.all<{ claimed_by: string }>(lanes.join(' UNION '));
  return rows.map(({ claimed_by }) => claimed_by);
}

/** The playbooks in which a holder has claimed tasks. */
export function selectPlacesOfClaims(tx: ReadTransaction, table: TaskTable, holder: string): Promise<PlaybookKey[]> {
  return tx.all(`SELECT DISTINCT org, playbook FROM ${table} WHERE claimed_by = $1`, [holder]);
}

/** Frees the claims of a holder in a playbook; what it began counts as a try. */
export async function freeClaimsIn(
  tx: WriteTransaction,
  table: TaskTable,
  { org, playbook }: PlaybookKey,
  { holder, hasDied }: { holder: string; hasDied: boolean },
): Promise<void> {
  const deaths = hasDied ? 'deaths + 1' : 'deaths';
  await tx.run(
    `UPDATE ${table} SET tries = tries + 1, deaths = ${deaths}, ${giveBack(deaths)}
     WHERE org = $1 AND playbook = $2 AND claimed_by = $3`,
    [org, playbook, holder],
  );
}

/** The suspect that has been parked the longest, where no suspect of any lane is being carried out. */
export function selectNextSuspect(tx: WriteTransaction, table: TaskTable): Promise<TaskName | undefined> {
  const carriedOut = TASK_TABLES.map(
    (lane) =>
      `SELECT 1 FROM ${lane} WHERE claimed_by IS NOT NULL AND claimed_by <> '${PARKED}' AND deaths = ${SUSPECT_DEATHS}`,
  );
  return tx.get<TaskName>(
    `SELECT org, playbook, kind, key FROM ${table} WHERE claimed_by = '${PARKED}'
     AND NOT EXISTS (${carriedOut.join(' UNION ALL ')}) ORDER BY due_at LIMIT 1 ${SKIP_LOCKED}`,
    [],
    'no row',
  );
}

/**
 * When there may be something to claim next: a due time, or the end of another's claim.
 * @param after only due times after this one count
 */
export async function selectNextTime(
  tx: WriteTransaction,
  table: TaskTable,
  holder: string,
  after: number,
): Promise<number | undefined> {
  const row = await tx.get<{ at: StoredInteger | null }>(
    `SELECT MIN(at) AS at FROM (
       SELECT MIN(due_at) AS at FROM ${table} WHERE claimed_by IS NULL AND due_at > $2
       UNION ALL
       SELECT MIN(claimed_until) FROM ${table} WHERE claimed_by IS NOT NULL AND claimed_by <> $1
     ) AS times`,
    [holder, after],
  );
  return row === undefined || row.at === null ? undefined : Number(row.at);
}

export async function renewClaims(
  tx: WriteTransaction,
  table: TaskTable,
  holder: string,
  until: number,
): Promise<void> {
  await tx.run(`UPDATE ${table} SET claimed_until = $2 WHERE claimed_by = $1`, [holder, until]);
}

/** Gives back what the holder claimed and did not finish: no try and no death is counted. */
export async function returnClaims(tx: WriteTransaction, table: TaskTable, holder: string): Promise<void> {
  await tx.run(`UPDATE ${table} SET ${giveBack('deaths')} WHERE claimed_by = $1`, [holder]);
}
