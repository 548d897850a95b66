// The connection that writes, as it is used by the store: batches of statements, each carried out without a pause. A
// transaction begins with a batch and lasts until one ends it. A batch is data: it may come from another thread.
//
// 1. The statements of a batch are carried out in their order. The first that fails ends the batch; the reply names it.
//    What it did itself is undone, and the transaction stays open unless the reply says otherwise.
// 2. Before COMMIT it is known that the disk has room. A COMMIT that fails leaves it unknown whether it happened.
import { statfsSync } from 'node:fs';
import path from 'node:path';
import { type SqlValue, UniqueViolation } from '../store.ts';
import { COUNT_COMMIT } from './acknowledged.ts';
import type { Connection } from './connection.ts';

/**
 * A statement: how it is executed, the number of its text, and its values. A `change` fails where it changes no row, and
 * `none` where it answers one.
 */
export type BatchStatement = readonly [
  how: 'all' | 'get' | 'run' | 'change' | 'none',
  text: number,
  parameters: readonly SqlValue[],
];
/** What nests works in the transaction. `undo` returns to the last savepoint and drops it. */
export type BatchControl = readonly ['savepoint' | 'release' | 'undo'];

export type Undo = 'MEMORY' | 'FILE';

export interface Batch {
  /** Texts that the writer does not know yet, by their numbers. */
  texts: readonly (readonly [number: number, text: string])[];
  statements: readonly (BatchStatement | BatchControl)[];
  /** Begins a transaction before the first statement. `undo`: where it keeps the pages that it may have to restore. */
  begins?: { undo: Undo };
  /** Ends the transaction behind the last statement. */
  end?: 'commit' | 'rollback';
}

export interface BatchReply {
  /** Of each statement: rows, a row, or how many rows were changed. */
  results: readonly unknown[];
  failure?: BatchFailure;
  /** How a commit ended: how many commits the database has, where this one changed something. */
  ended?: { commits: number | undefined } | { refused: string } | { unknown: string };
}

export interface BatchFailure {
  message: string;
  /** SQLite's code, such as `SQLITE_FULL`; `CHANGED_NONE` for a change that changed no row. */
  code: string | undefined;
  isUniqueViolation: boolean;
  /** False where SQLite has undone the whole transaction by itself. */
  isOpen: boolean;
}

/** Carries out a batch. */
export type CarryOutBatch = (batch: Batch) => BatchReply;

export const CHANGED_NONE = 'CHANGED_NONE';

export function createWriter(connection: Connection, file: string): CarryOutBatch {
  const { database, control, statements } = connection;
  const texts = new Map<number, string>();

  function carryOut(statement: BatchStatement | BatchControl): unknown {
    switch (statement[0]) {
      case 'savepoint':
        return control.savepoint();
      case 'release':
        return control.release();
      case 'undo':
        control.rollbackToSavepoint();
        return control.release();
      case 'change': {
        const changed = statements.run(textOf(statement[1]), statement[2]);
        if (changed === 0) throw Object.assign(new Error('A change changed no row.'), { code: CHANGED_NONE });
        return changed;
      }
      case 'none':
        if (statements.get(textOf(statement[1]), statement[2]) === undefined) return undefined;
        throw new Error('A row was not expected.');
      default:
        return statements[statement[0]](textOf(statement[1]), statement[2]);
    }
  }

  function textOf(number: number): string {
    const text = texts.get(number);
    if (text === undefined) throw new Error(`The statement ${number} has no text.`);
    return text;
  }

  function commit(): Required<BatchReply>['ended'] {
    const bytes = connection.takeUnwrittenBytes();
    let commits: number | undefined;
    if (bytes > 0) {
      const counted = statements.get(COUNT_COMMIT) as { commits: number };
      commits = Number(counted.commits);
      if (!hasRoom(file, bytes))
        return { refused: 'The disk is full, so nothing was changed. Free some space, then try again.' };
    }
    try {
      control.commit();
    } catch (error) {
      return { unknown: messageOf(error) };
    }
    return { commits };
  }

  return ({ texts: more, statements: given, begins, end }) => {
    for (const [number, text] of more) texts.set(number, text);
    const results: unknown[] = [];
    try {
      if (end === 'rollback') {
        if (database.inTransaction) control.rollback();
        return { results };
      }
      if (begins !== undefined) {
        connection.takeUnwrittenBytes();
        connection.keepUndo(begins.undo);
        control.beginImmediate();
      }
      for (const statement of given) results.push(carryOut(statement));
      return end === undefined ? { results } : { results, ended: commit() };
    } catch (error) {
      return { results, failure: failureOf(error, database.inTransaction) };
    }
  };
}

function failureOf(error: unknown, isOpen: boolean): BatchFailure {
  const code = error instanceof Error && 'code' in error ? String(error.code) : undefined;
  return { message: messageOf(error), code, isUniqueViolation: error instanceof UniqueViolation, isOpen };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Detects a full disk before COMMIT. Inside COMMIT the result would be unknown. */
function hasRoom(file: string, bytes: number): boolean {
  const { bavail, bsize } = statfsSync(path.dirname(file));
  return bavail * bsize >= 2 * bytes + 256 * 1024;
}
