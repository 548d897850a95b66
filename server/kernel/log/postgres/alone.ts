// Work that one process at a time carries out, under an advisory lock of a connection of its own.
import pg from 'pg';
import { connectionConfig, type DatabaseAddress } from './pool.ts';
import { answered } from './failures.ts';

/** Apart from the one of migrations (migrate.ts). */
const LOCK = 0x43756563;

/** Waits as long as another process has the lock, which ends with its connection. */
export async function carryOutAlone<T>(address: DatabaseAddress, work: () => Promise<T>): Promise<T> {
  const client = new pg.Client({ ...connectionConfig(address), lock_timeout: 0, statement_timeout: 0 });
  client.on('error', () => {});
  try {
    await answered(client.connect());
    await answered(client.query('SELECT pg_advisory_lock($1, hashtext($2))', [LOCK, address.schema]));
    return await work();
  } finally {
    await client.end().catch(() => {});
  }
}
