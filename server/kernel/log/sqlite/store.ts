// The store on SQLite. One connection writes, owned by a queue; others read, so that no reader sees an open
// transaction.
//
// 1. Works that wait together share one BEGIN IMMEDIATE ... COMMIT, each in its own SAVEPOINT: a refused work
//    undoes itself alone. Each caller is answered after the commit. Under load works gather for the next one until as
//    many wait as shared the last, or some milliseconds have passed; a single work does not wait.
// 2. A failure before COMMIT is known to have changed nothing: the caller is refused, and reads continue.
// 3. A COMMIT that failed is unknown: it may be there after a restart. The process ends and finds out.
// 4. A database belongs to one process; a second one is refused while the first lives, by whatever path it comes.
// 5. Before each commit, and each second, the files are looked at. Where one was removed or replaced, the process ends
//    before it answers anything that would be lost or that another process may not see.
// 6. A database that holds less than was acknowledged is refused (acknowledged.ts).
import { statfsSync } from 'node:fs';
import path from 'node:path';
import Database from 'better-sqlite3';
import type { Clock } from '../../../lib/clock.ts';
import { yieldToEventLoop } from '../../../lib/event-loop.ts';
import { Refused, unavailable } from '../../../lib/rejection.ts';
import {
  type ReadTransaction,
  type WriteScope,
  type SharedState,
  type Store,
  type StoreCounters,
  tellSafely,
  type WriteTransaction,
} from '../store.ts';
import type { Migration } from '../migration.ts';
import { madeOnce } from '../inner-commits.ts';
import { COUNT_COMMIT } from './acknowledged.ts';
import { type Connection, openConnection } from './connection.ts';
import { openWriter } from './open-writer.ts';

/** Works that one commit takes at most, so that those who wait are answered in time. */
const MOST_WORKS_A_COMMIT = 256;
/** Milliseconds for which works gather at most, unless the last commit itself took longer. */
const MOST_PATIENCE = 8;
/** The most concurrent reads: each has its own connection, and further reads wait for one. */
const MOST_READERS = 8;
/** How soon a store without commits finds that one of its files is gone, in milliseconds. */
const LOOK_EVERY = 1000;

export interface SqliteStoreOptions {
  /** The database file; made with its schema when it is absent. */
  file: string;
  migrations: readonly Migration[];
  clock: Clock;
  /**
   * Ends the process: whether the last commit happened is unknown, or a file of the store was removed or replaced.
   * Called once; nothing is answered after it.
   */
  onUnknownCommit: (sentence: string) => void;
}

interface WaitingWork {
  scope: WriteScope;
  work: (tx: WriteTransaction) => Promise<void>;
  resolve: () => void;
  reject: (error: unknown) => void;
}

/** A commit while its works are carried out. */
interface Commit {
  /** Called after the commit: first what keeps the memory true, then what its works asked for. */
  remember: (() => void)[];
  told: (() => void)[];
  /** The state that its works share, by what made it. */
  shared: Map<() => SharedState, SharedState>;
}

/** What a work came to: nothing, or the error that undid it. */
type WorkFailure = { error: unknown } | undefined;

export function openSqliteStore(options: SqliteStoreOptions): Store {
  const counters: StoreCounters = { commits: 0, statements: 0 };
  const { writer, releaseLock, file, note, files } = openWriter(options, counters);

  const idleReaders: Connection[] = [];
  const waitingReads: ((reader: Connection) => void)[] = [];
  let readers = 0;
  let waiting: WaitingWork[] = [];
  let flushing: Promise<void> | undefined;
  let closed = false;
  /** What is remembered from commit to commit, by what made it: no other process writes here. */
  const kept = new Map<() => object, object>();

  const remembered = <State extends object>(make: () => State): State => madeOnce(kept, make);

  function transactionOf(scope: WriteScope, { shared }: Commit, tells: (() => void)[]): WriteTransaction {
    return {
      ...writer.transaction,
      scope,
      afterCommit: (tell) => tells.push(tell),
      shared: (make) => madeOnce(shared, make),
      remembered,
      forget: () => kept.clear(),
    };
  }

  async function anotherReader(): Promise<Connection> {
    if (readers >= MOST_READERS) return new Promise((resolve) => waitingReads.push(resolve));
    readers += 1;
    return openConnection(file, counters);
  }

  async function carryOut({ scope, work }: WaitingWork, commit: Commit): Promise<WorkFailure> {
    const tells: (() => void)[] = [];
    const tx = transactionOf(scope, commit, tells);
    for (const state of commit.shared.values()) state.workBegins();
    writer.control.savepoint();
    try {
      await work(tx);
      writer.control.release();
      commit.told.push(...tells);
      return undefined;
    } catch (error) {
      if (isStorageFailure(error)) throw error;
      // SQLite undoes a whole transaction by itself, whatever the work then made of it.
      if (!writer.database.inTransaction) throw new Error('The transaction was lost.', { cause: error });
      writer.control.rollbackToSavepoint();
      writer.control.release();
      for (const state of commit.shared.values()) state.workIsUndone();
      return { error };
    }
  }

  /** Nothing more is answered, and nothing is written. */
  function giveUp(sentence: string): void {
    closed = true;
    waiting = [];
    clearInterval(looking);
    options.onUnknownCommit(sentence);
  }

  /** Gives up where a file of the store is no longer where it was. */
  function hasLost(lost: string | undefined): boolean {
    if (lost === undefined) return false;
    undo(writer);
    giveUp(
      `The file ${lost} was removed or replaced while Cuebook was using it, so Cuebook stops before it acknowledges anything more. Restore the file, then start again.`,
    );
    return true;
  }
  const looking = setInterval(() => {
    // Between commits alone: one that is at work looks by itself.
    if (flushing === undefined) hasLost(files.lost());
  }, LOOK_EVERY).unref();

  /** What the commit leaves is counted in it; undefined where it changes nothing. */
  async function countCommit(bytes: number): Promise<number | undefined> {
    if (bytes === 0) return undefined;
    return Number((await writer.transaction.get<{ commits: number }>(COUNT_COMMIT))?.commits);
  }

  async function commitTogether(works: readonly WaitingWork[]): Promise<void> {
    const outcomes: WorkFailure[] = [];
    const commit: Commit = { remember: [], told: [], shared: new Map() };
    let commits: number | undefined;
    try {
      writer.takeUnwrittenBytes();
      // What a rebuild changes may not fit in memory.
      writer.keepUndo(works.some(({ scope }) => scope === 'every playbook') ? 'FILE' : 'MEMORY');
      writer.control.beginImmediate();
      for (const work of works) outcomes.push(await carryOut(work, commit));
      const whole = transactionOf('every playbook', commit, commit.remember);
      for (const state of commit.shared.values()) await state.beforeCommit(whole);
      const bytes = writer.takeUnwrittenBytes();
      commits = await countCommit(bytes);
      refuseWithoutRoom(file, bytes);
      if (hasLost(files.lostLately())) return;
    } catch (error) {
      undo(writer);
      const refusal = error instanceof Refused ? error : cannotBeWritten(error);
      for (const { reject } of works) reject(refusal);
      return;
    }
    try {
      writer.control.commit();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      giveUp(
        `The store could not finish a commit (${reason}), so it is unknown whether the last changes were saved. Start again to find out; nothing that was acknowledged is lost.`,
      );
      return;
    }
    if (commits !== undefined) {
      counters.commits += 1;
      note.write(commits);
    }
    for (const tell of [...commit.remember, ...commit.told]) tellSafely(tell);
    works.forEach(({ resolve, reject }, index) => {
      const outcome = outcomes[index];
      if (outcome === undefined) resolve();
      else reject(outcome.error);
    });
  }

  /** When the last commit ended, how long it took, in milliseconds of the process's own clock, and how many shared it. */
  let last = { ended: 0, took: 0, works: 0 };
  /** Ends the current gathering. */
  let endGathering: (() => void) | undefined;

  /** Lets works come together, at least for a turn of the event loop, until a commit may begin. */
  async function gather(): Promise<void> {
    await yieldToEventLoop();
    const left = last.ended + patience(last.took) - performance.now();
    if (isGathered() || left <= 0) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, left);
      endGathering = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    endGathering = undefined;
    await yieldToEventLoop();
  }

  /** Whether as many wait as shared the last commit: under even load, all of those it answered are back. */
  function isGathered(): boolean {
    return waiting.length >= Math.min(last.works, MOST_WORKS_A_COMMIT);
  }

  async function flush(): Promise<void> {
    while (waiting.length > 0) {
      await gather();
      const works = waiting.slice(0, MOST_WORKS_A_COMMIT);
      waiting = waiting.slice(MOST_WORKS_A_COMMIT);
      const begun = performance.now();
      await commitTogether(works);
      const ended = performance.now();
      last = { ended, took: ended - begun, works: works.length };
    }
    flushing = undefined;
  }

  return {
    counters,
    opened: () => Promise.resolve(),
    write<T>(scope: WriteScope, work: (tx: WriteTransaction) => Promise<T>): Promise<T> {
      if (closed) return Promise.reject(unavailable('The store is closed.'));
      return new Promise<T>((resolve, reject) => {
        let answered: T;
        const kept = async (tx: WriteTransaction): Promise<void> => {
          answered = await work(tx);
        };
        waiting.push({ scope, work: kept, resolve: () => resolve(answered), reject });
        if (flushing === undefined) flushing = flush();
        else if (isGathered()) endGathering?.();
      });
    },
    async read<T>(work: (tx: ReadTransaction) => Promise<T>): Promise<T> {
      if (closed) throw unavailable('The store is closed.');
      const reader = idleReaders.pop() ?? (await anotherReader());
      try {
        reader.beginRead();
        const begun = counters.commits;
        return await work({
          ...reader.transaction,
          remembered: (make) => (counters.commits === begun ? remembered(make) : undefined),
        });
      } finally {
        reader.endRead();
        const next = waitingReads.shift();
        if (next !== undefined) next(reader);
        else if (closed) reader.database.close();
        else idleReaders.push(reader);
      }
    },
    readAssumed(_place, work) {
      return this.read((tx) => work(tx, false));
    },
    async close() {
      closed = true;
      clearInterval(looking);
      await flushing;
      for (const reader of idleReaders) reader.database.close();
      writer.database.close();
      note.close();
      releaseLock();
    },
  };
}

function isStorageFailure(error: unknown): error is Error & { code: string } {
  return error instanceof Database.SqliteError && /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN)/.test(error.code);
}

/** What a failed write leaves is undone. When even that fails, the next BEGIN fails and it is tried again. */
function undo({ database, control }: Connection): void {
  try {
    if (database.inTransaction) control.rollback();
  } catch {
    // Nothing was committed, and the callers already have an error.
  }
}

function cannotBeWritten(error: unknown): Refused {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  const hint = code === 'SQLITE_FULL' ? 'Free some disk space, then try again.' : 'Try again later.';
  return unavailable(`The store cannot be written (${code}), so nothing was changed. ${hint}`);
}

/** How long works gather after a commit at most: long enough that commits leave most of the time to everything else. */
function patience(took: number): number {
  return Math.max(took, Math.min(3 * took, MOST_PATIENCE));
}

/** Detects a full disk before COMMIT. Inside COMMIT the result would be unknown. */
function refuseWithoutRoom(file: string, bytes: number): void {
  if (bytes === 0) return;
  const { bavail, bsize } = statfsSync(path.dirname(file));
  if (bavail * bsize < 2 * bytes + 256 * 1024) {
    throw unavailable('The disk is full, so nothing was changed. Free some space, then try again.');
  }
}
