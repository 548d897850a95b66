// The queue of what is to be written. Works that wait together share one transaction.
//
// 1. A refused work undoes itself alone. Each caller gets its result after the commit; works that come meanwhile share the
//    next one.
// 2. A failure before COMMIT is known to have changed nothing: the callers are refused, and reads continue.
// 3. A COMMIT that failed is unknown: it may be there after a restart. The process ends and finds out.
// 4. Before each commit, and each second, the files are looked at. Where one was removed or replaced, the process ends
//    before it answers anything that would be lost or that another process may not see.
import { yieldToEventLoop } from '../../../lib/event-loop.ts';
import { Refused, unavailable } from '../../../lib/rejection.ts';
import { type StoreCounters, tellSafely, type WriteScope, type WriteTransaction } from '../store.ts';
import { MemoryOfCommit, type RememberedValues } from '../transaction-memory.ts';
import type { OpenNote } from './acknowledged.ts';
import type { WatchedFiles } from './store-files.ts';
import { type Manner, StatementFailed, type SendBatch, StatementTexts, Transaction } from './transaction.ts';

/** Works that one commit takes at most, so that those who wait are answered in time. */
const MOST_WORKS_A_COMMIT = 256;
/** How soon a store without commits finds that one of its files is gone, in milliseconds. */
const LOOK_EVERY = 1000;

export interface WaitingWork {
  scope: WriteScope;
  work: (tx: WriteTransaction) => Promise<void>;
  resolve: () => void;
  reject: (error: unknown) => void;
}

export interface CommitsOptions {
  counters: StoreCounters;
  /** What is remembered from commit to commit. */
  remembered: RememberedValues;
  files: WatchedFiles;
  note: OpenNote;
  /** Called after each commit that changed something. */
  onCommitted: () => void;
  /** Called once: whether the last commit happened is unknown, or a file is gone. Nothing is answered after it. */
  onUnknownCommit: (sentence: string) => void;
}

/** What a work came to: nothing, or the error that undid it. */
type WorkFailure = { error: unknown } | undefined;

/** A transaction whose works are carried out. */
interface Commit {
  transaction: Transaction;
  outcomes: WorkFailure[];
  /** Called after the commit. */
  told: (() => void)[];
  memory: MemoryOfCommit;
}

type EndedCommit = Commit & { commits: number | undefined };

export class Commits {
  /** Whether the database may hold a commit that is not remembered here yet. */
  isCommitting = false;
  #waiting: WaitingWork[] = [];
  #flushing: Promise<void> | undefined;
  #hasGivenUp = false;
  #writer: { send: SendBatch; texts: StatementTexts };
  #nextWriter: { send: SendBatch; adopted: () => void } | undefined;
  readonly #looking: NodeJS.Timeout;
  readonly #options: CommitsOptions;

  constructor(send: SendBatch, options: CommitsOptions) {
    this.#writer = { send, texts: new StatementTexts() };
    this.#options = options;
    this.#looking = setInterval(() => {
      // Between commits alone: one that is at work looks by itself.
      if (this.#flushing === undefined) this.#isLost(options.files.lost());
    }, LOOK_EVERY).unref();
  }

  get hasGivenUp(): boolean {
    return this.#hasGivenUp;
  }

  /** Writes with another connection from the next transaction on. @param adopted called before that one begins */
  writeWith(send: SendBatch, adopted: () => void): void {
    this.#nextWriter = { send, adopted };
  }

  add(work: WaitingWork): void {
    this.#waiting.push(work);
    this.#flushing ??= this.#flush();
  }

  /** Resolves once nothing waits any more, or it was given up. */
  async end(): Promise<void> {
    clearInterval(this.#looking);
    if (!this.#hasGivenUp) await this.#flushing;
  }

  /** Nothing more is answered, and nothing is written. */
  giveUp(sentence: string): void {
    if (this.#hasGivenUp) return;
    this.#hasGivenUp = true;
    this.#waiting = [];
    clearInterval(this.#looking);
    this.#options.onUnknownCommit(sentence);
  }

  async #flush(): Promise<void> {
    while (this.#waiting.length > 0) {
      // Works that come in the same turn of the event loop share a transaction.
      await yieldToEventLoop();
      await this.#commitTogether(this.#waiting.splice(0, MOST_WORKS_A_COMMIT));
    }
    this.#flushing = undefined;
  }

  /** Answers the works once what is remembered is what the database holds. */
  async #commitTogether(works: readonly WaitingWork[]): Promise<void> {
    const { counters, note, remembered, onCommitted } = this.#options;
    try {
      const committed = await this.#tryToCommit(works, 'eager').catch((error: unknown) => {
        if (!(error instanceof StatementFailed)) throw error;
        return this.#tryToCommit(works, 'in turn');
      });
      if (committed === undefined) return;
      const { outcomes, told, memory, commits } = committed;
      if (commits !== undefined) {
        counters.commits += 1;
        note.write(commits);
      }
      memory.committed();
      // What they changed is not remembered.
      if (isOnAll(works)) remembered.clear();
      this.isCommitting = false;
      for (const tell of told) tellSafely(tell);
      works.forEach(({ resolve, reject }, index) => {
        const outcome = outcomes[index];
        if (outcome === undefined) resolve();
        else reject(outcome.error);
      });
      if (commits !== undefined) tellSafely(onCommitted);
    } catch (error) {
      const refusal = error instanceof Refused ? error : cannotBeWritten(error);
      for (const { reject } of works) reject(refusal);
    } finally {
      this.isCommitting = false;
    }
  }

  /** Returns undefined where it was given up. @throws where nothing was committed; eagerly, StatementFailed */
  async #tryToCommit(works: readonly WaitingWork[], manner: Manner): Promise<EndedCommit | undefined> {
    const { counters, files, remembered } = this.#options;
    this.#adoptWriter();
    // What a rebuild changes may not fit in memory.
    const undo = isOnAll(works) ? 'FILE' : 'MEMORY';
    const transaction = new Transaction({ ...this.#writer, counters, undo }, manner);
    const memory = new MemoryOfCommit(remembered);
    const commit: Commit = { transaction, outcomes: [], told: [], memory };
    try {
      for (const work of works) commit.outcomes.push(await this.#carryOut(work, commit));
      transaction.beginWork();
      await memory.write(transactionOf('every playbook', commit, commit.told));
      const lost = files.lostLately();
      if (lost !== undefined) await transaction.rollback();
      if (this.#isLost(lost)) return undefined;
      this.isCommitting = true;
      const ended = await transaction.commit();
      if (ended === undefined || 'commits' in ended) return { ...commit, commits: ended?.commits };
      if ('refused' in ended) throw unavailable(ended.refused);
      this.giveUp(
        `The store could not finish a commit (${ended.unknown}), so it is unknown whether the last changes were saved. Start again to find out; nothing that was acknowledged is lost.`,
      );
      return undefined;
    } catch (error) {
      await transaction.rollback();
      throw transaction.failure?.error ?? error;
    }
  }

  #adoptWriter(): void {
    if (this.#nextWriter === undefined) return;
    const { send, adopted } = this.#nextWriter;
    this.#nextWriter = undefined;
    this.#writer = { send, texts: new StatementTexts() };
    adopted();
  }

  /** @throws what concerns all works of the transaction */
  async #carryOut({ scope, work }: WaitingWork, commit: Commit): Promise<WorkFailure> {
    const { transaction, memory, told } = commit;
    const tells: (() => void)[] = [];
    memory.transactionBegins();
    transaction.beginWork();
    try {
      await work(transactionOf(scope, commit, tells));
      transaction.endWork();
      told.push(...tells);
      return undefined;
    } catch (error) {
      if (transaction.failure !== undefined) throw error;
      transaction.undoWork();
      memory.transactionIsUndone();
      return { error };
    }
  }

  /** Gives up where a file of the store is no longer where it was. */
  #isLost(lost: string | undefined): boolean {
    if (lost === undefined) return false;
    this.giveUp(
      `The file ${lost} was removed or replaced while Cuebook was using it, so Cuebook stops before it acknowledges anything more. Restore the file, then start again.`,
    );
    return true;
  }
}

function transactionOf(scope: WriteScope, { transaction, memory }: Commit, tells: (() => void)[]): WriteTransaction {
  return { ...transaction.statements, scope, memory, afterCommit: (tell) => tells.push(tell) };
}

const isOnAll = (works: readonly WaitingWork[]): boolean => works.some(({ scope }) => scope === 'every playbook');

function cannotBeWritten(error: unknown): Refused {
  const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown';
  const hint = code === 'SQLITE_FULL' ? 'Free some disk space, then try again.' : 'Try again later.';
  return unavailable(`The store cannot be written (${code}), so nothing was changed. ${hint}`);
}
