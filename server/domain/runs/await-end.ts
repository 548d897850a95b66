// Waits for the end of a run that outlasts the request that started it, woken by the commits of its playbook.
import { isRunEnding } from '../../../shared/run-status.ts';
import type { Clock } from '../../lib/clock.ts';
import { startDeadline } from '../../lib/deadline.ts';
import type { EventLog, PlaybookKey, StoredEvent } from '../../kernel/log/index.ts';
import type { RunWait } from '../../operations/index.ts';
import { followEvents, summaryOf } from '../events/index.ts';
import { requireRun } from './history/present.ts';

/**
 * Returns when the run has ended, when the time is over, when `signal` or `until` is aborted or when the service stops.
 * @throws Refused `not_found`
 */
export type AwaitEnd = (playbookKey: PlaybookKey, runId: string, wait: RunWait, signal: AbortSignal) => Promise<void>;

export interface AwaitEndOptions {
  log: EventLog;
  clock: Clock;
  /** Aborted when the service stops. */
  stopping: AbortSignal;
}

export function createAwaitEnd({ log, clock, stopping }: AwaitEndOptions): AwaitEnd {
  return async (playbookKey, runId, { forMs, onProgress, until }, signal) => {
    const run = await log.read((tx) => requireRun(tx, playbookKey, runId));
    const deadline = startDeadline(
      clock,
      forMs,
      AbortSignal.any([signal, stopping, ...(until === undefined ? [] : [until])]),
    );
    // From its start on: an ending recorded before the wait began is found as well.
    const from = { after: Number(run.started_position), tree: run.top_run_id };
    try {
      for await (const page of followEvents(log, playbookKey, from, deadline.signal)) {
        if (page.some((event) => isEndOf(run.run_id, event))) return;
        const newest = page.at(-1);
        if (newest !== undefined) await onProgress(summaryOf(newest));
      }
    } finally {
      deadline.callOff();
    }
  };
}

function isEndOf(runId: string, { type, metadata }: StoredEvent): boolean {
  return metadata.run_id === runId && isRunEnding(type);
}
