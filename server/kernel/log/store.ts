// The port to the database, and what every store guarantees. store-contract.testing.ts is the suite that each of them passes.
//
// 1. Isolation. A work on a playbook runs as if it were alone in that playbook. Works on different playbooks may run side
//    by side. A work says which playbook it is on, or that it is on none or on all of them; what it does elsewhere is
//    refused.
// 2. Repeatable. A work may be carried out more than once before one of its runs is committed. So it has no effect
//    outside the transaction: what must happen once goes into `afterCommit`.
// 3. Known endings. A commit is done or undone. Where a store cannot tell which, the process ends and finds out.
// 4. Order. The read positions of a playbook have no gaps, and no reader sees position n before n - 1.
// 5. Inside a work nothing but the transaction is awaited.
import type { PlaybookKey } from './event.ts';
import type { DatabaseStanding } from './database-standing.ts';
import type { SharedStore } from './shared-store.ts';

/**
 * A number is bound as a number, a text as a text, and bytes as the value of a BYTEA column; a truth value is bound as 0
 * or 1 by the caller.
 */
export type SqlValue = string | number | Buffer | null;

/**
 * Statements are in the dialect that SQLite and PostgreSQL share: `$1` parameters, ON CONFLICT, RETURNING, text, bigint and
 * bytea columns, no JSON functions. Each slice has its statements in its own `sql.ts`.
 */
export interface ReadTransaction {
  all<Row>(sql: string, parameters?: readonly SqlValue[]): Promise<Row[]>;
  /** The first row, where there is one. */
  get<Row>(sql: string, parameters?: readonly SqlValue[]): Promise<Row | undefined>;
  /** What this process knows without asking the database. Used through memory.ts. */
  readonly memory: TransactionMemory;
}

/**
 * What a work is on. On no playbook: rows of the store's own, such as leases of tasks, and values that belong to an org.
 * On every playbook: what rebuilds the store as a whole.
 */
export type WriteScope = PlaybookKey | 'no playbook' | 'every playbook';

export interface WriteTransaction extends ReadTransaction {
  readonly scope: WriteScope;
  /** What the transactions of its commit have in common. */
  readonly memory: CommitMemory;
  /**
   * Executes a statement that answers no rows; `get` and `all` with RETURNING answer what was changed. The store may resolve
   * before the statement is executed, and sends it with those behind it. If it then fails or is not as expected, the
   * transaction is undone, and the work is called again with each statement executed before the next one: the error is thrown
   * there.
   * @param expected 'a change': that it inserts, updates or deletes a row, as it nearly always does; without RETURNING
   * @throws UniqueViolation, NothingChanged: the work may continue after both
   */
  run(sql: string, parameters?: readonly SqlValue[], expected?: 'a change'): Promise<void>;
  /**
   * The first row, where there is one.
   * @param expected 'no row': that there is nearly never one. The store may then resolve with undefined as `run` does; if
   *   there is a row, the work is called again and gets it.
   */
  get<Row>(sql: string, parameters?: readonly SqlValue[], expected?: 'no row'): Promise<Row | undefined>;
  /** Called once the transaction is committed, in the order of asking; never when it is undone. */
  afterCommit(tell: () => void): void;
}

/** What a process knows of a database, as one transaction may use it. */
export interface TransactionMemory {
  /** Part of what is remembered from commit to commit; undefined where that may not be what the transaction sees. */
  remembered<Part extends object>(make: () => Part): Part | undefined;
}

/** The memory that the transactions of one commit share. They run one after the other. */
export interface CommitMemory extends TransactionMemory {
  /** State of this commit alone, made by the first transaction that asks for it. */
  shared<Part extends object>(make: (memory: CommitMemory) => Part): Part;
  /** Calls `undo` if the current transaction is undone, the last one first. */
  onUndone(undo: () => void): void;
  /** Calls `write` once all transactions of the commit have run. */
  beforeCommit(write: (tx: WriteTransaction) => Promise<void>): void;
  /** Calls `notify` after the commit, before whatever its transactions asked for. */
  onCommitted(notify: () => void): void;
}

/** What a store has done since it was opened. The numbers only grow. */
export interface StoreCounters {
  /** Commits that changed something. Works that wait together share one. */
  commits: number;
  /** Statements that read or wrote rows. Those that begin, nest or end a transaction are not counted. */
  statements: number;
}

export interface Store {
  /** Current at any time. */
  readonly counters: Readonly<StoreCounters>;
  /** Present where other processes may write to the store, too. */
  readonly shared?: SharedStore;
  /** Present where the database runs in another process. */
  readonly standing?: DatabaseStanding;
  /**
   * Resolves once the database is connected and has this program's schema. Works that come earlier wait for it.
   * @throws UnusableStoreError
   */
  opened(): Promise<void>;
  /**
   * Carries out `work` in a transaction and answers after it is committed. When `work` throws, what it did is undone and
   * the error is passed on.
   * @throws Refused `unavailable` when the disk is full or cannot be written; nothing was changed.
   */
  write<T>(scope: WriteScope, work: (tx: WriteTransaction) => Promise<T>): Promise<T>;
  /** Reads one moment of the store: everything that was committed, nothing that was not. */
  read<T>(work: (tx: ReadTransaction) => Promise<T>): Promise<T>;
  /**
   * What this process remembers of a playbook, as of its last commit there: another process may have changed it since. For
   * what is checked again in the transaction that writes.
   */
  remembered(playbookKey: PlaybookKey): TransactionMemory;
  /** Waits for the writes that wait, then lets the files go. */
  close(): Promise<void>;
}

/** @throws Error where a work on something else would change the playbook: a fault in the program */
export function requireInScope({ scope }: WriteTransaction, { org, playbook }: PlaybookKey): void {
  if (scope === 'every playbook') return;
  if (scope !== 'no playbook' && scope.org === org && scope.playbook === playbook) return;
  const on = scope === 'no playbook' ? scope : `${scope.org}/${scope.playbook}`;
  throw new Error(`A work on ${on} changes ${org}/${playbook}.`);
}

/** A listener that throws is a fault in the program; the others are still called, and callers still get their answers. */
export function tellSafely(tell: () => void): void {
  try {
    tell();
  } catch (error) {
    queueMicrotask(() => {
      throw error;
    });
  }
}

/** A database that this program cannot open, in a sentence for the person who started it. */
export class UnusableStoreError extends Error {
  constructor(detail: string) {
    super(detail);
    this.name = 'UnusableStoreError';
  }
}

/** A unique index or a primary key refused a row; the slice that owns the index knows what that means. */
export class UniqueViolation extends Error {
  constructor(detail: string) {
    super(detail);
    this.name = 'UniqueViolation';
  }
}

/** A statement changed no row, although a change was expected. */
export class NothingChanged extends Error {
  constructor() {
    super('The statement changed no row.');
    this.name = 'NothingChanged';
  }
}
