// Looking into a PostgreSQL database without changing it: what `cuebook doctor` reports.
import pg from 'pg';
import type { TableSize } from '../sqlite/table-sizes.ts';
import { UnusableStoreError } from '../store.ts';
import { connectionConfig, type DatabaseAddress, placeOf } from './pool.ts';
import { answered } from './failures.ts';
import { countHeld } from './holders-sql.ts';

export interface LookedAtDatabase {
  /** Of PostgreSQL. */
  version: string;
  bytes: number;
  /** Of the schema, largest first; empty where the schema does not exist. Rows are PostgreSQL's estimate. */
  tables: TableSize[];
  /** Connections of Cuebook processes to the database, other than the one that looks. */
  connections: number;
  /** Processes that use the schema, and those that ended without giving their lease back up to 15 s ago. */
  processes: number;
  /** Milliseconds by which the clock of the database is ahead of this machine's. */
  clockAhead: number;
}

/** @throws UnusableStoreError */
export async function lookIntoPostgres(address: DatabaseAddress): Promise<LookedAtDatabase> {
  let client: pg.Client | undefined;
  try {
    client = new pg.Client(connectionConfig(address));
    client.on('error', () => {});
    await answered(client.connect());
    return await look(client, address.schema);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new UnusableStoreError(
      `The database ${placeOf(address)} cannot be read: ${reason}. Check DATABASE_URL and that PostgreSQL is running.`,
    );
  } finally {
    await client?.end().catch(() => {});
  }
}

async function look(client: pg.Client, schema: string): Promise<LookedAtDatabase> {
  const before = Date.now();
  const { rows } = await client.query<{ version: string; connections: number; now: number }>(
    `SELECT current_setting('server_version') AS version, (EXTRACT(EPOCH FROM clock_timestamp()) * 1000)::bigint AS now,
       (SELECT COUNT(*) FROM pg_stat_activity WHERE application_name = 'cuebook' AND datname = current_database()
          AND pid <> pg_backend_pid()) AS connections`,
  );
  const halfway = (before + Date.now()) / 2;
  const tables = await client.query<TableSize>(
    `SELECT c.relname AS "table", GREATEST(c.reltuples, 0)::bigint AS rows, pg_total_relation_size(c.oid) AS bytes
     FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
     WHERE n.nspname = $1 AND c.relkind = 'r' ORDER BY bytes DESC, c.relname`,
    [schema],
  );
  const isUsed = tables.rows.some(({ table }) => table === 'holders');
  const [row] = rows;
  return {
    processes: isUsed ? await countHolders(client) : 0,
    version: row?.version ?? '',
    bytes: tables.rows.reduce((sum, { bytes }) => sum + bytes, 0),
    tables: tables.rows,
    connections: row?.connections ?? 0,
    clockAhead: (row?.now ?? halfway) - halfway,
  };
}

async function countHolders(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ held: number }>(countHeld);
  return rows[0]?.held ?? 0;
}
