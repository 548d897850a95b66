// The tables of tasks.
import {
  type Migration,
  type PlaybookKey,
  type ReadTransaction,
  STORED_BY_KEY,
  UniqueViolation,
  type WriteTransaction,
} from '../log/index.ts';
import type { NewTask, Task } from './task.ts';

/** Each queue of tasks is a table: tasks that take long must not take the slots of those that are quick. */
export const TASK_TABLES = ['tasks', 'start_tasks', 'perform_tasks', 'loop_tasks'] as const;
export type TaskTable = (typeof TASK_TABLES)[number];

/** @param more further columns */
function tableSql(table: TaskTable, more = '', options = ''): string {
  return `
      CREATE TABLE ${table} (
        org TEXT NOT NULL,
        playbook TEXT NOT NULL,
        kind TEXT NOT NULL,
        key TEXT NOT NULL,
        due_at BIGINT NOT NULL,
        payload TEXT NOT NULL,
        tries BIGINT NOT NULL,
        claimed_by TEXT,
        claimed_until BIGINT,
        claim BIGINT,${more}
        PRIMARY KEY (org, playbook, kind, key)
      ) ${options};`;
}

function indexesSql(table: TaskTable): string {
  return `
      CREATE INDEX ${table}_by_due ON ${table} (due_at) WHERE claimed_by IS NULL;
      CREATE INDEX ${table}_by_playbook ON ${table} (org, playbook, due_at) WHERE claimed_by IS NULL;
      CREATE INDEX ${table}_by_claim ON ${table} (claimed_by, claimed_until) WHERE claimed_by IS NOT NULL;`;
}

/** A task is one row of one tree, not a row and an entry in the index of its key: each is a page of the commit. */
function storeByKey(table: TaskTable): string {
  const columns = 'org, playbook, kind, key, due_at, payload, tries, claimed_by, claimed_until, claim, deaths';
  return `
      ALTER TABLE ${table} RENAME TO earlier_${table};
      ${tableSql(table, 'deaths BIGINT NOT NULL DEFAULT 0,', STORED_BY_KEY)}
      INSERT INTO ${table} (${columns}) SELECT ${columns} FROM earlier_${table};
      DROP TABLE earlier_${table};
      ${indexesSql(table)}`;
}

export const taskMigrations: readonly Migration[] = [
  {
    id: 'tasks/1',
    sql: TASK_TABLES.map((table) => tableSql(table) + indexesSql(table)).join('\n'),
  },
  {
    id: 'tasks/2',
    sql: TASK_TABLES.map((table) => `ALTER TABLE ${table} ADD COLUMN deaths BIGINT NOT NULL DEFAULT 0;`).join('\n'),
  },
  {
    id: 'tasks/3',
    sql: TASK_TABLES.map(storeByKey).join('\n'),
  },
];

/** One claiming of a holder, which counts them up, so that no claim ever comes again. */
export interface Claim {
  holder: string;
  number: number;
}

export type TaskName = Pick<Task, 'org' | 'playbook' | 'kind' | 'key'>;

/** SQLite answers a number, PostgreSQL a text. */
export type StoredInteger = number | string;

export const NAMED = 'org = $1 AND playbook = $2 AND kind = $3 AND key = $4';
export const UNCLAIM = 'claimed_by = NULL, claimed_until = NULL, claim = NULL';
const insertInto = (table: TaskTable): string =>
  `INSERT INTO ${table} (org, playbook, kind, key, due_at, payload, tries) VALUES ($1, $2, $3, $4, $5, $6, 0)
   ON CONFLICT (org, playbook, kind, key)`;

/** Inserts a task that its holder executes as soon as it is committed. Returns false if it is there already. */
export async function insertClaimed(
  tx: WriteTransaction,
  table: TaskTable,
  playbookKey: PlaybookKey,
  task: NewTask,
  { holder, number }: Claim,
  until: number,
): Promise<boolean> {
  try {
    await tx.run(
      `INSERT INTO ${table} (org, playbook, kind, key, due_at, payload, tries, claimed_by, claimed_until, claim)
       VALUES ($1, $2, $3, $4, $5, $6, 0, $7, $8, $9)`,
      [...columnsOf(playbookKey, task), holder, until, number],
    );
    return true;
  } catch (error) {
    if (error instanceof UniqueViolation) return false;
    throw error;
  }
}

/** Inserts a task, unless it is there already. */
export function insertTask(
  tx: WriteTransaction,
  table: TaskTable,
  playbookKey: PlaybookKey,
  task: NewTask,
): Promise<void> {
  return tx.run(`${insertInto(table)} DO NOTHING`, columnsOf(playbookKey, task));
}

export function upsertTask(
  tx: WriteTransaction,
  table: TaskTable,
  playbookKey: PlaybookKey,
  task: NewTask,
): Promise<void> {
  const update = `DO UPDATE SET due_at = $5, payload = $6, tries = 0, deaths = 0, ${UNCLAIM}`;
  return tx.run(`${insertInto(table)} ${update}`, columnsOf(playbookKey, task));
}

function columnsOf({ org, playbook }: PlaybookKey, { kind, key, dueAt, payload }: NewTask): (string | number)[] {
  return [org, playbook, kind, key, dueAt, JSON.stringify(payload)];
}

export function deleteTask(
  tx: WriteTransaction,
  table: TaskTable,
  { org, playbook }: PlaybookKey,
  kind: string,
  key: string,
): Promise<void> {
  return tx.run(`DELETE FROM ${table} WHERE ${NAMED}`, [org, playbook, kind, key]);
}

/** Answers whether there was one. */
export async function takeTask(
  tx: WriteTransaction,
  table: TaskTable,
  { org, playbook }: PlaybookKey,
  kind: string,
  key: string,
): Promise<boolean> {
  const deleted = await tx.get(`DELETE FROM ${table} WHERE ${NAMED} RETURNING key`, [org, playbook, kind, key]);
  return deleted !== undefined;
}

/** When the first of the tasks is due whose keys begin like this; undefined where there is none. */
export async function selectFirstDue(
  tx: ReadTransaction,
  table: TaskTable,
  { org, playbook }: PlaybookKey,
  kind: string,
  prefix: string,
): Promise<number | undefined> {
  const row = await tx.get<{ due_at: StoredInteger | null }>(
    `SELECT MIN(due_at) AS due_at FROM ${table} WHERE org = $1 AND playbook = $2 AND kind = $3 AND key >= $4 AND key < $5`,
    [org, playbook, kind, prefix, prefix + LAST_CHARACTER],
  );
  return row === undefined || row.due_at === null ? undefined : Number(row.due_at);
}

/** Comes after every other character in keys. */
const LAST_CHARACTER = '\u{10ffff}';

export interface TaskBacklog {
  /** Tasks that are due and that nothing carries out. */
  due: number;
  /** Milliseconds for which the oldest of them has been due. */
  late: number;
}

/** @param now in milliseconds since 1970 */
export async function readBacklog(tx: ReadTransaction, now: number): Promise<TaskBacklog> {
  const due = TASK_TABLES.map((table) => `SELECT due_at FROM ${table} WHERE claimed_by IS NULL AND due_at <= $1`);
  const row = await tx.get<{ due: number | string; oldest: number | string | null }>(
    `SELECT COUNT(*) AS due, MIN(due_at) AS oldest FROM (${due.join(' UNION ALL ')}) AS due_tasks`,
    [now],
  );
  const oldest = row?.oldest ?? null;
  return { due: Number(row?.due ?? 0), late: oldest === null ? 0 : now - Number(oldest) };
}
