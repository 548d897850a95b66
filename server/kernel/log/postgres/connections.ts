// Statements on a connection: prepared by name, and sent in groups with those before and behind them.
import type pg from 'pg';
import { SKIP_LOCKED } from '../shared-store.ts';
import type { SqlValue } from '../store.ts';
import { answered, isLost } from './failures.ts';
import { type GroupedStatement, sendTogether } from './group.ts';
import { connectionOf, socketOf } from './pool.ts';
import { storedText } from './texts.ts';

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
