// Connections to one schema of a PostgreSQL database. Each is set up by its startup packet alone, so that a new one costs
// no further round trip.
import type { Socket } from 'node:net';
import pg from 'pg';
import type { SqlValue } from '../store.ts';
import { SKIP_LOCKED } from '../shared-store.ts';
import { answered, isLost } from './failures.ts';
import { type GroupedStatement, sendTogether } from './group.ts';
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

/** What the driver's types leave out of its connection. */
interface DriverConnection {
  stream: Socket;
  /** Texts of the statements that are prepared, by name. */
  parsedStatements: Readonly<Record<string, string>>;
}

const connectionOf = (client: pg.ClientBase): DriverConnection =>
  (client as unknown as { connection: DriverConnection }).connection;

const socketOf = (client: pg.ClientBase): Socket => connectionOf(client).stream;

/** Bytes of statements that wait for one write; from then on, PostgreSQL works while the rest is prepared. */
const MOST_GATHERED = 16_384;

/** Bytes of a value's length and format. */
const BESIDE_VALUE = 6;

/** What goes out in the next write of a connection. */
interface Outgoing {
  group: GroupedStatement[];
  /** About, of the values of the group. */
  bytes: number;
}

const outgoings = new WeakMap<pg.ClientBase, Outgoing>();

/**
 * Lets statements go out in one write that are sent before the process waits for something: each write wakes PostgreSQL
 * up, which costs both processes more than most statements do.
 */
function outgoingOf(client: pg.ClientBase): Outgoing {
  let outgoing = outgoings.get(client);
  if (outgoing === undefined) {
    outgoing = { group: [], bytes: 0 };
    outgoings.set(client, outgoing);
  }
  const socket = socketOf(client);
  if (socket.writableCorked === 0) {
    socket.cork();
    // Called from a promise, this comes after every other promise that is settled by now.
    process.nextTick(() => {
      closeGroup(client);
      socket.uncork();
    });
  } else if (outgoing.bytes + socket.writableLength >= MOST_GATHERED) {
    closeGroup(client);
    socket.uncork();
    socket.cork();
  }
  return outgoing;
}

/** Hands the gathered group to the driver. */
function closeGroup(client: pg.ClientBase): void {
  const outgoing = outgoings.get(client);
  if (outgoing === undefined || outgoing.group.length === 0) return;
  const { group } = outgoing;
  [outgoing.group, outgoing.bytes] = [[], 0];
  sendTogether(client, group);
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

const asText = (value: SqlValue): string | Buffer | null =>
  typeof value === 'number' ? String(value) : typeof value === 'string' ? storedText(value) : value;

function ask(
  client: pg.ClientBase,
  text: string,
  given: readonly SqlValue[],
  isDescribed: boolean,
): Promise<pg.QueryResult<pg.QueryResultRow>> {
  const outgoing = outgoingOf(client);
  const statement = preparedOf(text);
  const values = given.map(asText);
  return answered(
    new Promise((resolve, reject) => {
      if (connectionOf(client).parsedStatements[statement.name] === undefined) {
        closeGroup(client);
        // The driver's promise would settle after those of a group whose answer came later.
        client.query({ ...statement, values }, (error: Error | null, result) =>
          error ? reject(error) : resolve(result),
        );
        return;
      }
      for (const value of values) outgoing.bytes += BESIDE_VALUE + (value?.length ?? 0);
      outgoing.group.push({ name: statement.name, values, isDescribed, resolve, reject });
    }),
  );
}

/**
 * Carries out a statement, prepared by name. It is sent in a group with those before and behind it (group.ts): only within
 * a transaction, or alone.
 */
export function query(
  client: pg.ClientBase,
  text: string,
  values: readonly SqlValue[] = [],
): Promise<pg.QueryResult<pg.QueryResultRow>> {
  return ask(client, text, values, true);
}

/** As `query`, for what answers no rows. */
export function post(
  client: pg.ClientBase,
  text: string,
  values: readonly SqlValue[] = [],
): Promise<pg.QueryResult<pg.QueryResultRow>> {
  return ask(client, text, values, false);
}

/**
 * Begins a transaction, in the group of its first statement, or before it where one of them is not prepared yet. Wait for both:
 * a statement that follows a BEGIN that failed would be a transaction of its own.
 */
export async function begin(client: pg.ClientBase, statement: string): Promise<void> {
  await post(client, statement);
}

/** Carries out statements that begin or end a transaction, or lock a table. Answers what PostgreSQL says the last one did. */
export async function command(client: pg.ClientBase, statements: string): Promise<string> {
  // The driver's types leave out that several statements have several results.
  const results: pg.QueryResult | pg.QueryResult[] = await answered(sendApart(client, statements));
  return (Array.isArray(results) ? results.at(-1) : results)?.command ?? '';
}

/** Sends a statement that nests or ends a transaction; where it fails, so does the next statement. */
export function send(client: pg.ClientBase, statement: string): void {
  sendApart(client, statement).catch(() => {});
}

/** In no group: carried out whatever fails before it. */
function sendApart(client: pg.ClientBase, statements: string): Promise<pg.QueryResult> {
  outgoingOf(client);
  closeGroup(client);
  return client.query(statements);
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
