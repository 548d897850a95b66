// The statements of one work, in the transaction that it shares with others.
//
// 1. A statement that fails undoes the whole transaction in PostgreSQL, or what was done since a savepoint. A work may go
//    on after a unique index refused a row, so it is carried out without savepoints of its statements first, and once
//    more with them where a row was refused: works are repeatable.
// 2. After any other failure the work has failed, whatever it made of the error.
// 3. Ahead, posted statements are sent without waiting for their results, which are in once the transaction's COMMIT is
//    answered. Where one fails, nothing is committed. One that is expected to change rows fails if it changes none,
//    and one that is expected to find none if it finds one.
import type { PoolClient, QueryResult, QueryResultRow } from 'pg';
import { type SqlValue, type StoreCounters, UniqueViolation, type WriteTransaction } from '../store.ts';
import { post, query, send } from './connections.ts';
import { isLost, isUniqueViolation } from './failures.ts';

export type Statements = Pick<WriteTransaction, 'all' | 'get' | 'run' | 'post' | 'runExpected' | 'getUnexpected'>;

/** How statements are carried out: posted ones ahead of their results, each in turn, or each in a savepoint of its own. */
export type Manner = 'ahead' | 'in turn' | 'with savepoints';

export interface WorkStatements {
  statements: Statements;
  /** The error after which nothing of the work can stay; a UniqueViolation where it may succeed with savepoints. */
  failure: () => unknown;
  /** Whether rows were changed; or may be, by a statement that was posted ahead. */
  hasChanged: () => boolean;
  /** How many statements were sent that may change rows. */
  sentChanges: () => number;
  /** Resolves once the results of all posted statements are in. */
  posted: () => Promise<unknown>;
}

type CarryOut = (sql: string, parameters: readonly SqlValue[]) => Promise<QueryResult<QueryResultRow>>;

/** Statements by what carries one out. */
export function statementsBy(carryOut: CarryOut, counters: StoreCounters): Pick<Statements, 'all' | 'get' | 'run'> {
  const counted: CarryOut = (sql, parameters) => {
    counters.statements += 1;
    return carryOut(sql, parameters);
  };
  return {
    all: async <Row>(sql: string, parameters: readonly SqlValue[] = []) =>
      (await counted(sql, parameters)).rows as Row[],
    get: async <Row>(sql: string, parameters: readonly SqlValue[] = []) =>
      (await counted(sql, parameters)).rows[0] as Row | undefined,
    run: async (sql, parameters = []) => (await counted(sql, parameters)).rowCount ?? 0,
  };
}

/** Statements that a unique index may refuse. */
const WRITES_ROWS = /^\s*(?:INSERT|UPDATE|WITH)\b/i;

const READS_ROWS = /^\s*SELECT\b/i;

/** A change that fails, as a division by zero, where it changes no row. It answers no rows. */
const orFail = (change: string): string =>
  `WITH changed AS (${change} RETURNING 1) SELECT FROM changed HAVING 1 / COUNT(*) < 0`;

/** A statement that fails in the same way where it answers a row. */
const orFailIfAny = (statement: string): string =>
  `WITH found AS (${statement}) SELECT FROM found HAVING 1 / (CASE COUNT(*) WHEN 0 THEN 1 ELSE 0 END) < 0`;

/** Each statement in a savepoint of its own, one after the other. */
function inSavepoints(client: PoolClient, carryOut: CarryOut): CarryOut {
  let last: Promise<unknown> = Promise.resolve();
  const carryOutAlone: CarryOut = async (sql, parameters) => {
    if (!WRITES_ROWS.test(sql)) return carryOut(sql, parameters);
    send(client, 'SAVEPOINT statement');
    try {
      const result = await carryOut(sql, parameters);
      send(client, 'RELEASE statement');
      return result;
    } catch (error) {
      send(client, 'ROLLBACK TO statement');
      send(client, 'RELEASE statement');
      throw error;
    }
  };
  return (sql, parameters) => {
    const result = last.then(() => carryOutAlone(sql, parameters));
    last = result.catch(() => {});
    return result;
  };
}

export function createWorkStatements(client: PoolClient, counters: StoreCounters, manner: Manner): WorkStatements {
  const withSavepoints = manner === 'with savepoints';
  let failure: unknown;
  let hasChanged = false;
  let sentChanges = 0;
  const posted: Promise<unknown>[] = [];

  const carryOutBy =
    (ask: typeof query): CarryOut =>
    async (sql, parameters) => {
      if (failure !== undefined)
        throw new Error('The transaction was undone by an earlier statement.', { cause: failure });
      if (!READS_ROWS.test(sql)) sentChanges += 1;
      try {
        const result = await ask(client, sql, parameters);
        if (result.command !== 'SELECT' && (result.rowCount ?? 0) > 0) hasChanged = true;
        return result;
      } catch (error) {
        if (isUniqueViolation(error)) {
          const violation = new UniqueViolation(error.message);
          if (!withSavepoints) failure ??= violation;
          throw violation;
        }
        failure ??= error;
        throw error;
      }
    };
  const carryOut = carryOutBy(query);
  const statements = statementsBy(withSavepoints ? inSavepoints(client, carryOut) : carryOut, counters);
  const ahead = statementsBy(carryOutBy(post), counters);
  /** What fails is remembered as the failure of the work. */
  const sendAhead = (sql: string, parameters?: readonly SqlValue[], tell?: (changed: number) => void): void => {
    hasChanged = true;
    const answered = ahead.run(sql, parameters).then(tell, (error: unknown) => {
      // Its answer may have been lost with that of the commit, which may have happened.
      if (isLost(error)) tell?.(1);
    });
    posted.push(answered);
  };
  return {
    statements: {
      ...statements,
      async post(sql, parameters, tell) {
        if (manner === 'ahead') {
          sendAhead(sql, parameters, tell);
        } else {
          const changed = await statements.run(sql, parameters);
          tell?.(changed);
        }
      },
      async runExpected(sql, parameters) {
        if (manner !== 'ahead') return (await statements.run(sql, parameters)) > 0;
        sendAhead(orFail(sql), parameters);
        return true;
      },
      async getUnexpected(sql, parameters) {
        if (manner !== 'ahead') return statements.get(sql, parameters);
        sendAhead(orFailIfAny(sql), parameters);
        return undefined;
      },
    },
    failure: () => failure,
    hasChanged: () => hasChanged,
    sentChanges: () => sentChanges,
    posted: () => Promise.all(posted),
  };
}
