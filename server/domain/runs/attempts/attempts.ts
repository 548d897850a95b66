// Attempts of runs: each ends its run, or decides what it waits for (docs/decisions/one-commit.md).
// 1. An attempt is recorded as its start and one ending. Where its kind has effects outside, the start is committed before the
//    work. Where it usually ends at once, both are one commit, and the start is committed by itself after UNRECORDED_MS, a tool
//    call or a wait. A recorded attempt without an ending is ended as failed by the next process start (interrupted.ts).
// 2. A recorded attempt is held by a lease of this process start. Only the holder records an ending or the beginning of a wait,
//    and gives the lease up. From then on, a run that waits is moved by its inputs (durable/).
// 3. Requests under the run id of an attempt in progress join it, here (live-attempts.ts) or in another process
//    (elsewhere.ts). An unrecorded attempt that finds another one at its commit records nothing, and its request begins again.
// 4. An attempt that has not ended when the grace of a stop is over, or when the lease of its process is lost, records nothing
//    more, as if the process had crashed. Neither does one that begins later.
import type { Logger } from 'pino';
import type { DefinitionType } from '../../../../shared/definition-types.ts';
import type { RunWithRecord } from '../../../../shared/schemas/index.ts';
import { canonicalJson } from '../../../lib/canonical-json.ts';
import { createYielder } from '../../../lib/event-loop.ts';
import type { Clock } from '../../../lib/clock.ts';
import { sha256 } from '../../../kernel/contents/index.ts';
import { untilAborted } from '../../../lib/deadline.ts';
import type { Ids } from '../../../kernel/ids.ts';
import {
  type EventLog,
  type Holder,
  holderOf,
  type PlaybookKey,
  StreamMoved,
  type WriteTransaction,
} from '../../../kernel/log/index.ts';
import { Refused } from '../../../lib/rejection.ts';
import type { SchemaChecker } from '../../../lib/schemas/index.ts';
import type { Stopping } from '../../../kernel/stopping.ts';
import type { Waiting } from '../../../kinds/durable.ts';
import type { Kind } from '../../../kinds/kind.ts';
import type { Ending } from '../../../kinds/run.ts';
import { requireActivePlaybook } from '../../playbooks/index.ts';
import type { Tools } from '../../tools/index.ts';
import { createBeginnings, Outdated, type RequestedRun, type Start } from './admission.ts';
import type { RunInvocation, TextPiece } from '../durable/invocation.ts';
import { type RecordDecision, endWith } from '../durable/record-decision.ts';
import type { WithCaller, WriteEnding } from '../durable/with-caller.ts';
import { createCallsAhead } from './eager-calls.ts';
import { createAwaitElsewhere, type NamedRun } from './elsewhere.ts';
import { endInterruptedAttempt } from './interrupted.ts';
import { createLiveAttempts, leftByStop, type LiveAttempt } from './live-attempts.ts';
import { isVoid, recordLater } from './record-later.ts';
import { presentRun, requireRun } from '../history/present.ts';
import type { Attempt } from '../history/events.ts';
import { dropLease, leaveLeases } from '../history/leases.ts';
import { calledOff, createWork, traceOf } from './execute.ts';
import { createFollowElsewhere } from './text-elsewhere.ts';
import type { NotifyWaiter } from '../durable/waiter.ts';

export interface Attempts {
  /** Carries a function out, or meets what its run id already has. */
  carryOut(request: RunInvocation, runId: string): Promise<RunWithRecord>;
  /** What the model of a run writes while it answers, here or in another process; ends at once where none is in progress. */
  follow(playbookKey: PlaybookKey, runId: string, signal: AbortSignal): AsyncIterable<TextPiece>;
  /** Whether an attempt is in progress here, recorded or not. */
  inProgress(): boolean;
  /** Answers when those in progress have ended, or are left to the next start. */
  stop(): Promise<void>;
}

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

export function createAttempts(options: AttemptsOptions): Attempts {
  const { log, kinds, record, notifyWaiter, withCaller, logger, clock } = options;
  const stopped = new AbortController();
  const graceOver = AbortSignal.any([options.stopping.graceOver, stopped.signal]);
  const holder = holderOf(log, options.holder);
  const awaitElsewhere = log.shared && createAwaitElsewhere(log, log.shared, clock);
  const live = createLiveAttempts({ log, clock, graceOver });
  const followElsewhere =
    awaitElsewhere &&
    log.shared &&
    createFollowElsewhere({ shared: log.shared, clock, find: (run) => live.find(run), awaitElsewhere });
  const isLive = (run: NamedRun): boolean => live.find(run) !== undefined;
  const beginnings = createBeginnings({ ...options, holder, isLive });
  const leftBy = createLeft(graceOver);
  const work = createWork({ ...options, leftBy });

  /**
   * Records the ending, or that the run waits, unless somebody else has taken it over; returns the run as it then is.
   * @throws StreamMoved if the start was not recorded and the run has another one; Outdated
   */
  async function end(start: Start, came: Ending | Waiting, request: RunInvocation): Promise<RunWithRecord> {
    const { attempt, runnable, eventId } = start;
    const waiter = request.call?.waiter;
    // A call that meets a run that somebody else started passes on its end by itself.
    const isCalled = attempt.chain.calledBy !== undefined;
    if (came.status === 'waiting') await start.record();
    const recorded = start.recorded();
    await recorded;
    // Not the time of the commit: it comes before what the run that waits for this one decides.
    const now = clock.now();
    const write: WriteEnding<RunWithRecord> = (tell) =>
      log.write(attempt, async (tx) => {
        if (leftBy(start.holder).aborted) throw leftByStop(attempt.runId);
        if (recorded === undefined) {
          await request.call?.finish(tx);
          await start.requireCurrent(tx);
        } else if (!(await dropLease(tx, beginnings.leaseOf(start)))) {
          return presentRun(tx, await requireRun(tx, attempt, attempt.runId));
        }
        const isWanted = recorded === undefined || (await request.call?.settle(tx)) !== false;
        const refusal = came.status === 'waiting' ? await refusalToWait(tx, attempt, isWanted) : undefined;
        const decision =
          came.status === 'waiting' && refusal === undefined ? came.decision : endWith(refusal ?? (came as Ending));
        const first = recorded === undefined ? { position: 0, before: [await start.event(tx)] } : { before: [] };
        const given = { attempt, shape: runnable.shape, ...first, cause: eventId, decision, now };
        const { ended } = await record(tx, { ...given, ...traceOf(request) });
        const row = await requireRun(tx, attempt, attempt.runId);
        if (ended !== undefined && isWanted && isCalled) await tell(tx, row, ended.ending, ended.event.id, waiter);
        return presentRun(tx, row, ended?.event);
      });
    // What took time, or had an effect, is recorded without waiting for another decision.
    if (came.status === 'waiting' || recorded !== undefined) return write(notifyWaiter);
    const known = waiter === undefined ? {} : { known: waiter };
    // What is called ahead may have ended the process at the try before.
    if (request.call?.isFirstTry !== true) return withCaller(attempt, came, write, known);
    const calls = callsAhead();
    try {
      return await withCaller(attempt, came, write, { ...known, callAhead: calls.call });
    } finally {
      calls.done();
    }
  }

  /** The ending of a run that may not begin to wait. */
  async function refusalToWait(tx: WriteTransaction, attempt: Attempt, isWanted: boolean): Promise<Ending | undefined> {
    if (!isWanted) return calledOff('The caller stopped waiting before the request was opened.');
    try {
      await requireActivePlaybook(tx, attempt);
      return undefined;
    } catch (error) {
      if (error instanceof Refused) return { status: 'rejected', rejection: error.rejection };
      throw error;
    }
  }

  /** Works, and records what it comes to. */
  async function complete(start: Start, request: RequestedRun, own: LiveAttempt): Promise<RunWithRecord> {
    // What goes wrong there is known at the end.
    const recordStart = (): void => void start.record().catch(() => {});
    const callOff = start.recorded() === undefined ? clock.wakeAfter(UNRECORDED_MS, recordStart) : () => {};
    const came = await untilAborted(work(start, request, own), leftBy(start.holder)).finally(callOff);
    if (came === undefined) throw leftByStop(request.runId);
    request.call?.worked();
    try {
      return await end(start, came, request);
    } catch (error) {
      // A run whose start was not recorded does not exist.
      if (!isVoid(error) && (await isRecorded(start))) {
        own.endsLater = recordLater(() => end(start, came, request), {
          left: leftBy(start.holder),
          clock,
          logger: logger.child({ run_id: request.runId }),
        });
      }
      throw error;
    }
  }

  /** @throws Refused once nothing more is recorded here */
  function createAttempt(request: RequestedRun): LiveAttempt {
    const left = leftBy(holder());
    if (left.aborted) throw leftByStop(request.runId);
    return live.create(request, left);
  }

  const callsAhead = createCallsAhead({
    clock,
    beginnings,
    live,
    createAttempt,
    work,
    stopping: options.stopping.begun,
    async record(tx, start, ending, now, cause) {
      const { attempt, runnable, eventId } = start;
      const before = [await start.event(tx, cause)];
      const decision = endWith(ending);
      const { shape } = runnable;
      const { ended } = await record(tx, { attempt, shape, position: 0, before, cause: eventId, decision, now });
      return ended?.event.id ?? eventId;
    },
  });

  function follow(request: RunInvocation, met: LiveAttempt | undefined): void {
    if (met !== undefined) request.onText?.(met.text().follow(request.signal));
  }

  /** An attempt whose start is deferred; undefined if the run exists, or none was recorded under its id after all. */
  async function carryOutDeferred(request: RequestedRun, mayAssume = true): Promise<RunWithRecord | undefined> {
    const start = await beginnings.defer(request, mayAssume);
    if (start === undefined) return undefined;
    const met = live.find(request);
    if (met?.isAhead === true) {
      await met.settled;
      return carryOutDeferred(request);
    }
    if (met !== undefined) {
      live.join(met, request);
      follow(request, met);
      const run = await live.endOf(met, request);
      if (run === undefined) return carryOutDeferred(request);
      // The attempt that was joined recorded nothing, since another process has the run in progress.
      return run.status === 'started' ? undefined : run;
    }
    const own = createAttempt(request);
    live.enter(own);
    try {
      follow(request, own);
      return await complete(start, request, own);
    } catch (error) {
      if (error instanceof StreamMoved) return undefined;
      if (!(error instanceof Outdated)) throw error;
    } finally {
      live.leave(own);
    }
    return carryOutDeferred(request, false);
  }

  async function carryOutRecorded(request: RequestedRun): Promise<RunWithRecord> {
    const own = createAttempt(request);
    try {
      for (;;) {
        const beginning = await beginnings.begin(request, (decided) => {
          // From the very moment on in which the start is decided, a second request joins it.
          if ('start' in decided) live.enter(own);
          if ('join' in decided) live.find(request)?.callers.join(request.signal);
        });
        const met = live.find(request);
        follow(request, met);
        if ('start' in beginning) return await complete(beginning.start, request, own);
        if ('elsewhere' in beginning && followElsewhere !== undefined) {
          request.onText?.(followElsewhere(beginning.elsewhere, request.signal));
        }
        if ('elsewhere' in beginning && (await awaitElsewhere?.(beginning.elsewhere, request.signal)) === 'abandoned') {
          const { runId: run_id, ...lease } = beginning.elsewhere;
          await endInterruptedAttempt(log, { ...lease, run_id });
          continue;
        }
        const existing = await live.endOf('join' in beginning ? met : undefined, request);
        if (existing === undefined) throw new Error(`The run ${request.runId} is missing.`);
        // As above, or the run now waits: the recorded run tells which.
        if ('join' in beginning && existing.status === 'started') continue;
        return existing;
      }
    } finally {
      live.leave(own);
    }
  }

  return {
    async carryOut(invocation, runId) {
      const pause = createYielder();
      const request: RequestedRun = { ...invocation, runId, digest: sha256(canonicalJson(invocation.input)) };
      await pause();
      const deferred = kinds[request.type].traits.endsAtOnce === true ? await carryOutDeferred(request) : undefined;
      return deferred ?? carryOutRecorded(request);
    },
    async *follow(playbookKey, runId, signal) {
      const met = live.find({ ...playbookKey, runId });
      if (met !== undefined) return yield* met.text().follow(signal);
      if (followElsewhere === undefined) return;
      const elsewhere = await beginnings.findElsewhere({ ...playbookKey, runId });
      if (elsewhere !== undefined) yield* followElsewhere(elsewhere, signal);
    },
    inProgress: () => live.areAny(),
    async stop() {
      while (live.areAny()) await live.allSettled();
      // A request that was let in before the stop may only begin now: its lease would be left while it works.
      stopped.abort();
      await log.write('no playbook', (tx) => leaveLeases(tx, holder().id));
    },
  };
}

/** When an attempt of a holder records nothing more. One signal serves all attempts of a holder. */
function createLeft(graceOver: AbortSignal): (holder: Holder) => AbortSignal {
  const signals = new WeakMap<Holder, AbortSignal>();
  return (holder) => {
    const signal = signals.get(holder) ?? AbortSignal.any([graceOver, holder.lost]);
    signals.set(holder, signal);
    return signal;
  };
}

async function isRecorded(start: Start): Promise<boolean> {
  return (
    start.recorded()?.then(
      () => true,
      () => false,
    ) ?? false
  );
}
