// The memory that a store gives to its transactions. memory.ts, and what is counted once per commit, keep their values in it.
import type { CommitMemory, TransactionMemory, WriteTransaction } from './store.ts';

/** What a process remembers of a database from commit to commit, each part by the function that makes it. */
export class RememberedValues {
  readonly #parts = new Map<() => object, object>();

  part<Part extends object>(make: () => Part): Part {
    const known = this.#parts.get(make);
    if (known !== undefined) return known as Part;
    const made = make();
    this.#parts.set(make, made);
    return made;
  }

  clear(): void {
    this.#parts.clear();
  }
}

/** @param values what may be used now; undefined where that may be outdated */
export function memoryOf(values: () => RememberedValues | undefined): TransactionMemory {
  return { remembered: (make) => values()?.part(make) };
}

export class MemoryOfCommit implements CommitMemory {
  readonly #remembered: RememberedValues | undefined;
  readonly #parts = new Map<unknown, object>();
  readonly #beforeCommit: ((tx: WriteTransaction) => Promise<void>)[] = [];
  readonly #onCommitted: (() => void)[] = [];
  #onUndone: (() => void)[] = [];

  constructor(remembered: RememberedValues | undefined) {
    this.#remembered = remembered;
  }

  remembered<Part extends object>(make: () => Part): Part | undefined {
    return this.#remembered?.part(make);
  }

  shared<Part extends object>(make: (memory: CommitMemory) => Part): Part {
    const known = this.#parts.get(make);
    if (known !== undefined) return known as Part;
    const made = make(this);
    this.#parts.set(make, made);
    return made;
  }

  onUndone(undo: () => void): void {
    this.#onUndone.push(undo);
  }

  beforeCommit(write: (tx: WriteTransaction) => Promise<void>): void {
    this.#beforeCommit.push(write);
  }

  onCommitted(notify: () => void): void {
    this.#onCommitted.push(notify);
  }

  transactionBegins(): void {
    this.#onUndone = [];
  }

  transactionIsUndone(): void {
    for (const undo of this.#onUndone.toReversed()) undo();
    this.#onUndone = [];
  }

  /** All transactions have run: writes what is written once per commit. */
  async write(tx: WriteTransaction): Promise<void> {
    for (const write of this.#beforeCommit) await write(tx);
  }

  committed(): void {
    for (const notify of this.#onCommitted) notify();
  }
}
