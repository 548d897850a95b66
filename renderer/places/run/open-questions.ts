import { isRunEnding } from '../../../shared/run-status.ts';
import type { EventRecord } from '../../../shared/api/index.ts';

/** The run and the runs it called that have open questions. @param events of its tree, oldest first */
export function openQuestions(events: readonly EventRecord[], runId: string): string[] {
  const below = new Set([runId]);
  const open = new Set<string>();
  for (const { type, data, metadata } of events) {
    const { run_id: run, called_by: caller } = metadata;
    if (run === undefined) continue;
    if (caller !== undefined && below.has(caller.run_id)) below.add(run);
    if (type === 'interaction_requested' && data['takes_answer'] === true) open.add(run);
    if (type === 'request_answered' || type === 'run_cancel_requested' || isRunEnding(type)) open.delete(run);
  }
  return [...open].filter((run) => below.has(run));
}
