// The queues of write transactions, one for each playbook. The transactions of a queue that wait when its playbook is taken share
// one commit.
import { yieldToEventLoop } from '../../../lib/event-loop.ts';
import { unavailable } from '../../../lib/rejection.ts';
import type { Holder } from '../shared-store.ts';
import { tellSafely, UnusableStoreError, type WriteScope, type WriteTransaction } from '../store.ts';
import type { Work } from './carry-out-works.ts';
import { type CommitOptions, commitWorks, HolderLost, textOf } from './commit.ts';
import { refusalOf, unreachable } from './failures.ts';
import { UnknownEnding } from './unknown-commit.ts';

/** Works that one commit takes at most, so that those who wait are answered in time. */
const MOST_WORKS_A_COMMIT = 256;

export interface WriteQueuesOptions {
  committing: CommitOptions;
  /** On how many playbooks transactions run at once. */
  mostPlaybooks: number;
  /** Resolves once the schema is there and this process has a lease. @throws what every transaction that waits gets */
  untilReady: () => Promise<void>;
  /** PostgreSQL cannot tell whether a commit happened. Nothing is answered after it. */
  onUnknownCommit: (sentence: string) => void;
}

interface WaitingWork extends Work {
  resolve: () => void;
  reject: (error: unknown) => void;
}

export class WriteQueues {
  readonly #options: WriteQueuesOptions;
  /** By what the transactions are on. */
  readonly #queues = new Map<string, WaitingWork[]>();
  readonly #flushing = new Set<Promise<void>>();
  readonly #playbooks: Slots;

  constructor(options: WriteQueuesOptions) {
    this.#options = options;
    this.#playbooks = new Slots(options.mostPlaybooks);
  }

  /** Resolves after the commit with the result of the work. */
  write<T>(scope: WriteScope, holder: Holder, work: (tx: WriteTransaction) => Promise<T>): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      let result: T;
      const kept = async (tx: WriteTransaction): Promise<void> => {
        result = await work(tx);
      };
      this.#enqueue({ scope, holder, work: kept, resolve: () => resolve(result), reject });
    });
  }

  /** Resolves when all queues are empty. */
  async flushed(): Promise<void> {
    await Promise.all(this.#flushing);
  }

  #enqueue(work: WaitingWork): void {
    const key = textOf(work.scope);
    const waiting = this.#queues.get(key);
    if (waiting !== undefined) {
      waiting.push(work);
      return;
    }
    const queue = [work];
    this.#queues.set(key, queue);
    const flushed = this.#flush(key, queue);
    this.#flushing.add(flushed);
    void flushed.finally(() => this.#flushing.delete(flushed));
  }

  async #flush(key: string, queue: WaitingWork[]): Promise<void> {
    for (let [first] = queue; first !== undefined; [first] = queue) {
      await yieldToEventLoop();
      let hasSlot = typeof first.scope === 'object';
      if (hasSlot) await this.#playbooks.take();
      const release = (): void => {
        if (hasSlot) this.#playbooks.release();
        hasSlot = false;
      };
      await this.#commitFirst(queue, first, () => {
        release();
        for (const { reject } of queue.splice(0)) reject(unreachable());
      });
      release();
    }
    this.#queues.delete(key);
  }

  /** @param whileUnknown called while the transactions that wait would wait for a database that is away */
  async #commitFirst(queue: WaitingWork[], { scope, holder }: WaitingWork, whileUnknown: () => void): Promise<void> {
    const { committing, untilReady, onUnknownCommit } = this.#options;
    let taken: readonly WaitingWork[] | undefined;
    /** The same ones each time the commit is tried. */
    const take = (): readonly WaitingWork[] => (taken ??= takeTogether(queue));
    try {
      await untilReady();
      const { outcomes, told } = await commitWorks({ scope, holder, take }, { ...committing, whileUnknown });
      for (const notify of told) tellSafely(notify);
      take().forEach(({ resolve, reject }, index) => {
        const outcome = outcomes[index];
        if (outcome === undefined) resolve();
        else reject(outcome.error);
      });
    } catch (error) {
      if (error instanceof UnknownEnding) return onUnknownCommit(error.message);
      if (error instanceof HolderLost) committing.peers.lose(holder);
      const refusal = refusalFor(error);
      for (const { reject } of take()) reject(refusal);
    }
  }
}

/** Takes the first transactions that wait, as far as they are in the name of one holder. */
function takeTogether(queue: WaitingWork[]): WaitingWork[] {
  const holder = queue[0]?.holder;
  const other = queue.findIndex((work) => work.holder !== holder);
  return queue.splice(0, Math.min(MOST_WORKS_A_COMMIT, other === -1 ? queue.length : other));
}

function refusalFor(error: unknown): unknown {
  if (error instanceof UnusableStoreError) return error;
  if (error instanceof HolderLost) {
    return unavailable('The server lost its lease while it worked on the request, so nothing was changed. Try again.', {
      retryAfter: 1,
    });
  }
  return refusalOf(error) ?? error;
}

/** A number of slots; whoever takes one waits while none is free. */
class Slots {
  #free: number;
  readonly #waiting: (() => void)[] = [];

  constructor(count: number) {
    this.#free = count;
  }

  async take(): Promise<void> {
    if (this.#free > 0) this.#free -= 1;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  release(): void {
    const next = this.#waiting.shift();
    if (next === undefined) this.#free += 1;
    else next();
  }
}
