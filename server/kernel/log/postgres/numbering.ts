import type { WriteTransaction } from '../store.ts';

/** Lets the row numbers of every table of the schema continue behind the rows that were copied into it. */
export async function continueNumbering(tx: WriteTransaction): Promise<void> {
  const numbered = await tx.all<{ table: string; column: string }>(
    `SELECT table_name AS "table", column_name AS "column" FROM information_schema.columns
     WHERE table_schema = current_schema() AND is_identity = 'YES'`,
  );
  for (const { table, column } of numbered) {
    await tx.get(
      `SELECT setval(pg_get_serial_sequence($1, $2), (SELECT COALESCE(MAX(${column}), 0) + 1 FROM ${table}), false)`,
      [table, column],
    );
  }
}
