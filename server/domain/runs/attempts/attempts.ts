// Attempts of runs: each ends its run, or decides what it waits for (docs/decisions/run-path.md).
//
// 1. An attempt is recorded as its start and one ending. The start is committed first where the kind has effects outside or
//    the run had an attempt before; else both are one commit, unless the attempt takes UNRECORDED_MS, calls a tool or waits.
// 2. A recorded attempt is held by a lease of this process. Only the holder records its ending or that it waits.
// 3. Requests under the run id of an attempt in progress join it, here or in another process.
// 4. An attempt is abandoned when the grace of a stop is over or the lease of its process is lost: it records nothing more. The
//    next process start ends it (interrupted.ts).
import type { Logger } from 'pino';
import type { DefinitionType } from '../../../../shared/definition-types.ts';
import type { RunWithRecord } from '../../../../shared/schemas/index.ts';
import { sha256 } from '../../../kernel/contents/index.ts';
import type { Ids } from '../../../kernel/ids.ts';
import { type EventLog, type Holder, holderOf, type PlaybookKey, StreamMoved } from '../../../kernel/log/index.ts';
import type { Stopping } from '../../../kernel/stopping.ts';
import type { Kind } from '../../../kinds/kind.ts';
import { canonicalJson } from '../../../lib/canonical-json.ts';
import type { Clock } from '../../../lib/clock.ts';
import { untilAborted } from '../../../lib/deadline.ts';
import { createYielder } from '../../../lib/event-loop.ts';
import type { SchemaChecker } from '../../../lib/schemas/index.ts';
import type { Tools } from '../../tools/index.ts';
import { Outdated, type RunInvocation, type TextPiece } from '../durable/invocation.ts';
import type { RecordDecision } from '../durable/record-decision.ts';
import type { NotifyWaiter } from '../durable/waiter.ts';
import type { WithCaller } from '../durable/with-caller.ts';
import { leaveLeases } from '../history/leases.ts';
import { Admission } from './admission.ts';
import { type AwaitElsewhere, createAwaitElsewhere, type ElsewhereAttempt } from './elsewhere.ts';
import { execute } from './execute.ts';
import { endInterruptedAttempt } from './interrupted.ts';
import { abandonedRun, joinAttempt, LiveAttempt, LiveAttempts, readRun } from './live-attempts.ts';
import { isVoid, recordLater, recordOutcome, type RecordOutcomeOptions } from './record-outcome.ts';
import type { RequestedRun, Start } from './start.ts';
import { createFollowElsewhere, type FollowElsewhere } from './text-elsewhere.ts';

export interface AttemptsOptions {
  log: EventLog;
  kinds: Readonly<Record<DefinitionType, Kind>>;
  schemas: SchemaChecker;
  tools: Tools;
  record: RecordDecision;
  notifyWaiter: NotifyWaiter;
  withCaller: WithCaller;
  /** This process start: the holder of its leases where no other process writes to the store. */
  holder: string;
  logger: Logger;
  clock: Clock;
  ids: Ids;
  stopping: Stopping;
}

/** How long an attempt that usually ends at once may take until its start is recorded by itself, in milliseconds. */
const UNRECORDED_MS = 50;

export class Attempts {
  readonly #options: AttemptsOptions;
  readonly #holder: () => Holder;
  /** Aborted when a stop has ended: a request that was admitted before it would hold a lease. */
  readonly #stopped = new AbortController();
  readonly #graceOver: AbortSignal;
  readonly #live = new LiveAttempts();
  readonly #admission: Admission;
  readonly #recording: RecordOutcomeOptions;
  /** Where other processes share the store. */
  readonly #elsewhere: { awaitEnd: AwaitElsewhere; follow: FollowElsewhere } | undefined;

  constructor(options: AttemptsOptions) {
    const { log, clock, kinds, ids, stopping } = options;
    this.#options = options;
    this.#holder = holderOf(log, options.holder);
    this.#graceOver = AbortSignal.any([stopping.graceOver, this.#stopped.signal]);
    const isLive = (run: PlaybookKey & { runId: string }): boolean => this.#live.find(run) !== undefined;
    this.#admission = new Admission({ log, kinds, clock, ids, holder: this.#holder, isLive });
    this.#recording = { ...options, abandonedBy: createAbandonedBy(this.#graceOver) };
    const { shared } = log;
    if (shared !== undefined) {
      const awaitElsewhere = createAwaitElsewhere(log, shared, clock);
      const find = (run: PlaybookKey & { runId: string }) => this.#live.find(run);
      const follow = createFollowElsewhere({ shared, clock, find, awaitElsewhere });
      this.#elsewhere = { awaitEnd: awaitElsewhere, follow };
    }
  }

  /** Runs a function, or returns what its run id already has. */
  async run(invocation: RunInvocation, runId: string): Promise<RunWithRecord> {
    const pause = createYielder();
    const request: RequestedRun = { ...invocation, runId, digest: sha256(canonicalJson(invocation.input)) };
    await pause();
    const endsAtOnce = this.#options.kinds[request.type].traits.endsAtOnce === true;
    return (endsAtOnce ? await this.#runUnrecorded(request) : undefined) ?? this.#runRecorded(request);
  }

  /** Its start is not recorded yet; undefined if the run exists, or none was recorded under its id after all. */
  async #runUnrecorded(request: RequestedRun, mayUseMemory = true): Promise<RunWithRecord | undefined> {
    const start = await this.#admission.admitUnrecorded(request, mayUseMemory);
    if (start === undefined) return undefined;
    const existing = this.#live.find(request);
    if (existing !== undefined) {
      joinAttempt(existing, request);
      existing.showTo(request);
      const run = await this.#resultOf(existing, request);
      if (run === undefined) return this.#runUnrecorded(request);
      // The attempt recorded nothing, since another process has the run in progress.
      return run.status === 'started' ? undefined : run;
    }
    const own = this.#createAttempt(request);
    this.#live.enter(own);
    try {
      own.showTo(request);
      return await this.#complete(start, own);
    } catch (error) {
      if (error instanceof StreamMoved) return undefined;
      if (!(error instanceof Outdated)) throw error;
    } finally {
      this.#live.leave(own);
    }
    return this.#runUnrecorded(request, false);
  }

  /** Its start is committed before the kind executes it. */
  async #runRecorded(request: RequestedRun): Promise<RunWithRecord> {
    const own = this.#createAttempt(request);
    try {
      for (;;) {
        const admitted = await this.#admission.admit(request, (decided) => {
          // A second request joins from the moment on in which the start is decided.
          if ('start' in decided) this.#live.enter(own);
          if ('join' in decided) this.#live.find(request)?.callers.join(request.signal);
        });
        const existing = this.#live.find(request);
        existing?.showTo(request);
        if ('start' in admitted) return await this.#complete(admitted.start, own);
        if ('elsewhere' in admitted && (await this.#isAbandonedElsewhere(admitted.elsewhere, request))) continue;
        const run = await this.#resultOf('join' in admitted ? existing : undefined, request);
        if (run === undefined) throw new Error(`The run ${request.runId} is missing.`);
        // Another process has the run in progress, or the run waits now: admission finds out which.
        if ('join' in admitted && run.status === 'started') continue;
        return run;
      }
    } finally {
      this.#live.leave(own);
    }
  }

  /** Executes an attempt, and records its outcome. */
  async #complete(start: Start, live: LiveAttempt): Promise<RunWithRecord> {
    const { clock, logger } = this.#options;
    const { call, runId } = start.request;
    const abandoned = this.#recording.abandonedBy(start.holder);
    const recordStart = (): Promise<void> => start.record();
    // An error of the commit is found when the outcome is recorded.
    const recordSoon = (): void => void start.record().catch(() => {});
    const cancelTimer = start.recorded === undefined ? clock.wakeAfter(UNRECORDED_MS, recordSoon) : () => {};
    const executed = execute(this.#options, { start, live, abandoned, recordStart });
    const outcome = await untilAborted(executed, abandoned).finally(cancelTimer);
    if (outcome === undefined) throw abandonedRun(runId);
    call?.worked();
    const record = (): Promise<RunWithRecord> => recordOutcome(this.#recording, start, outcome);
    try {
      return await record();
    } catch (error) {
      // A run whose start was not recorded does not exist.
      if (!isVoid(error) && (await isRecorded(start))) {
        live.endsLater = recordLater(record, { abandoned, clock, logger: logger.child({ run_id: runId }) });
      }
      throw error;
    }
  }

  /** @throws Refused once attempts of this process are abandoned */
  #createAttempt(request: RequestedRun): LiveAttempt {
    const abandoned = this.#recording.abandonedBy(this.#holder());
    if (abandoned.aborted) throw abandonedRun(request.runId);
    return new LiveAttempt(this.#options.clock, request, abandoned);
  }

  /** Waits for an attempt in progress; the run as it ended, or undefined if nothing was recorded. @throws Refused if abandoned */
  async #resultOf(attempt: LiveAttempt | undefined, request: RequestedRun): Promise<RunWithRecord | undefined> {
    await attempt?.settled;
    if (this.#graceOver.aborted || attempt?.abandoned.aborted === true) throw abandonedRun(request.runId);
    return readRun(this.#options.log, request);
  }

  /** Waits until the attempt of another process has ended; true where it was abandoned, and is ended here. */
  async #isAbandonedElsewhere(attempt: ElsewhereAttempt, request: RequestedRun): Promise<boolean> {
    if (this.#elsewhere === undefined) return false;
    request.onText?.(this.#elsewhere.follow(attempt, request.signal));
    if ((await this.#elsewhere.awaitEnd(attempt, request.signal)) !== 'abandoned') return false;
    const { runId: run_id, ...lease } = attempt;
    await endInterruptedAttempt(this.#options.log, { ...lease, run_id });
    return true;
  }

  /** What the model of a run writes, here or in another process; ends at once where no attempt is in progress. */
  async *follow(playbookKey: PlaybookKey, runId: string, signal: AbortSignal): AsyncGenerator<TextPiece> {
    const run = { ...playbookKey, runId };
    const live = this.#live.find(run);
    if (live !== undefined) return yield* live.text().follow(signal);
    if (this.#elsewhere === undefined) return;
    const elsewhere = await this.#admission.findElsewhere(run);
    if (elsewhere !== undefined) yield* this.#elsewhere.follow(elsewhere, signal);
  }

  /** Whether an attempt is in progress here, recorded or not. */
  get areAny(): boolean {
    return !this.#live.isEmpty;
  }

  /** Resolves when the attempts in progress have ended, or are left to the next start. */
  async stop(): Promise<void> {
    while (this.areAny) await this.#live.allSettled();
    this.#stopped.abort();
    await this.#options.log.write('no playbook', (tx) => leaveLeases(tx, this.#holder().id));
  }
}

/** One signal for all attempts of a holder. */
function createAbandonedBy(graceOver: AbortSignal): (holder: Holder) => AbortSignal {
  const signals = new WeakMap<Holder, AbortSignal>();
  return (holder) => {
    const signal = signals.get(holder) ?? AbortSignal.any([graceOver, holder.lost]);
    signals.set(holder, signal);
    return signal;
  };
}

async function isRecorded({ recorded }: Start): Promise<boolean> {
  return (
    recorded?.then(
      () => true,
      () => false,
    ) ?? false
  );
}
