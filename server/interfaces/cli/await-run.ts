// Waits for the end of a run.
import { setTimeout as wait } from 'node:timers/promises';
import type { RunWithRecord } from '../../../shared/api/index.ts';
import type { Client, NamedPlaybook } from './client.ts';

/** Delay before reconnecting, in milliseconds, after a proxy or the service ended the stream. */
const FOLLOWS_AGAIN_MS = 500;

export interface WaitOptions {
  /** Called with the run in progress after each of its events; true ends the wait. */
  isEnough: (run: RunWithRecord) => boolean;
  /** Ends the wait. */
  signal: AbortSignal;
}

/** Gets a run after each of its events, until it has ended or the wait ends. */
export async function awaitRun(
  client: Client,
  at: NamedPlaybook,
  runId: string,
  { isEnough, signal }: WaitOptions,
): Promise<RunWithRecord> {
  const look = (): Promise<RunWithRecord> => client.call('get_run', { ...at, run_id: runId });
  const isOver = (run: RunWithRecord): boolean => run.status !== 'started' || isEnough(run);
  const leaving = new AbortController();
  const either = AbortSignal.any([leaving.signal, signal]);
  try {
    while (!signal.aborted) {
      // The stream shows every event from now on, so the run is read after the stream has started.
      const events = await client.follow('follow_events', at, either);
      let run = await look();
      if (isOver(run)) return run;
      for await (const { metadata } of events) {
        if (metadata.run_id === run.run_id) run = await look();
        if (isOver(run)) return run;
      }
      if (!signal.aborted) await wait(FOLLOWS_AGAIN_MS);
    }
    return await look();
  } finally {
    leaving.abort();
  }
}
