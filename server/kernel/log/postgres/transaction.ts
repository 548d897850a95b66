// The statements of one work, in the transaction that it shares with others.
//
// 1. A statement that fails undoes the whole transaction in PostgreSQL, or what was done since a savepoint. A work may go
//    on after a unique index refused a row, so it is carried out without savepoints of its statements first, and once
//    more with them where a row was refused: works are repeatable.
// 2. After any other failure the work has failed, whatever it made of the error.
import type { PoolClient, QueryResult, QueryResultRow } from 'pg';
import { type SqlValue, type StoreCounters, UniqueViolation, type WriteTransaction } from '../store.ts';
import { query, send } from './connections.ts';
import { isUniqueViolation } from './failures.ts';

export type Statements = Pick<WriteTransaction, 'all' | 'get' | 'run'>;

export interface WorkStatements {
  statements: Statements;
  /** The error after which nothing of the work can stay; a UniqueViolation where it may succeed with savepoints. */
  failure: () => unknown;
  hasChanged: () => boolean;
}

type CarryOut = (sql: string, parameters: readonly SqlValue[]) => Promise<QueryResult<QueryResultRow>>;

/** Statements by what carries one out. */
export function statementsBy(carryOut: CarryOut, counters: StoreCounters): Statements {
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

/** @param withSavepoints whether the work can go on after a unique index refused a row */
export function createWorkStatements(
  client: PoolClient,
  counters: StoreCounters,
  withSavepoints: boolean,
): WorkStatements {
  let failure: unknown;
  let hasChanged = false;
  /** Statements with savepoints run one after the other. */
  let last: Promise<unknown> = Promise.resolve();

  const carryOut: CarryOut = async (sql, parameters) => {
    if (failure !== undefined)
      throw new Error('The transaction was undone by an earlier statement.', { cause: failure });
    try {
      const result = await query(client, sql, parameters);
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
  const inTurn: CarryOut = (sql, parameters) => {
    const result = last.then(() => carryOutAlone(sql, parameters));
    last = result.catch(() => {});
    return result;
  };

  return {
    statements: statementsBy(withSavepoints ? inTurn : carryOut, counters),
    failure: () => failure,
    hasChanged: () => hasChanged,
  };
}
