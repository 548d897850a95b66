// The start of an attempt. It is recorded by itself, or with the ending of the attempt (docs/decisions/one-commit.md).
//
// 1. Nothing is stored of an attempt before its start is recorded: a crash leaves no trace of it.
// 2. A run has one first event. Where two attempts start under one id without knowing of each other, the second one to record
//    its start is refused with StreamMoved, and nothing of it is recorded.
import type { Ids } from '../../../kernel/ids.ts';
import type { EventLog, Holder, NewEvent, WriteTransaction } from '../../../kernel/log/index.ts';
import type { Clock } from '../../../lib/clock.ts';
import { unavailable } from '../../../lib/rejection.ts';
import { isStillCurrent, type Runnable } from '../../definitions/index.ts';
import { requireActivePlaybook } from '../../playbooks/index.ts';
import { Outdated, type RunInvocation } from '../durable/invocation.ts';
import { appendToRun, type Attempt, newChain, startedEvent } from '../history/events.ts';
import { type Lease, putLease } from '../history/leases.ts';

/** A request for a run, with its id and the digest of its input. */
export interface RequestedRun extends RunInvocation {
  runId: string;
  digest: string;
}

export interface StartOptions {
  log: EventLog;
  clock: Clock;
  ids: Ids;
  /** This process: the holder of its leases. */
  holder: () => Holder;
}

export class Start {
  readonly request: RequestedRun;
  readonly runnable: Runnable;
  readonly attempt: Attempt;
  /** The process that executes the attempt. */
  readonly holder: Holder;
  /** The event that records the start. */
  readonly eventId: string;
  /** In milliseconds since 1970. */
  readonly at: number;
  readonly #log: EventLog;
  readonly #isFromMemory: boolean;
  #recorded: Promise<void> | undefined;

  /**
   * @param number of the attempt
   * @param isFromMemory the definition was read from what this process remembers, so that it may be outdated
   */
  constructor(options: StartOptions, request: RequestedRun, number: number, runnable: Runnable, isFromMemory = false) {
    const { org, playbook, runId, type, name, by, chain = newChain(runId) } = request;
    const definition = { type, name, version: runnable.version };
    this.request = request;
    this.runnable = runnable;
    this.attempt = { org, playbook, runId, attempt: number, definition, by, chain };
    this.holder = options.holder();
    this.eventId = options.ids();
    this.at = options.clock.now();
    this.#log = options.log;
    this.#isFromMemory = isFromMemory;
  }

  /** Settles when the start is committed by itself; undefined while that was not requested. */
  get recorded(): Promise<void> | undefined {
    return this.#recorded;
  }

  get lease(): Lease {
    const { org, playbook, runId, attempt } = this.attempt;
    return { org, playbook, run_id: runId, attempt, holder: this.holder.id };
  }

  /** @param cause the event that started the run, where the request could not name it yet */
  async event(tx: WriteTransaction, cause = this.request.cause): Promise<NewEvent> {
    const { input, digest: inputSha256, model } = this.request;
    const data = {
      input,
      inputSha256,
      ...(model === undefined ? {} : { model }),
      ...(cause === undefined ? {} : { cause }),
    };
    return { ...(await startedEvent(tx, this.attempt, data)), id: this.eventId, at: this.at };
  }

  /** Commits the start by itself, once. @throws StreamMoved, Refused, Outdated */
  record(): Promise<void> {
    const { org, playbook } = this.attempt;
    this.#recorded ??= this.#log.write({ org, playbook }, async (tx) => {
      this.requireLease();
      await this.request.call?.requireHeld(tx);
      await this.requireCurrent(tx);
      await this.#append(tx, 0);
    });
    return this.#recorded;
  }

  /** Records the start in the transaction that admits the request. */
  async recordIn(tx: WriteTransaction): Promise<void> {
    await this.#append(tx);
    this.#recorded = Promise.resolve();
  }

  async #append(tx: WriteTransaction, expected?: number): Promise<void> {
    const events = [await this.event(tx)];
    await appendToRun(this.#log, tx, this.attempt, events, { expected, traceId: this.request.traceId });
    await putLease(tx, this.lease);
  }

  /** @throws Refused where the playbook is retired; Outdated */
  async requireCurrent(tx: WriteTransaction): Promise<void> {
    await requireActivePlaybook(tx, this.request);
    // Read in any case: the next start assumes what is remembered of it.
    const isCurrent = await isStillCurrent(tx, this.request, this.runnable);
    if (this.#isFromMemory && !isCurrent) throw new Outdated();
  }

  /** @throws Refused where the process lost the lease under which the attempt began: another one may have ended it */
  requireLease(): void {
    if (!this.holder.lost.aborted) return;
    throw unavailable(`The server lost its lease before the run ${this.attempt.runId} ended.`, { retryAfter: 1 });
  }
}
