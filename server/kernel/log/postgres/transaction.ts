// The statements of one work, in the transaction that it shares with others.
//
// 1. A statement that fails undoes the whole transaction in PostgreSQL, or what was done since a savepoint. A work may go
//    on after a unique index refused a row, so it is carried out without savepoints of its statements first, and once
//    more with them where a row was refused: works are repeatable.
// 2. After any other failure the work has failed, whatever it made of the error.
// 3. Eagerly, statements are sent without waiting for results that are not needed; all of them are in once the COMMIT is
//    answered. Where one fails, nothing is committed. One that is expected to change rows fails if it changes none, and one
//    that is expected to find none if it finds one.
import type { PoolClient, QueryResult, QueryResultRow } from 'pg';
import { NothingChanged, type SqlValue, type StoreCounters, UniqueViolation, type WriteTransaction } from '../store.ts';
import { post, query, send } from './connections.ts';
import { isUniqueViolation } from './failures.ts';

export type Statements = Pick<WriteTransaction, 'all' | 'get' | 'run'>;

/** How statements are executed: without waiting for results that are not needed, each in turn, or each in a savepoint. */
export type Manner = 'eager' | 'in turn' | 'with savepoints';

export interface WorkStatements {
  statements: Statements;
  /** The error after which nothing of the work can stay; a UniqueViolation where it may succeed with savepoints. */
  failure: () => unknown;
  /** Whether rows were changed, or may have been by a statement that was not waited for. */
  hasChanged: () => boolean;
  /** How many statements were sent that may change rows. */
  sentChanges: () => number;
  /** Resolves once the results of all statements are in. */
  allAnswered: () => Promise<unknown>;
}

type Execute = (sql: string, parameters: readonly SqlValue[]) => Promise<QueryResult<QueryResultRow>>;

/** How rows are read by what executes a statement. */
export function readsBy(execute: Execute): Pick<Statements, 'all' | 'get'> {
  return {
    all: async <Row>(sql: string, parameters: readonly SqlValue[] = []) =>
      (await execute(sql, parameters)).rows as Row[],
    get: async <Row>(sql: string, parameters: readonly SqlValue[] = []) =>
      (await execute(sql, parameters)).rows[0] as Row | undefined,
  };
}

export function counting(counters: StoreCounters, execute: Execute): Execute {
  return (sql, parameters) => {
    counters.statements += 1;
    return execute(sql, parameters);
  };
}

/** Statements that a unique index may refuse. */
const WRITES_ROWS = /^\s*(?:INSERT|UPDATE|WITH)\b/i;

/** Statements that change no row. One of `orFailIfAny` fails where it would. */
const CHANGES_NONE = /^\s*(?:SELECT|WITH found|SAVEPOINT|ROLLBACK|RELEASE)\b/i;

/** A change that fails, as a division by zero, where it changes no row. It answers no rows. */
const orFail = (change: string): string =>
  `WITH changed AS (${change} RETURNING 1) SELECT FROM changed HAVING 1 / COUNT(*) < 0`;

/** A statement that fails in the same way where it answers a row. */
const orFailIfAny = (statement: string): string =>
  `WITH found AS (${statement}) SELECT FROM found HAVING 1 / (CASE COUNT(*) WHEN 0 THEN 1 ELSE 0 END) < 0`;

/** Each statement in a savepoint of its own, one after the other. */
function inSavepoints(client: PoolClient, execute: Execute): Execute {
  let last: Promise<unknown> = Promise.resolve();
  const executeAlone: Execute = async (sql, parameters) => {
    if (!WRITES_ROWS.test(sql)) return execute(sql, parameters);
    send(client, 'SAVEPOINT statement');
    try {
      const result = await execute(sql, parameters);
      send(client, 'RELEASE statement');
      return result;
    } catch (error) {
      send(client, 'ROLLBACK TO statement');
      send(client, 'RELEASE statement');
      throw error;
    }
  };
  return (sql, parameters) => {
    const result = last.then(() => executeAlone(sql, parameters));
    last = result.catch(() => {});
    return result;
  };
}

export function createWorkStatements(client: PoolClient, counters: StoreCounters, manner: Manner): WorkStatements {
  const withSavepoints = manner === 'with savepoints';
  let failure: unknown;
  let hasChanged = false;
  let sentChanges = 0;
  const answers: Promise<unknown>[] = [];

  const executeBy =
    (ask: typeof query): Execute =>
    async (sql, parameters) => {
      if (failure !== undefined)
        throw new Error('The transaction was undone by an earlier statement.', { cause: failure });
      if (!CHANGES_NONE.test(sql)) sentChanges += 1;
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
  const asked = executeBy(query);
  const execute = counting(counters, withSavepoints ? inSavepoints(client, asked) : asked);
  const unawaited = counting(counters, executeBy(post));
  const { all, get } = readsBy(execute);
  /** A failure is kept as that of the work. */
  const sendEagerly = (sql: string, parameters: readonly SqlValue[]): void => {
    answers.push(unawaited(sql, parameters).catch(() => {}));
  };
  return {
    statements: {
      all,
      async get(sql, parameters = [], expected) {
        if (manner !== 'eager' || expected === undefined) return get(sql, parameters);
        sendEagerly(orFailIfAny(sql), parameters);
        return undefined;
      },
      async run(sql, parameters = [], expected) {
        if (manner === 'eager') {
          hasChanged ||= !CHANGES_NONE.test(sql);
          sendEagerly(expected === undefined ? sql : orFail(sql), parameters);
        } else {
          const { rowCount } = await execute(sql, parameters);
          if (expected !== undefined && rowCount === 0) throw new NothingChanged();
        }
      },
    },
    failure: () => failure,
    hasChanged: () => hasChanged,
    sentChanges: () => sentChanges,
    allAnswered: () => Promise.all(answers),
  };
}
