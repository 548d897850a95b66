import Database from 'better-sqlite3';
import { type SqlValue, UniqueViolation, UnusableStoreError } from '../store.ts';

export interface Statements {
  all(sql: string, parameters?: readonly SqlValue[]): unknown[];
  get(sql: string, parameters?: readonly SqlValue[]): unknown;
  /** Returns how many rows were changed. */
  run(sql: string, parameters?: readonly SqlValue[]): number;
}

interface Prepared {
  statement: Database.Statement;
  /** Which value each place takes; undefined where the values stand as they are bound. */
  order: readonly number[] | undefined;
}

const CONTROL = {
  begin: 'BEGIN',
  beginImmediate: 'BEGIN IMMEDIATE',
  commit: 'COMMIT',
  rollback: 'ROLLBACK',
  savepoint: 'SAVEPOINT work',
  release: 'RELEASE work',
  rollbackToSavepoint: 'ROLLBACK TO work',
} as const;
export type ControlStatement = keyof typeof CONTROL;

/** A row weighs its text and some pages: those of the indexes that it touches weigh more than the row's own. */
const BYTES_A_ROW = 16 * 1024;
/** Pages beyond it are written to the WAL during the transaction, so that a full disk is detected before COMMIT. */
const CACHE_BYTES = 2048 * 1024;

/** @throws UnusableStoreError */
export function openConnection(path: string): Connection {
  const database = new Database(path);
  // Each holds for this connection alone, and a reopened WAL database falls back to NORMAL.
  const mode = database.pragma('journal_mode = WAL', { simple: true });
  database.pragma('synchronous = FULL');
  database.pragma('fullfsync = ON');
  database.pragma('foreign_keys = ON');
  database.pragma('busy_timeout = 5000');
  database.pragma(`cache_size = -${CACHE_BYTES / 1024}`);
  if (mode !== 'wal') {
    database.close();
    throw new UnusableStoreError(
      `The folder of the database ${path} does not support a write-ahead log. Choose a folder on a local disk.`,
    );
  }
  return new Connection(database);
}

/** One connection with its prepared statements. Statements are kept by their text; there is a bounded set of them. */
export class Connection {
  readonly database: Database.Database;
  /** Statements of the open transaction; each throws when there is none, also after SQLite undid it by itself. */
  readonly statements: Statements = {
    all: (sql, parameters = []) => this.#run(sql, parameters, readAll, countRows),
    get: (sql, parameters = []) => this.#run(sql, parameters, readFirst, oneRow),
    run: (sql, parameters = []) => this.#run(sql, parameters, this.#write, changedRows).changes,
  };
  /** Statements that steer transactions, prepared once. */
  readonly control: Readonly<Record<ControlStatement, () => void>>;
  readonly #prepared = new Map<string, Prepared>();
  /** Followed here, since asking the database costs as much as a small statement. */
  #inTransaction = false;
  #mayBegin = false;
  #unwrittenBytes = 0;
  #undo: 'MEMORY' | 'FILE' | undefined;

  constructor(database: Database.Database) {
    this.database = database;
    this.control = Object.fromEntries(
      Object.entries(CONTROL).map(([name, sql]) => {
        const statement = database.prepare(sql);
        return [name, () => this.#steer(statement, sql.endsWith(' work'))];
      }),
    ) as Record<ControlStatement, () => void>;
  }

  /** Begins a transaction for reading with its first statement: what reads only what is remembered needs none. */
  beginRead(): void {
    this.#mayBegin = true;
  }

  endRead(): void {
    this.#mayBegin = false;
    if (this.database.inTransaction) this.control.commit();
  }

  /**
   * Where the next transaction keeps the pages that its savepoints and statements would restore. SQLite copies a page
   * once for each of them.
   */
  keepUndo(place: 'MEMORY' | 'FILE'): void {
    if (place !== this.#undo) this.database.pragma(`temp_store = ${place}`);
    this.#undo = place;
  }

  /** At most what a COMMIT now has to write, in bytes, and 0 when nothing was written; counted from the last call. */
  takeUnwrittenBytes(): number {
    const bytes = this.#unwrittenBytes;
    this.#unwrittenBytes = 0;
    return Math.min(bytes, CACHE_BYTES);
  }

  /** Runs a statement; `rowsOf` says how many rows its result stands for. */
  #run<Result>(
    sql: string,
    parameters: readonly SqlValue[],
    call: (statement: Database.Statement, bound: readonly SqlValue[]) => Result,
    rowsOf: (result: Result) => number,
  ): Result {
    const { statement, order } = this.#prepare(sql);
    try {
      const result = call(statement, order?.map((place) => parameters[place] ?? null) ?? parameters);
      if (!statement.readonly) this.#unwrittenBytes += lengthOf(parameters) + BYTES_A_ROW * Math.max(1, rowsOf(result));
      return result;
    } catch (error) {
      this.#inTransaction = this.database.inTransaction;
      throw isUniqueViolation(error) ? new UniqueViolation(error.message) : error;
    }
  }

  #prepare(sql: string): Prepared {
    if (this.#mayBegin) {
      this.#mayBegin = false;
      this.control.begin();
    }
    if (!this.#inTransaction) throw new Error('A statement was run outside of its transaction.');
    const known = this.#prepared.get(sql);
    if (known !== undefined) return known;
    const { text, order } = positional(sql);
    const prepared = { statement: this.database.prepare(text), order };
    this.#prepared.set(sql, prepared);
    return prepared;
  }

  /** A statement that writes no table may end the transaction. */
  readonly #write = (statement: Database.Statement, bound: readonly SqlValue[]): Database.RunResult => {
    const result = statement.run(...bound);
    if (statement.readonly) this.#inTransaction = this.database.inTransaction;
    return result;
  };

  /** Savepoints begin and end none, unless they fail. */
  #steer(statement: Database.Statement, isSavepoint: boolean): void {
    try {
      statement.run();
      if (!isSavepoint) this.#inTransaction = this.database.inTransaction;
    } catch (error) {
      this.#inTransaction = this.database.inTransaction;
      throw error;
    }
  }
}

const readAll = (statement: Database.Statement, bound: readonly SqlValue[]): unknown[] => statement.all(...bound);
const readFirst = (statement: Database.Statement, bound: readonly SqlValue[]): unknown => statement.get(...bound);
const changedRows = ({ changes }: Database.RunResult): number => changes;
const countRows = (rows: readonly unknown[]): number => rows.length;
const oneRow = (): number => 1;

/** `$1` becomes `?`, which SQLite binds by place without looking a name up; `order` says which value stands where. */
function positional(sql: string): { text: string; order: number[] | undefined } {
  const order: number[] = [];
  const text = sql.replaceAll(/\$(\d+)/g, (_, number) => {
    order.push(Number(number) - 1);
    return '?';
  });
  return { text, order: order.every((value, place) => value === place) ? undefined : order };
}

/** UTF-16 units of texts, of which one is at most 3 bytes of UTF-8, and bytes. */
function lengthOf(parameters: readonly SqlValue[]): number {
  return parameters.reduce<number>(
    (length, value) => length + (typeof value === 'string' || value instanceof Uint8Array ? value.length : 0),
    0,
  );
}

function isUniqueViolation(error: unknown): error is Error {
  return (
    error instanceof Database.SqliteError &&
    (error.code === 'SQLITE_CONSTRAINT_UNIQUE' || error.code === 'SQLITE_CONSTRAINT_PRIMARYKEY')
  );
}
