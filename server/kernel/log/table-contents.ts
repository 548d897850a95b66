// The rows of all tables of a store, for copying and comparing stores.
import { createHash } from 'node:crypto';
import type { ReadTransaction, SqlValue, WriteTransaction } from './store.ts';
import { placeholders } from './many-rows.ts';

export interface StoredTable {
  name: string;
  columns: readonly string[];
  /** The columns of the primary key; all columns where there is none. */
  key: readonly string[];
}

type Row = Readonly<Record<string, SqlValue>>;
type Reading = Pick<ReadTransaction, 'all' | 'get'>;
type Read = <T>(work: (tx: Reading) => Promise<T>) => Promise<T>;

/** A row may hold a part of an uploaded file. */
const ROWS_A_PAGE = 50;
/** What a SQLite store keeps about itself. */
const OWN_TABLES = ['schema_versions', 'commits_held'];

/** The tables of a store on SQLite, other than those about itself. */
export async function listTables(tx: Reading): Promise<StoredTable[]> {
  const rows = await tx.all<{ table: string; column: string; place: number }>(
    `SELECT m.name AS "table", c.name AS "column", c.pk AS place FROM sqlite_master m, pragma_table_info(m.name) c
     WHERE m.type = 'table' AND m.name NOT LIKE 'sqlite_%' ORDER BY m.name, c.cid`,
  );
  const names = [...new Set(rows.map(({ table }) => table))].filter((name) => !OWN_TABLES.includes(name));
  return names.map((name) => {
    const own = rows.filter(({ table }) => table === name);
    const columns = own.map(({ column }) => column);
    const inKey = own.filter(({ place }) => place > 0).toSorted((a, b) => a.place - b.place);
    return { name, columns, key: inKey.length === 0 ? columns : inKey.map(({ column }) => column) };
  });
}

/** All rows by their key, page by page. Each page is read by itself. */
async function* pagesOfTable(read: Read, { name, columns, key }: StoredTable): AsyncGenerator<Row[]> {
  const keys = key.join(', ');
  const after = `WHERE (${keys}) > (${key.map((_, index) => `$${index + 1}`).join(', ')})`;
  let last: Row | undefined;
  for (;;) {
    const from = last;
    const sql = `SELECT ${columns.join(', ')} FROM ${name} ${from === undefined ? '' : after} ORDER BY ${keys} LIMIT ${ROWS_A_PAGE}`;
    const page = await read((tx) => tx.all<Row>(sql, from === undefined ? [] : key.map((one) => from[one] ?? null)));
    if (page.length > 0) yield page;
    if (page.length < ROWS_A_PAGE) return;
    last = page.at(-1);
  }
}

export interface TableDigest {
  rows: number;
  digest: string;
}

/** The same for the same rows, whatever their order. */
export async function digestTable(read: Read, table: StoredTable): Promise<TableDigest> {
  let rows = 0;
  let sum = 0n;
  for await (const page of pagesOfTable(read, table)) {
    for (const row of page) {
      const values = table.columns.map((column) => {
        const value = row[column] ?? null;
        return Buffer.isBuffer(value) ? { bytes: value.toString('base64') } : value;
      });
      sum += BigInt(`0x${createHash('sha256').update(JSON.stringify(values)).digest('hex')}`);
      rows += 1;
    }
  }
  return { rows, digest: (sum % 2n ** 256n).toString(16) };
}

/** Copies all rows. Returns how many there were. */
export async function copyTable(read: Read, tx: WriteTransaction, table: StoredTable): Promise<number> {
  let rows = 0;
  for await (const page of pagesOfTable(read, table)) {
    // Waits for each page, so that only one of them is in memory.
    await tx.all(
      `INSERT INTO ${table.name} (${table.columns.join(', ')}) VALUES ${placeholders(page.length, table.columns.length)}
       RETURNING 1 AS inserted`,
      page.flatMap((row) => table.columns.map((column) => row[column] ?? null)),
    );
    rows += page.length;
  }
  return rows;
}

export async function isEmpty(tx: Reading, { name }: StoredTable): Promise<boolean> {
  return (await tx.get(`SELECT 1 AS one FROM ${name} LIMIT 1`)) === undefined;
}
