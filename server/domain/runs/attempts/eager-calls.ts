// Calls that are carried out before the commit that records them.
//
// 1. What a pure function comes to depends on its input alone. A run that calls one after the other is therefore moved
//    through all of them in memory, and recorded with their runs in one commit (durable/with-caller.ts). A crash before
//    that leaves no trace of them, and they are carried out again.
// 2. One that does not end in the time that they have together, or that is to be recorded before it ends, is given up and
//    started by its task; for a while, its function is not tried here again.
import { LRUCache } from 'lru-cache';
import { sha256 } from '../../../kernel/contents/index.ts';
import type { WriteTransaction } from '../../../kernel/log/index.ts';
import { canonicalJson } from '../../../lib/canonical-json.ts';
import { type Clock, stopwatch } from '../../../lib/clock.ts';
import { type Deadline, startDeadline, untilAborted } from '../../../lib/deadline.ts';
import { unavailable } from '../../../lib/rejection.ts';
import type { Waiting } from '../../../kinds/durable.ts';
import type { Ending } from '../../../kinds/run.ts';
import type { Beginnings, RequestedRun, Start } from './admission.ts';
import type { CallAhead, CalledAhead, StartRun } from '../durable/deciding.ts';
import { invocationOf, refusalOf } from '../durable/called-runs.ts';
import { type LiveAttempt, type LiveAttempts, leftByStop } from './live-attempts.ts';
import type { Attempt } from '../history/events.ts';

/** The calls that one ending leads to, until they are recorded with it. */
export interface CallsAhead {
  /** Carries out the run of a call of a pure function; undefined where it is to be started by its task. */
  call: CallAhead;
  /** They are recorded, or given up. */
  done(): void;
}

export interface CallsAheadOptions {
  clock: Clock;
  beginnings: Pick<Beginnings, 'defer'>;
  live: Pick<LiveAttempts, 'find' | 'enter' | 'leave'>;
  createAttempt: (request: RequestedRun) => LiveAttempt;
  work: (start: Start, request: RequestedRun, own: LiveAttempt, signal: AbortSignal) => Promise<Ending | Waiting>;
  /** Records start and ending of an attempt. Answers the id of the event that ended it. */
  record: (tx: WriteTransaction, start: Start, ending: Ending, now: number, cause: string) => Promise<string>;
  /** Aborted once the service stops: nothing more is begun. */
  stopping: AbortSignal;
}

/** How long the calls of one ending may take together, in milliseconds. So long that ending is not recorded. */
const TIME_MS = 400;
/** How much of that must be left where one begins, in milliseconds. */
const LEAST_MS = 50;
/** How long a function is not tried that took too long, in milliseconds. */
const SLOW_FOR_MS = 10_000;
const MOST_SLOW = 1000;
/** How many endings are followed at once: more would only wait for each other's calls. */
const MOST_FOLLOWED = 48;

/** @returns what makes the calls of one ending */
export function createCallsAhead(options: CallsAheadOptions): () => CallsAhead {
  const { clock, beginnings, live, stopping } = options;
  const slow = new LRUCache<string, true>({ max: MOST_SLOW, ttl: SLOW_FOR_MS });

  /** The start of the call; undefined if it cannot begin, which its task finds out again. */
  const startOf = (request: RequestedRun): Promise<Start | undefined> =>
    beginnings.defer(request, true).catch(() => undefined);

  let followed = 0;
  return () => {
    const tookMs = stopwatch(clock);
    const begun: LiveAttempt[] = [];
    let deadline: Deadline | undefined;

    async function call(caller: Attempt, asked: StartRun): Promise<CalledAhead | undefined> {
      if (deadline === undefined && followed >= MOST_FOLLOWED) return undefined;
      followed += deadline === undefined ? 1 : 0;
      deadline ??= startDeadline(clock, TIME_MS, stopping);
      const { signal, isOver } = deadline;
      if (tookMs() > TIME_MS - LEAST_MS || signal.aborted) return undefined;
      if (refusalOf(asked, caller) !== undefined) return undefined;
      const { runId } = asked;
      const invocation = { ...invocationOf(caller, asked), runId, isNewId: true };
      const request: RequestedRun = { ...invocation, digest: sha256(canonicalJson(asked.input)) };
      const start = await untilAborted(startOf(request), signal);
      if (start === undefined || live.find(request) !== undefined) return undefined;
      const { org, playbook, definition } = start.attempt;
      const version = JSON.stringify([org, playbook, definition]);
      if (slow.has(version)) return undefined;
      const own = { ...options.createAttempt(request), isAhead: true };
      begun.push(own);
      live.enter(own);
      let isToBeRecorded = false;
      const record = (): Promise<void> => {
        isToBeRecorded = true;
        return Promise.reject(unavailable('The call of the run is not recorded yet.', { retryAfter: 1 }));
      };
      const ending = await untilAborted(options.work({ ...start, record }, request, own, signal), signal);
      const endedAt = clock.now();
      if (isOver() || isToBeRecorded) slow.set(version, true);
      if (signal.aborted || isToBeRecorded) return undefined;
      if (ending === undefined || ending.status === 'waiting') return undefined;
      return {
        run: { org, playbook, run_id: runId, type: definition.type, name: definition.name },
        ending,
        endedAt,
        async record(tx, cause) {
          if (own.left.aborted) throw leftByStop(runId);
          await start.requireCurrent(tx);
          return options.record(tx, start, ending, endedAt, cause);
        },
      };
    }

    return {
      call,
      done() {
        followed -= deadline === undefined ? 0 : 1;
        deadline?.callOff();
        for (const own of begun) live.leave(own);
      },
    };
  };
}
