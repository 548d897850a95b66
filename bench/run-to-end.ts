// Runs workflows over HTTP and waits for their ends.
import type { Send } from './send.ts';

const pause = (milliseconds: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** Runs a workflow to its end; returns the duration in milliseconds. @throws Error if it does not succeed */
export type RunToEnd = (workflow: string) => Promise<number>;

/**
 * Polling must cost the server little beside the run itself: a run is first read when most others had ended, and then
 * each time its duration has grown by a tenth. How long runs take is read from their own times: if it were measured here,
 * each pause that was too long would lengthen the next one.
 */
export function createRunToEnd(send: Send, playbook: string): RunToEnd {
  const usual = new Map<string, number>();
  return async (workflow) => {
    const begun = performance.now();
    let run = await send('POST', `${playbook}/definitions/workflow/${workflow}/run`, {});
    const path = `${playbook}/runs/${String(run['run_id'])}`;
    for (let wait = 0.8 * (usual.get(workflow) ?? 20); run['status'] === 'started'; ) {
      await pause(wait);
      run = await send('GET', path);
      wait = Math.max(1, 0.1 * (performance.now() - begun));
    }
    if (run['status'] !== 'succeeded') throw new Error(`A run ended as ${String(run['status'])}.`);
    const duration = Date.parse(String(run['ended_at'])) - Date.parse(String(run['started_at']));
    usual.set(workflow, 0.8 * (usual.get(workflow) ?? duration) + 0.2 * duration);
    return performance.now() - begun;
  };
}
