// One transaction of the writer, as the works of a commit use it.
//
// 1. Eagerly, a statement that is not waited for is sent with the next one that is, or at the end: all of them are one batch.
//    Where one fails or is not as expected, nothing of the transaction can stay, and it is repeated with each statement in
//    turn, so that the work to which the statement belongs gets the error.
// 2. A work has a savepoint once something of it was sent. Before that it is undone by forgetting what it added.
import type { SqlValue, StoreCounters, WriteTransaction } from '../store.ts';
import { NothingChanged, UniqueViolation } from '../store.ts';
import {
  type Batch,
  type BatchControl,
  type BatchFailure,
  type BatchReply,
  type BatchStatement,
  CHANGED_NONE,
  type Undo,
} from './writer.ts';

/** Carries a batch out, at once or in another thread. */
export type SendBatch = (batch: Batch) => BatchReply | Promise<BatchReply>;

export type Manner = 'eager' | 'in turn';

/** A statement failed that was not waited for: the transaction is to be repeated with each statement in turn. */
export class StatementFailed extends Error {}

export interface TransactionOptions {
  send: SendBatch;
  texts: StatementTexts;
  counters: StoreCounters;
  undo: Undo;
}

const READS_ROWS = /^\s*SELECT\b/i;

export class Transaction {
  readonly statements: Pick<WriteTransaction, 'all' | 'get' | 'run'>;
  /** The error after which nothing of the transaction can stay. */
  failure: { error: Error } | undefined;
  #pending: (BatchStatement | BatchControl)[] = [];
  #hasSent = false;
  /** Where the statements of the current work begin among those that wait. */
  #workBegins = 0;
  #hasSavepoint = false;
  #mayHaveChanged = false;

  readonly #options: TransactionOptions;

  constructor(options: TransactionOptions, manner: Manner) {
    this.#options = options;
    const execute = (how: BatchStatement[0], sql: string, parameters: readonly SqlValue[] = []): Promise<unknown> => {
      const statement = this.#statement(how, sql, parameters);
      return manner === 'in turn' || how === 'all' || how === 'get' ? this.#ask(statement) : this.#add(statement);
    };
    const noRow = manner === 'in turn' ? 'get' : 'none';
    this.statements = {
      all: <Row>(sql: string, parameters?: readonly SqlValue[]) => execute('all', sql, parameters) as Promise<Row[]>,
      get: <Row>(sql: string, parameters?: readonly SqlValue[], expected?: 'no row') =>
        execute(expected === undefined ? 'get' : noRow, sql, parameters) as Promise<Row | undefined>,
      async run(sql, parameters, expected) {
        await execute(expected === undefined ? 'run' : 'change', sql, parameters);
      },
    };
  }

  beginWork(): void {
    this.#workBegins = this.#pending.length;
    this.#hasSavepoint = false;
  }

  /** @throws what a statement of it failed with where nothing of the transaction can stay, whatever it made of the error */
  endWork(): void {
    if (this.failure !== undefined) throw this.failure.error;
    if (this.#hasSavepoint) this.#pending.push(['release']);
  }

  undoWork(): void {
    this.#pending.length = this.#hasSavepoint ? 0 : this.#workBegins;
    if (this.#hasSavepoint) this.#pending.push(['undo']);
  }

  /** Sends what waits, and commits. Returns how the commit ended; undefined where there was nothing to commit. */
  async commit(): Promise<BatchReply['ended']> {
    if (this.failure !== undefined) throw this.failure.error;
    // The writer counts what was changed with a statement of its own.
    if (this.#mayHaveChanged) this.#options.counters.statements += 1;
    if (!this.#hasSent && this.#pending.length === 0) return undefined;
    return (await this.#flush('commit')).ended;
  }

  async rollback(): Promise<void> {
    if (!this.#hasSent) return;
    this.#pending = [];
    await this.#options.send({ texts: [], statements: [], end: 'rollback' });
  }

  #statement(how: BatchStatement[0], sql: string, parameters: readonly SqlValue[]): BatchStatement {
    this.#options.counters.statements += 1;
    this.#mayHaveChanged ||= !READS_ROWS.test(sql);
    return [how, this.#options.texts.numberOf(sql), parameters];
  }

  async #add(statement: BatchStatement): Promise<void> {
    this.#requireOpen();
    this.#pending.push(statement);
  }

  async #ask(statement: BatchStatement): Promise<unknown> {
    this.#requireOpen();
    if (!this.#hasSavepoint) this.#pending.splice(this.#workBegins, 0, ['savepoint']);
    this.#hasSavepoint = true;
    this.#pending.push(statement);
    return (await this.#flush()).results.at(-1);
  }

  #requireOpen(): void {
    if (this.failure === undefined) return;
    throw new Error('The transaction was undone by an earlier statement.', { cause: this.failure.error });
  }

  /** @throws UniqueViolation of the last statement, after which the transaction continues */
  async #flush(end?: 'commit'): Promise<BatchReply> {
    const sent = this.#pending;
    const batch: Batch = {
      texts: this.#options.texts.takeNew(),
      statements: sent,
      ...(this.#hasSent ? {} : { begins: { undo: this.#options.undo } }),
      ...(end === undefined ? {} : { end }),
    };
    [this.#pending, this.#workBegins, this.#hasSent] = [[], 0, true];
    const reply = await this.#options.send(batch);
    const { failure, results } = reply;
    if (failure === undefined) return reply;
    const wasAdded = end !== undefined || results.length < sent.length - 1;
    const error = errorOf(failure);
    const concernsAll = !failure.isOpen || isStorageFailure(failure);
    if (concernsAll) this.failure = { error };
    else if (wasAdded) this.failure = { error: new StatementFailed(failure.message, { cause: error }) };
    throw this.failure?.error ?? error;
  }
}

/** Numbers for the texts of statements, so that each text is sent once. There is a bounded set of them. */
export class StatementTexts {
  readonly #numbers = new Map<string, number>();
  #new: [number, string][] = [];

  numberOf(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(text, number);
    this.#new.push([number, text]);
    return number;
  }

  takeNew(): readonly [number, string][] {
    const taken = this.#new;
    if (taken.length > 0) this.#new = [];
    return taken;
  }
}

function isStorageFailure({ code }: BatchFailure): boolean {
  return code !== undefined && /^SQLITE_(FULL|IOERR|READONLY|CANTOPEN)/.test(code);
}

function errorOf({ message, code, isUniqueViolation }: BatchFailure): Error {
  if (isUniqueViolation) return new UniqueViolation(message);
  if (code === CHANGED_NONE) return new NothingChanged();
  const error = new Error(message);
  return code === undefined ? error : Object.assign(error, { code });
}
