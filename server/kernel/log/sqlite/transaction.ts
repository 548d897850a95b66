// One transaction of the writer, as the works of a commit use it.
//
// 1. Eagerly, a posted statement waits for the next one whose result is needed, or for the end: all of them are one batch.
//    Where one fails, nothing of the transaction can stay, and it is repeated with each statement in turn, so that the work
//    to which the statement belongs gets the error.
// 2. A work has a savepoint once something of it was sent. Before that it is undone by forgetting what it posted.
import type { SqlValue, StoreCounters, WriteTransaction } from '../store.ts';
import { UniqueViolation } from '../store.ts';
import {
  type Batch,
  type BatchControl,
  type BatchFailure,
  type BatchReply,
  type BatchStatement,
  UNEXPECTED,
  type Undo,
} from './writer.ts';

/** Carries a batch out, at once or in another thread. */
export type SendBatch = (batch: Batch) => BatchReply | Promise<BatchReply>;

export type Manner = 'eager' | 'in turn';

/** A posted statement failed: the transaction is to be repeated with each statement in turn. */
export class PostedFailed extends Error {}

type Tell = (changed: number) => void;

interface Pending {
  statement: BatchStatement | BatchControl;
  tell?: Tell | undefined;
}

export interface TransactionOptions {
  send: SendBatch;
  texts: StatementTexts;
  counters: StoreCounters;
  undo: Undo;
}

const READS_ROWS = /^\s*SELECT\b/i;

export class Transaction {
  readonly statements: Pick<WriteTransaction, 'all' | 'get' | 'run' | 'post' | 'runExpected' | 'getUnexpected'>;
  /** The error after which nothing of the transaction can stay. */
  failure: { error: Error } | undefined;
  #pending: Pending[] = [];
  #hasSent = false;
  /** Where the statements of the current work begin among those that wait. */
  #workBegins = 0;
  #hasSavepoint = false;
  #mayHaveChanged = false;

  readonly #options: TransactionOptions;

  constructor(options: TransactionOptions, manner: Manner) {
    this.#options = options;
    const run = (sql: string, parameters: readonly SqlValue[] = []): Promise<number> =>
      this.#ask(this.#statement('run', sql, parameters)) as Promise<number>;
    const get = <Row>(sql: string, parameters: readonly SqlValue[] = []): Promise<Row | undefined> =>
      this.#ask(this.#statement('get', sql, parameters)) as Promise<Row | undefined>;
    this.statements = {
      all: <Row>(sql: string, parameters: readonly SqlValue[] = []) =>
        this.#ask(this.#statement('all', sql, parameters)) as Promise<Row[]>,
      get,
      run,
      post:
        manner === 'eager'
          ? async (sql, parameters = [], tell) => this.#post(this.#statement('run', sql, parameters), tell)
          : async (sql, parameters, tell) => {
              const changed = await run(sql, parameters);
              tell?.(changed);
            },
      runExpected:
        manner === 'eager'
          ? async (sql, parameters = []) => {
              this.#post(this.#statement('change', sql, parameters));
              return true;
            }
          : async (sql, parameters) => (await run(sql, parameters)) > 0,
      getUnexpected:
        manner === 'eager'
          ? async (sql, parameters = []) => {
              this.#post(this.#statement('none', sql, parameters));
              return undefined;
            }
          : get,
    };
  }

  beginWork(): void {
    this.#workBegins = this.#pending.length;
    this.#hasSavepoint = false;
  }

  /** @throws what a statement of it failed with where nothing of the transaction can stay, whatever it made of the error */
  endWork(): void {
    if (this.failure !== undefined) throw this.failure.error;
    if (this.#hasSavepoint) this.#pending.push({ statement: ['release'] });
  }

  undoWork(): void {
    this.#pending.length = this.#hasSavepoint ? 0 : this.#workBegins;
    if (this.#hasSavepoint) this.#pending.push({ statement: ['undo'] });
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

  #post(statement: BatchStatement, tell?: Tell): void {
    this.#requireOpen();
    this.#pending.push({ statement, tell });
  }

  async #ask(statement: BatchStatement): Promise<unknown> {
    this.#requireOpen();
    if (!this.#hasSavepoint) this.#pending.splice(this.#workBegins, 0, { statement: ['savepoint'] });
    this.#hasSavepoint = true;
    this.#pending.push({ statement });
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
      statements: sent.map(({ statement }) => statement),
      ...(this.#hasSent ? {} : { begins: { undo: this.#options.undo } }),
      ...(end === undefined ? {} : { end }),
    };
    [this.#pending, this.#workBegins, this.#hasSent] = [[], 0, true];
    const reply = await this.#options.send(batch);
    for (const [index, { tell }] of sent.entries()) {
      if (index < reply.results.length) tell?.(Number(reply.results[index]));
    }
    const { failure, results } = reply;
    if (failure === undefined) return reply;
    const wasPosted = end !== undefined || results.length < sent.length - 1;
    const error = errorOf(failure);
    const concernsAll = !failure.isOpen || isStorageFailure(failure);
    if (concernsAll) this.failure = { error };
    else if (wasPosted) this.failure = { error: new PostedFailed(failure.message, { cause: error }) };
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
  const error = new Error(message);
  return code === undefined || code === UNEXPECTED ? error : Object.assign(error, { code });
}
