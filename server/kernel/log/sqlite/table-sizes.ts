import { readUnopenedDatabase } from './look-into.ts';

export interface TableSize {
  table: string;
  rows: number;
  /** What the table and its indexes take in the file. */
  bytes: number;
}

/** The tables of a database, largest first. @throws UnusableStoreError */
export function tableSizes(file: string): TableSize[] {
  return readUnopenedDatabase(file, (rows) =>
    rows<{ table: string; bytes: number }>(
      `SELECT m.tbl_name AS "table", SUM(d.pgsize) AS bytes
       FROM sqlite_master m JOIN dbstat d ON d.name = m.name AND d.aggregate = TRUE
       WHERE m.tbl_name NOT LIKE 'sqlite_%' GROUP BY m.tbl_name ORDER BY bytes DESC, m.tbl_name`,
    ).map(({ table, bytes }) => {
      const [counted] = rows<{ rows: number }>(`SELECT COUNT(*) AS rows FROM "${table}"`);
      return { table, rows: counted?.rows ?? 0, bytes };
    }),
  );
}
