import type { Json } from '../../../shared/json.ts';
import { type PlaybookKey, SKIP_LOCKED, type WriteTransaction } from '../log/index.ts';
import { PARKED, selectNextSuspect, selectNextTime, freeDeadClaims } from './claims-sql.ts';
import { MOST_CARRIED_OUT } from './room.ts';
import type { Claim, StoredInteger, TaskName, TaskTable } from './sql.ts';
import type { Task } from './task.ts';

export interface ClaimOptions {
  table: TaskTable;
  claim: Claim;
  now: number;
  /** How long the claims last. */
  until: number;
  /** How many tasks to claim at most. */
  count: number;
  /** The claims of dead processes are freed first; absent where leases of processes decide about them. */
  dead?: { deadBefore: number; haveDied: boolean } | undefined;
  /** Called after the commit where such claims were freed. */
  onFreed: () => void;
  /** How many more tasks of a playbook may begin. */
  leftOf: (playbookKey: PlaybookKey) => number;
  /** Due tasks of playbooks that fill their share are passed over. */
  areLimited: boolean;
}

/** Claims a suspect and what is due. Returns when there may be more to claim, where fewer than `count` tasks were due. */
export async function claimTasks(
  tx: WriteTransaction,
  { table, claim, now, until, count, dead, onFreed, leftOf, areLimited }: ClaimOptions,
): Promise<{ due: Task[]; next: number | undefined }> {
  const { holder } = claim;
  if (dead !== undefined && (await freeDeadClaims(tx, table, holder, dead))) tx.afterCommit(onFreed);
  const suspect = await claimSuspect(tx, table, { claim, until });
  const limit = suspect === undefined ? count : count - 1;
  const due = await claimDueTasks(tx, table, { claim, now, until, limit, leftOf });
  if (suspect !== undefined) due.unshift(suspect);
  if (due.length === count) return { due, next: undefined };
  return { due, next: await selectNextTime(tx, table, holder, areLimited ? now : Number.MIN_SAFE_INTEGER) };
}

interface Claiming {
  claim: Claim;
  now: number;
  until: number;
  limit: number;
  /** How many more tasks of a playbook may begin. */
  leftOf: (playbookKey: PlaybookKey) => number;
}

type DueTask = TaskName & { due_at: StoredInteger };

/** Claims the next suspect, where no suspect of any queue is running. */
async function claimSuspect(
  tx: WriteTransaction,
  table: TaskTable,
  { claim, until }: Pick<Claiming, 'claim' | 'until'>,
): Promise<Task | undefined> {
  const next = await selectNextSuspect(tx, table);
  return next && claimTask(tx, table, next, claim, until);
}

/**
 * Claims what is due: every playbook's first, then every playbook's second, and so on. Answers them by due time.
 * Its cost grows with the number of playbooks that have tasks, and not with the number of tasks that wait.
 */
async function claimDueTasks(
  tx: WriteTransaction,
  table: TaskTable,
  { claim, now, until, limit, leftOf }: Claiming,
): Promise<Task[]> {
  const playbooks = await selectDuePlaybooks(tx, table, now, limit + MOST_CARRIED_OUT);
  const open = playbooks.filter((playbook) => leftOf(playbook) > 0).slice(0, limit);
  // Statements that do not depend on each other are sent together.
  const due = await Promise.all(
    open.map((playbook) => selectDue(tx, table, playbook, { now, limit: Math.min(limit, leftOf(playbook)) })),
  );
  const ranked = due.flatMap((tasks) => tasks.map((task, turn) => ({ task, turn })));
  const order = ranked.toSorted((a, b) => a.turn - b.turn || Number(a.task.due_at) - Number(b.task.due_at));
  const claimed = await Promise.all(order.slice(0, limit).map(({ task }) => claimTask(tx, table, task, claim, until)));
  return claimed.filter((task) => task !== undefined).toSorted((a, b) => a.dueAt - b.dueAt);
}

function selectDue(
  tx: WriteTransaction,
  table: TaskTable,
  { org, playbook }: TaskName,
  { now, limit }: Pick<Claiming, 'now' | 'limit'>,
): Promise<DueTask[]> {
  return tx.all<DueTask>(
    `SELECT org, playbook, kind, key, due_at FROM ${table}
     WHERE org = $1 AND playbook = $2 AND claimed_by IS NULL AND due_at <= $3 ORDER BY due_at LIMIT $4
     ${SKIP_LOCKED}`,
    [org, playbook, now, limit],
  );
}

/** The playbooks that have something due, the longest waiting first; steps from one to the next in an index. */
function selectDuePlaybooks(tx: WriteTransaction, table: TaskTable, now: number, limit: number): Promise<TaskName[]> {
  return tx.all<TaskName>(
    `WITH RECURSIVE orgs (org) AS (
       SELECT MIN(org) FROM ${table} WHERE claimed_by IS NULL
       UNION ALL
       SELECT (SELECT MIN(org) FROM ${table} WHERE claimed_by IS NULL AND org > orgs.org) FROM orgs WHERE org IS NOT NULL
     ), places (org, playbook) AS (
       SELECT org, (SELECT MIN(playbook) FROM ${table} WHERE claimed_by IS NULL AND org = orgs.org) FROM orgs
       UNION ALL
       SELECT org, (
         SELECT MIN(playbook) FROM ${table} WHERE claimed_by IS NULL AND org = places.org AND playbook > places.playbook
       ) FROM places WHERE playbook IS NOT NULL
     )
     SELECT org, playbook FROM (
       SELECT org, playbook, (
         SELECT MIN(due_at) FROM ${table}
         WHERE claimed_by IS NULL AND org = places.org AND playbook = places.playbook
       ) AS due_at FROM places WHERE playbook IS NOT NULL
     ) AS waiting WHERE due_at <= $1 ORDER BY due_at LIMIT $2`,
    [now, limit],
  );
}

interface TaskRow extends DueTask {
  payload: string;
  tries: StoredInteger;
  deaths: StoredInteger;
}

/** Undefined when another claimed it first. */
async function claimTask(
  tx: WriteTransaction,
  table: TaskTable,
  { org, playbook, kind, key }: TaskName,
  claim: Claim,
  until: number,
): Promise<Task | undefined> {
  const row = await tx.get<TaskRow>(
    `UPDATE ${table} SET claimed_by = $5, claim = $6, claimed_until = $7
     WHERE org = $1 AND playbook = $2 AND kind = $3 AND key = $4 AND (claimed_by IS NULL OR claimed_by = '${PARKED}')
     RETURNING org, playbook, kind, key, due_at, payload, tries, deaths`,
    [org, playbook, kind, key, claim.holder, claim.number, until],
  );
  if (row === undefined) return undefined;
  const { due_at, payload: text, tries, deaths, ...name } = row;
  const payload: Json = JSON.parse(text);
  return { ...name, dueAt: Number(due_at), payload, tries: Number(tries), deaths: Number(deaths) };
}
