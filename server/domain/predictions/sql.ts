import type { Migration, PlaybookKey, WriteTransaction } from '../../kernel/log/index.ts';

export const predictionMigrations: readonly Migration[] = [
  {
    id: 'predictions/1',
    sql: `
      CREATE TABLE prediction_counts (
        org TEXT NOT NULL,
        playbook TEXT NOT NULL,
        active BIGINT NOT NULL,
        PRIMARY KEY (org, playbook)
      );`,
  },
];

/** Counts a playbook's active prediction functions up or down; answers how many there are then. */
export async function countFunctions(
  tx: WriteTransaction,
  { org, playbook }: PlaybookKey,
  change: 1 | -1,
): Promise<number> {
  const row = await tx.get<{ active: number | string }>(
    `INSERT INTO prediction_counts (org, playbook, active) VALUES ($1, $2, $3)
     ON CONFLICT (org, playbook) DO UPDATE SET active = prediction_counts.active + $3 RETURNING active`,
    [org, playbook, change],
  );
  return Number(row?.active);
}
