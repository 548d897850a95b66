// Eager calls: runs of called functions that are executed before the commit that records them.
//
// 1. The result of a pure function depends on its input alone. A run that calls one after the other is therefore moved through
//    all of them in memory, and recorded with their runs in one commit (durable/with-caller.ts). A crash before that leaves no
//    trace of them, and they are executed again.
// 2. A call that does not end in the time of its chain, or that has to be recorded before it ends, is abandoned and started by
//    its task; for a while, its function is not called eagerly again.
import { LRUCache } from 'lru-cache';
import { sha256 } from '../../../kernel/contents/index.ts';
import type { Waiting } from '../../../kinds/durable.ts';
import type { Ending } from '../../../kinds/run.ts';
import { canonicalJson } from '../../../lib/canonical-json.ts';
import { type Clock, stopwatch } from '../../../lib/clock.ts';
import { type Deadline, startDeadline, untilAborted } from '../../../lib/deadline.ts';
import { unavailable } from '../../../lib/rejection.ts';
import type { EagerRun, RunEagerly, StartRun } from '../durable/burst.ts';
import { invocationOf, refusalOf } from '../durable/called-runs.ts';
import { endWith, type RecordDecision } from '../durable/record-decision.ts';
import type { Attempt } from '../history/events.ts';
import type { Admission } from './admission.ts';
import type { Execution } from './execute.ts';
import { abandonedRun, type LiveAttempt, type LiveAttempts } from './live-attempts.ts';
import type { RequestedRun, Start } from './start.ts';

export interface EagerCallsOptions {
  clock: Clock;
  admission: Admission;
  live: LiveAttempts;
  /** @throws Refused once attempts are abandoned */
  createAttempt: (request: RequestedRun, isEager: boolean) => LiveAttempt;
  execute: (execution: Execution) => Promise<Ending | Waiting>;
  record: RecordDecision;
  /** Aborted once the service stops: nothing more is begun. */
  stopping: AbortSignal;
}

/** How long the calls of one chain may take together, in milliseconds. So long that ending is not recorded. */
const TIME_MS = 400;
/** How much of that must remain where a call begins, in milliseconds. */
const LEAST_MS = 50;
/** How long a function is not called eagerly that took too long, in milliseconds. */
const SLOW_FOR_MS = 10_000;
const MOST_SLOW = 1000;
/** How many chains run at once: more would only wait for each other's calls. */
const MOST_CHAINS = 48;

export class EagerCalls {
  readonly options: EagerCallsOptions;
  /** Versions of functions that took too long. */
  readonly slow = new LRUCache<string, true>({ max: MOST_SLOW, ttl: SLOW_FOR_MS });
  chains = 0;

  constructor(options: EagerCallsOptions) {
    this.options = options;
  }

  createChain(): EagerChain {
    return new EagerChain(this);
  }
}

/** The calls that one ending leads to, until they are recorded with it or abandoned. */
export class EagerChain {
  readonly #calls: EagerCalls;
  readonly #tookMs: () => number;
  readonly #begun: LiveAttempt[] = [];
  #deadline: Deadline | undefined;

  constructor(calls: EagerCalls) {
    this.#calls = calls;
    this.#tookMs = stopwatch(calls.options.clock);
  }

  readonly run: RunEagerly = async (caller, call) => {
    const deadline = this.#begin();
    if (deadline === undefined || refusalOf(call, caller) !== undefined) return undefined;
    const request = requestOf(caller, call);
    const { admission, live } = this.#calls.options;
    // Why a start is refused is found out again by its task.
    const admitted = admission.admitUnrecorded(request, true).catch(() => undefined);
    const start = await untilAborted(admitted, deadline.signal);
    if (start === undefined || live.find(request) !== undefined) return undefined;
    return this.#execute(start, deadline);
  };

  /** The deadline of the chain; undefined if no call may begin. */
  #begin(): Deadline | undefined {
    const { clock, stopping } = this.#calls.options;
    if (this.#deadline === undefined) {
      if (this.#calls.chains >= MOST_CHAINS) return undefined;
      this.#calls.chains += 1;
      this.#deadline = startDeadline(clock, TIME_MS, stopping);
    }
    if (this.#tookMs() > TIME_MS - LEAST_MS || this.#deadline.signal.aborted) return undefined;
    return this.#deadline;
  }

  async #execute(start: Start, { signal, isOver }: Deadline): Promise<EagerRun | undefined> {
    const { slow, options } = this.#calls;
    const { org, playbook, runId, definition } = start.attempt;
    const version = JSON.stringify([org, playbook, definition]);
    if (slow.has(version)) return undefined;
    const live = options.createAttempt(start.request, true);
    this.#begun.push(live);
    options.live.enter(live);
    let isToBeRecorded = false;
    const recordStart = (): Promise<void> => {
      isToBeRecorded = true;
      return Promise.reject(unavailable('The call of the run is not recorded yet.', { retryAfter: 1 }));
    };
    const executed = options.execute({ start, live, abandoned: signal, recordStart });
    const ending = await untilAborted(executed, signal);
    const endedAt = options.clock.now();
    if (isOver() || isToBeRecorded) slow.set(version, true);
    if (signal.aborted || isToBeRecorded) return undefined;
    if (ending === undefined || ending.status === 'waiting') return undefined;
    return {
      run: { org, playbook, run_id: runId, type: definition.type, name: definition.name },
      ending,
      endedAt,
      async record(tx, cause) {
        if (live.abandoned.aborted) throw abandonedRun(runId);
        await start.requireCurrent(tx);
        const { attempt, runnable, eventId } = start;
        const before = [await start.event(tx, cause)];
        const given = { attempt, shape: runnable.shape, position: 0, before, cause: eventId, now: endedAt };
        const { ended } = await options.record(tx, { ...given, decision: endWith(ending) });
        return ended?.event.id ?? eventId;
      },
    };
  }

  /** The calls are recorded, or abandoned. */
  done(): void {
    this.#calls.chains -= this.#deadline === undefined ? 0 : 1;
    this.#deadline?.callOff();
    for (const live of this.#begun) this.#calls.options.live.leave(live);
  }
}

function requestOf(caller: Attempt, call: StartRun): RequestedRun {
  const invocation = { ...invocationOf(caller, call), runId: call.runId, isNewId: true };
  return { ...invocation, digest: sha256(canonicalJson(call.input)) };
}
