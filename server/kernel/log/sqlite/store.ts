// The store on SQLite. One connection writes, owned by a queue (commits.ts); others read, so that no reader sees an open
// transaction.
//
// 1. A database belongs to one process; a second one is refused while the first lives, by whatever path it comes.
// 2. A database that holds less than was acknowledged is refused (acknowledged.ts).
// 3. A store that is busy writes in a thread of its own. What is remembered here is then older than the database
//    between a commit and its reply, and is not given to reads meanwhile.
import type { Clock } from '../../../lib/clock.ts';
import { unavailable } from '../../../lib/rejection.ts';
import type { Migration } from '../migration.ts';
import type { ReadTransaction, Store, StoreCounters, WriteScope, WriteTransaction } from '../store.ts';
import { memoryOf, RememberedValues } from '../transaction-memory.ts';
import { Commits } from './commits.ts';
import type { Connection } from './connection.ts';
import { openWriter } from './open-writer.ts';
import { Readers } from './readers.ts';
import { startWriterThread, type WriterThread } from './start-writer-thread.ts';
import { createWriter } from './writer.ts';

export interface SqliteStoreOptions {
  /** The database file; made with its schema when it is absent. */
  file: string;
  migrations: readonly Migration[];
  clock: Clock;
  /**
   * After so many commits a thread of its own writes, so that neither statements nor the disk hold this one; 0: as soon as it
   * has started. Absent: never. Starting it costs more than it saves where there is little to write.
   */
  threadAfter?: number;
  /**
   * Ends the process: whether the last commit happened is unknown, or a file of the store was removed or replaced.
   * Called once; nothing is answered after it.
   */
  onUnknownCommit: (sentence: string) => void;
}

export function openSqliteStore(options: SqliteStoreOptions): Store {
  const counters: StoreCounters = { commits: 0, statements: 0 };
  const { writer: opened, releaseLock, file, note, files } = openWriter(options);
  const readers = new Readers(file);
  let closed = false;
  /** Of all playbooks: no other process writes here. */
  const remembered = new RememberedValues();
  const lastRemembered = memoryOf(() => remembered);
  let thread: WriterThread | undefined;
  let threadState: 'none' | 'starting' | 'ready' | 'writing' = 'none';
  const threadReady = Promise.withResolvers<void>();
  const { threadAfter = Number.POSITIVE_INFINITY, onUnknownCommit } = options;

  function startThread(): void {
    threadState = 'starting';
    thread = startWriterThread(file, {
      onReady(send) {
        threadState = 'ready';
        threadReady.resolve();
        commits.writeWith(send, () => {
          threadState = 'writing';
          // It stays open, so that the write-ahead log stays where it is.
          readers.add(opened);
        });
      },
      onEnd(reason) {
        if (threadState === 'starting') return;
        commits.giveUp(
          `The thread that writes to the store ended (${reason}), so it is unknown whether the last changes were saved. Start again to find out; nothing that was acknowledged is lost.`,
        );
      },
    });
  }

  const onCommitted = (): void => {
    if (threadState === 'none' && counters.commits >= threadAfter) startThread();
  };
  const commits = new Commits(createWriter(opened, file), {
    counters,
    remembered,
    files,
    note,
    onCommitted,
    onUnknownCommit,
  });
  if (threadAfter === 0) startThread();
  const isClosed = (): boolean => closed || commits.hasGivenUp;

  function statementsOf({ statements }: Connection): Pick<ReadTransaction, 'all' | 'get'> {
    return {
      async all<Row>(sql: string, parameters?: Parameters<ReadTransaction['all']>[1]) {
        counters.statements += 1;
        return statements.all(sql, parameters) as Row[];
      },
      async get<Row>(sql: string, parameters?: Parameters<ReadTransaction['get']>[1]) {
        counters.statements += 1;
        return statements.get(sql, parameters) as Row | undefined;
      },
    };
  }

  return {
    counters,
    opened: () => (threadAfter === 0 ? threadReady.promise : Promise.resolve()),
    write<T>(scope: WriteScope, work: (tx: WriteTransaction) => Promise<T>): Promise<T> {
      if (isClosed()) return Promise.reject(unavailable('The store is closed.'));
      return new Promise<T>((resolve, reject) => {
        let answered: T;
        const kept = async (tx: WriteTransaction): Promise<void> => {
          answered = await work(tx);
        };
        commits.add({ scope, work: kept, resolve: () => resolve(answered), reject });
      });
    },
    async read(work) {
      if (isClosed()) throw unavailable('The store is closed.');
      return readers.read((reader) => {
        const begun = counters.commits;
        const isCurrent = (): boolean => counters.commits === begun && !commits.isCommitting;
        const memory = memoryOf(() => (isCurrent() ? remembered : undefined));
        return work({ ...statementsOf(reader), memory });
      });
    },
    remembered: () => lastRemembered,
    async close() {
      closed = true;
      await commits.end();
      await thread?.close();
      readers.close();
      if (threadState !== 'writing') opened.database.close();
      note.close();
      releaseLock();
    },
  };
}
