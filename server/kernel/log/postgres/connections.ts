// Connections to one schema of a PostgreSQL database. Each is set up by its startup packet alone, so that a new one costs
// no further round trip.
import type { Socket } from 'node:net';
import pg from 'pg';
import type { SqlValue } from '../store.ts';
import { SKIP_LOCKED } from '../shared-store.ts';
import { answered, isLost } from './failures.ts';
import { readText, storedText } from './texts.ts';

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
    // Statements whose results are not needed are sent together with the next one.
    pipeline: true,
    types,
  };
}

export function openPool(address: DatabaseAddress, most: number): pg.Pool {
  const pool = new pg.Pool({ ...connectionConfig(address), max: most });
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

/** The driver's types leave out its connection. */
const socketOf = (client: pg.ClientBase): Socket =>
  (client as unknown as { connection: { stream: Socket } }).connection.stream;

/** Bytes of statements that wait for one write; from then on, PostgreSQL works while the rest is prepared. */
const MOST_GATHERED = 16_384;

/**
 * Lets statements go out in one write that are sent before the process waits for something: each write wakes PostgreSQL
 * up, which costs both processes more than most statements do.
 */
function gatherWrites(client: pg.ClientBase): void {
  const socket = socketOf(client);
  if (socket.writableCorked === 0) {
    // Called from a promise, this comes after every other promise that is settled by now.
    process.nextTick(() => socket.uncork());
  } else if (socket.writableLength < MOST_GATHERED) {
    return;
  } else {
    socket.uncork();
  }
  socket.cork();
}

/** Where a database is, for people; without its credentials. */
export function placeOf({ url, schema }: DatabaseAddress): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname} (schema ${schema})`;
}

/** Prepared statements, by the text that slices write. There is a bounded set of texts. */
const prepared = new Map<string, { name: string; text: string }>();

function preparedOf(written: string): { name: string; text: string } {
  let statement = prepared.get(written);
  if (statement === undefined) {
    const text = written.replace(SKIP_LOCKED, 'FOR UPDATE SKIP LOCKED');
    statement = { name: `cuebook_${prepared.size}`, text };
    prepared.set(written, statement);
  }
  return statement;
}

/** Carries out a statement, prepared by name. */
export function query(
  client: pg.ClientBase,
  text: string,
  values: readonly SqlValue[] = [],
): Promise<pg.QueryResult<pg.QueryResultRow>> {
  gatherWrites(client);
  return answered(
    client.query({
      ...preparedOf(text),
      values: values.map((value) => (typeof value === 'string' ? storedText(value) : value)),
    }),
  );
}

/** Carries out statements that begin or end a transaction, or lock a table. Answers what PostgreSQL says the last one did. */
export async function command(client: pg.ClientBase, statements: string): Promise<string> {
  gatherWrites(client);
  // The driver's types leave out that several statements have several results.
  const results: pg.QueryResult | pg.QueryResult[] = await answered(client.query(statements));
  return (Array.isArray(results) ? results.at(-1) : results)?.command ?? '';
}

/** Sends a statement that begins, nests or ends a transaction; where it fails, so does the next statement. */
export function send(client: pg.ClientBase, statement: string): void {
  gatherWrites(client);
  client.query(statement).catch(() => {});
}

/** Takes a connection for a while. One that was lost does not return to its pool. */
export async function withConnection<T>(pool: pg.Pool, use: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await answered(pool.connect());
  let lost = false;
  // A connection that breaks between two statements would otherwise end the process.
  const breaks = (): void => {
    lost = true;
  };
  client.on('error', breaks);
  try {
    return await use(client);
  } catch (error) {
    if (isLost(error)) lost = true;
    throw error;
  } finally {
    client.off('error', breaks);
    client.release(lost);
  }
}
