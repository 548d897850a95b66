// Which events started a run together. A run that one event started has it in its row.
import {
  type Migration,
  type PlaybookKey,
  type ReadTransaction,
  STORED_BY_KEY,
  type WriteTransaction,
} from '../../../kernel/log/index.ts';

export const triggerEventMigration: Migration = {
  id: 'runs/9',
  sql: `
    CREATE TABLE run_trigger_events (
      org TEXT NOT NULL,
      playbook TEXT NOT NULL,
      event_id TEXT NOT NULL,
      run_id TEXT NOT NULL,
      PRIMARY KEY (org, playbook, event_id, run_id)
    ) ${STORED_BY_KEY};`,
};

/** Keeps the events that started a run together. */
export async function putTriggerEvents(
  tx: WriteTransaction,
  { org, playbook }: PlaybookKey,
  runId: string,
  eventIds: readonly string[],
): Promise<void> {
  for (const eventId of eventIds) {
    // oxlint-disable-next-line no-await-in-loop -- one statement after the other in a transaction
    await tx.run(
      `INSERT INTO run_trigger_events (org, playbook, event_id, run_id) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
      [org, playbook, eventId, runId],
    );
  }
}

/** The runs that an event started together with others. */
export async function selectRunsTogether(
  tx: ReadTransaction,
  { org, playbook }: PlaybookKey,
  eventId: string,
): Promise<string[]> {
  const rows = await tx.all<{ run_id: string }>(
    `SELECT run_id FROM run_trigger_events WHERE org = $1 AND playbook = $2 AND event_id = $3`,
    [org, playbook, eventId],
  );
  return rows.map(({ run_id: runId }) => runId);
}
