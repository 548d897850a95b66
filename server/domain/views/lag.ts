import type { ReadTransaction } from '../../kernel/log/index.ts';

export interface ViewLag {
  /** Events that the view furthest behind has not read, or read without storing how far. */
  behind: number;
  /** Views that an event stalled. */
  stalled: number;
}

export async function readViewLag(tx: ReadTransaction): Promise<ViewLag> {
  const row = await tx.get<{ behind: number | string | null; stalled: number | string | null }>(
    `SELECT MAX(end_of_reading - checkpoint) AS behind, SUM(is_stalled) AS stalled FROM (
       SELECT v.checkpoint, CASE WHEN v.stalled IS NULL THEN 0 ELSE 1 END AS is_stalled,
         COALESCE((SELECT MAX(e.read_position) FROM events e WHERE e.org = v.org AND e.playbook = v.playbook), 0)
           AS end_of_reading
       FROM views v
     ) AS lags`,
  );
  return { behind: Number(row?.behind ?? 0), stalled: Number(row?.stalled ?? 0) };
}
