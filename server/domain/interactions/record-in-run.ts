// Records how a request proceeds in the history of its run.
import type { EventLog, NewEvent, PlaybookKey, StoredEvent, WriteTransaction } from '../../kernel/log/index.ts';
import { attemptOf, metadataOf, requireRun, type RunRow, streamOf } from '../runs/index.ts';
import type { RunKey } from './sql.ts';

export type RequestEvent = Pick<NewEvent, 'key' | 'type' | 'data' | 'kept'>;

export async function recordInRun(
  log: EventLog,
  tx: WriteTransaction,
  run: RunRow,
  event: RequestEvent,
  { cause, by }: { cause: string; by: string },
): Promise<StoredEvent> {
  const metadata = { ...metadataOf(attemptOf(run, by)), causation_id: cause };
  const [recorded] = await log.append(tx, {
    org: run.org,
    playbook: run.playbook,
    stream: streamOf(run.run_id),
    events: [{ ...event, metadata }],
  });
  if (recorded === undefined) throw new Error('An append answered without its event.');
  return recorded;
}

/** Records what the playbook does by itself. */
export async function recordByItself(
  log: EventLog,
  tx: WriteTransaction,
  run: RunKey,
  event: RequestEvent,
  cause: string,
): Promise<StoredEvent> {
  return recordInRun(log, tx, await requireRun(tx, run, run.run_id), event, { cause, by: playbookItself(run) });
}

/** Who does what a playbook does by itself. */
export function playbookItself({ playbook }: PlaybookKey): string {
  return `playbook:${playbook}`;
}
