import type { ReadTransaction } from '../log/index.ts';
import { TASK_TABLES } from './sql.ts';

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
