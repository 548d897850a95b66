// Waits for an attempt that another process has in progress, where several processes share the store.
import { type Clock, stopwatch } from '../../../lib/clock.ts';
import { untilAborted } from '../../../lib/deadline.ts';
import type { EventLog, PlaybookKey, SharedStore } from '../../../kernel/log/index.ts';
import { type Refused, unavailable } from '../../../lib/rejection.ts';
import { type RunRow, selectRun } from '../history/sql.ts';

export interface NamedRun extends PlaybookKey {
  runId: string;
}

/** An attempt, and the process that it is in progress in. */
export interface ElsewhereAttempt extends NamedRun {
  attempt: number;
  holder: string;
}

/**
 * Resolves once the attempt has ended there ('ended'), or once its process has lost its lease ('abandoned').
 * @throws Refused `unavailable` where the process does not renew its lease for 10 seconds, or the caller is gone
 */
export type AwaitElsewhere = (attempt: ElsewhereAttempt, signal: AbortSignal) => Promise<'ended' | 'abandoned'>;

/** For how long a process may not renew its lease, in milliseconds. */
const PATIENCE = 10_000;
/** How often the lease is looked at. */
const LOOKED_EVERY = 1000;

export function createAwaitElsewhere(
  log: Pick<EventLog, 'read' | 'onCommit'>,
  shared: Pick<SharedStore, 'leaseEnd'>,
  clock: Clock,
): AwaitElsewhere {
  /** Resolves after the next commit in the playbook, or a while. */
  function nextChange(playbookKey: PlaybookKey): { happened: Promise<void>; stop: () => void } {
    const { promise: happened, resolve } = Promise.withResolvers<void>();
    const stopListening = log.onCommit(playbookKey, resolve);
    const cancelTimer = clock.wakeAfter(LOOKED_EVERY, resolve);
    return {
      happened,
      stop() {
        stopListening();
        cancelTimer();
      },
    };
  }

  return async (attempt, signal) => {
    const { holder, runId } = attempt;
    const isInProgress = (row: RunRow | undefined): boolean =>
      row?.status === 'started' && Number(row.attempt) === attempt.attempt;
    let seen: number | undefined;
    let sinceRenewal = stopwatch(clock);
    for (;;) {
      // Registered before the read: a commit during it is not missed.
      const next = nextChange(attempt);
      try {
        const leaseEnd = await shared.leaseEnd(holder);
        if (leaseEnd === undefined) return 'abandoned';
        if (!isInProgress(await log.read((tx) => selectRun(tx, attempt, runId)))) return 'ended';
        if (seen !== undefined && leaseEnd > seen) sinceRenewal = stopwatch(clock);
        seen = leaseEnd;
        if (signal.aborted || sinceRenewal() >= PATIENCE) throw stillThere(runId);
        await untilAborted(next.happened, signal);
      } finally {
        next.stop();
      }
    }
  };
}

function stillThere(runId: string): Refused {
  return unavailable(
    `The process that carries out the run ${runId} does not respond; repeat the request with the same \`run_id\` shortly.`,
    { retryAfter: 5 },
  );
}
