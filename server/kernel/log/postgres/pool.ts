// Pools of connections to one schema of a PostgreSQL database. Each connection is set up by its startup packet alone, so that a
// new one costs no further round trip.
import type { Socket } from 'node:net';
import pg from 'pg';
import { readText } from './texts.ts';

export interface DatabaseAddress {
  /** `postgres://user:password@host:port/database`, with the parameters that libpq knows. */
  url: string;
  /** The schema of all tables: lower-case letters, digits and `_`. */
  schema: string;
}

/** Milliseconds. A process that stops in a transaction, or a statement that never ends, must not hold a playbook. */
export const IDLE_IN_TRANSACTION = 10_000;
const STATEMENT = 30_000;
const LOCK = 5000;
const CONNECT = 5000;
/** Longer than the database itself takes for a statement: who waits for longer waits for a network that lost the connection. */
const ANSWER = 60_000;
/** A new connection prepares and plans each statement again: opening all of them takes longer than a busy second. */
const UNUSED = 300_000;
/** A connection that lasts must show the network that it is in use, and find out that the host at its other end is gone. */
const KEEP_ALIVE_AFTER = 30_000;

/** SQLite's types of the values that PostgreSQL would answer as texts or as truth values, and texts as they were given. */
const asNumber = (text: string): number => Number(text);
const asBit = (text: string): number => (text === 't' ? 1 : 0);
const PARSERS = new Map<number, (text: string) => unknown>([
  [pg.types.builtins.BOOL, asBit],
  [pg.types.builtins.INT8, asNumber],
  [pg.types.builtins.NUMERIC, asNumber],
  [pg.types.builtins.TEXT, readText],
]);
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') => PARSERS.get(oid) ?? pg.types.getTypeParser(oid, format),
};

export function connectionConfig({ url, schema }: DatabaseAddress): pg.ClientConfig {
  const address = new URL(url);
  const asked = address.searchParams.get('options');
  address.searchParams.delete('options');
  const own = `-c search_path=${schema} -c synchronous_commit=on`;
  return {
    connectionString: address.href,
    options: asked === null ? own : `${asked} ${own}`,
    application_name: 'cuebook',
    statement_timeout: STATEMENT,
    lock_timeout: LOCK,
    idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION,
    connectionTimeoutMillis: CONNECT,
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_AFTER,
    // Statements whose results are not needed are sent together with the next one.
    pipeline: true,
    types,
  };
}

export function openPool(address: DatabaseAddress, most: number): pg.Pool {
  const pool = new pg.Pool({
    ...connectionConfig(address),
    max: most,
    idleTimeoutMillis: UNUSED,
    query_timeout: ANSWER,
  });
  // An idle connection that breaks is replaced when it is needed.
  pool.on('error', () => {});
  const clients = new Set<pg.PoolClient>();
  pool.on('connect', (client) => clients.add(client));
  pool.on('remove', (client) => clients.delete(client));
  connectionsOf.set(pool, clients);
  return pool;
}

const connectionsOf = new WeakMap<pg.Pool, ReadonlySet<pg.PoolClient>>();

/** Ends the connections of a pool at once: what waits for an answer on one of them fails. */
export function breakConnections(pool: pg.Pool): void {
  for (const client of connectionsOf.get(pool) ?? []) {
    // `end` would wait for a server that does not answer.
    socketOf(client).destroy();
  }
}

/** Where a database is, for people; without its credentials. */
export function placeOf({ url, schema }: DatabaseAddress): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname} (schema ${schema})`;
}

/** What the driver's types leave out of its connection. */
interface DriverConnection {
  stream: Socket;
  /** Texts of the statements that are prepared, by name. */
  parsedStatements: Readonly<Record<string, string>>;
}

export const connectionOf = (client: pg.ClientBase): DriverConnection =>
  (client as unknown as { connection: DriverConnection }).connection;

export const socketOf = (client: pg.ClientBase): Socket => connectionOf(client).stream;
