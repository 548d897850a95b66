// Attempts in progress here, and who joins them: of the requests under one run id, the first one carries the attempt out,
// and those that come until it is over get its ending.
import type { RunWithRecord } from '../../../../shared/schemas/index.ts';
import type { EventLog } from '../../../kernel/log/index.ts';
import type { Clock } from '../../../lib/clock.ts';
import { Refused } from '../../../lib/rejection.ts';
import type { RequestedRun } from './admission.ts';
import { type Callers, createCallers } from './callers.ts';
import type { NamedRun } from './elsewhere.ts';
import { createLiveText, type LiveText } from './live-text.ts';
import { presentRun } from '../history/present.ts';
import { belongsToAnother } from './retry.ts';
import { selectRun } from '../history/sql.ts';

export interface LiveAttempt {
  requested: RequestedRun;
  /** Aborted when it records nothing more: the grace of a stop is over, or the lease of its process is lost. */
  left: AbortSignal;
  settled: Promise<void>;
  callers: Callers;
  /** Made when it is first needed: most kinds write nothing. */
  text: () => LiveText;
  end: () => void;
  /** Its call is not recorded yet, and may never be: nobody joins it, and another call may have its run id. */
  isAhead?: boolean;
  /** Settles when an ending is recorded that the store refused at first. */
  endsLater?: Promise<void>;
}

export interface LiveAttempts {
  /** An attempt for the request, which nobody can join yet. */
  create(requested: RequestedRun, left: AbortSignal): LiveAttempt;
  /** From now on other requests under its run id join it. */
  enter(attempt: LiveAttempt): void;
  /** The attempt is over: another request under its run id no longer joins it. */
  leave(attempt: LiveAttempt): void;
  /** The attempt in progress under a run id. */
  find(run: NamedRun): LiveAttempt | undefined;
  /** The request gets the ending of the attempt, and keeps its caller. @throws Refused where it is another request */
  join(attempt: LiveAttempt, request: RequestedRun): void;
  /** Waits for an attempt; the run as it ended, or undefined if nothing was recorded of it. @throws Refused if it was left */
  endOf(attempt: LiveAttempt | undefined, request: RequestedRun): Promise<RunWithRecord | undefined>;
  /** Whether there is one. */
  areAny(): boolean;
  /** Resolves when those in progress have settled. */
  allSettled(): Promise<unknown>;
}

export interface LiveAttemptsOptions {
  log: EventLog;
  clock: Clock;
  /** Aborted when a stop waits no longer. */
  graceOver: AbortSignal;
}

export function createLiveAttempts({ log, clock, graceOver }: LiveAttemptsOptions): LiveAttempts {
  const live = new Map<string, LiveAttempt>();

  return {
    create(requested, left) {
      const { promise: settled, resolve } = Promise.withResolvers<void>();
      const callers = createCallers(requested.signal);
      let written: LiveText | undefined;
      return {
        requested,
        left,
        settled,
        callers,
        text: () => (written ??= createLiveText(clock)),
        end() {
          written?.end();
          callers.done();
          resolve();
        },
      };
    },
    enter: (attempt) => void live.set(keyOf(attempt.requested), attempt),
    leave(attempt) {
      const over = (): void => {
        const key = keyOf(attempt.requested);
        if (live.get(key) === attempt) live.delete(key);
        attempt.end();
      };
      if (attempt.endsLater === undefined) over();
      else void attempt.endsLater.finally(over);
    },
    find: (run) => live.get(keyOf(run)),
    join(attempt, request) {
      if (!isSame(attempt.requested, request)) throw belongsToAnother(request.runId);
      attempt.callers.join(request.signal);
    },
    async endOf(attempt, request) {
      await attempt?.settled;
      if (graceOver.aborted || attempt?.left.aborted === true) throw leftByStop(request.runId);
      return log.read(async (tx) => {
        const row = await selectRun(tx, request, request.runId);
        return row && presentRun(tx, row);
      });
    },
    areAny: () => live.size > 0,
    allSettled: () => Promise.allSettled([...live.values()].map(({ settled }) => settled)),
  };
}

function keyOf({ org, playbook, runId }: NamedRun): string {
  return JSON.stringify([org, playbook, runId]);
}

function isSame(one: RequestedRun, other: RequestedRun): boolean {
  const same = ['type', 'name', 'digest', 'version', 'model'] as const;
  return same.every((member) => one[member] === other[member]);
}

/** The attempt was left to the next start, or to another process. */
export function leftByStop(runId: string): Refused {
  const detail = `The service stopped before the run ended; repeat the request with its \`run_id\`, ${runId}.`;
  return new Refused({ reason: 'unavailable', detail, retryAfter: 1 }, { members: { run_id: runId } });
}
