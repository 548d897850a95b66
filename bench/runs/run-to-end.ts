// Runs workflows over HTTP and waits for their ends.
import { setTimeout as pause } from 'node:timers/promises';
import type { Send } from '../send.ts';

/** Runs a workflow to its end; returns the duration in milliseconds. @throws Error if it does not succeed */
export type RunToEnd = (workflow: string) => Promise<number>;

/** When a run is first read, in usual durations, and by how much its duration grows until it is read again. */
interface Polling {
  first: number;
  growth: number;
}
/** The server does nothing else: reading costs nothing, and each pause that is too long lengthens the run. */
const ALONE: Polling = { first: 0.8, growth: 0.1 };
/** The server works on the others meanwhile: a run that is read late costs nothing, and reading takes its time. */
const AMONG_OTHERS: Polling = { first: 1, growth: 0.25 };

/**
 * Polling must cost the server little beside the run itself. How long runs take is read from their own times: if it were
 * measured here, each pause that was too long would lengthen the next one.
 */
export function createRunToEnd(send: Send, playbook: string): RunToEnd {
  const usual = new Map<string, number>();
  let going = 0;
  return async (workflow) => {
    const begun = performance.now();
    going += 1;
    let run = await send('POST', `${playbook}/definitions/workflow/${workflow}/run`, {});
    const path = `${playbook}/runs/${String(run['run_id'])}`;
    const { first, growth } = going === 1 ? ALONE : AMONG_OTHERS;
    for (let wait = first * (usual.get(workflow) ?? 20); run['status'] === 'started'; ) {
      await pause(wait);
      run = await send('GET', path);
      wait = Math.max(1, growth * (performance.now() - begun));
    }
    going -= 1;
    if (run['status'] !== 'succeeded') throw new Error(`A run ended as ${String(run['status'])}.`);
    const duration = Date.parse(String(run['ended_at'])) - Date.parse(String(run['started_at']));
    const before = usual.get(workflow) ?? duration;
    // Quickly down: who still waits as long as while the code was compiled leaves the server without work.
    usual.set(workflow, before + (duration < before ? 0.5 : 0.2) * (duration - before));
    return performance.now() - begun;
  };
}
