// What triggers keep: which version set them, and what event triggers have gathered. Records of their own.
import type { JsonObject } from '../../../shared/json.ts';
import type { Migration, PlaybookKey, ReadTransaction, WriteTransaction } from '../../kernel/log/index.ts';

export const triggerMigrations: readonly Migration[] = [
  {
    id: 'triggers/1',
    sql: `
      CREATE TABLE workflow_triggers (
        org TEXT NOT NULL,
        playbook TEXT NOT NULL,
        name TEXT NOT NULL,
        triggers TEXT NOT NULL,
        anchor BIGINT NOT NULL,
        secret TEXT NOT NULL,
        gatherings TEXT NOT NULL,
        PRIMARY KEY (org, playbook, name)
      );`,
  },
  {
    id: 'triggers/2',
    sql: `ALTER TABLE workflow_triggers ADD COLUMN paused_at BIGINT; ALTER TABLE workflow_triggers ADD COLUMN paused_by TEXT;`,
  },
];

/** Events that an event trigger has gathered and that do not start a run yet. */
export interface StoredGathering {
  consumption: JsonObject;
  /** Ids of the recorded events. */
  events: string[];
}

export interface TriggerRow {
  /** The triggers as JSON: those of the version that set them. */
  triggers: string;
  /** When they were set, in milliseconds since 1970. */
  anchor: number;
  /** Makes the ids of runs that the clock starts unguessable. */
  secret: string;
  gatherings: StoredGathering[];
  /** Since when the clock starts no runs, and by whom it was paused; absent: it does. */
  paused?: { at: number; by: string };
}

interface StoredTriggers {
  triggers: string;
  anchor: number | string;
  secret: string;
  gatherings: string;
  paused_at: number | string | null;
  paused_by: string | null;
}

const COLUMNS = 'triggers, anchor, secret, gatherings, paused_at, paused_by';

function rowOf({ triggers, anchor, secret, gatherings, paused_at: at, paused_by: by }: StoredTriggers): TriggerRow {
  return {
    triggers,
    anchor: Number(anchor),
    secret,
    gatherings: JSON.parse(gatherings) as StoredGathering[],
    ...(at === null || by === null ? {} : { paused: { at: Number(at), by } }),
  };
}

const OF = 'org = $1 AND playbook = $2 AND name = $3';

export async function selectTriggers(
  tx: ReadTransaction,
  playbookKey: PlaybookKey,
  name: string,
): Promise<TriggerRow | undefined> {
  const row = await tx.get<StoredTriggers>(`SELECT ${COLUMNS} FROM workflow_triggers WHERE ${OF}`, [
    playbookKey.org,
    playbookKey.playbook,
    name,
  ]);
  return row && rowOf(row);
}

/** The triggers of all workflows of a playbook, by name. */
export async function selectAllTriggers(
  tx: ReadTransaction,
  playbookKey: PlaybookKey,
): Promise<(TriggerRow & { name: string })[]> {
  const rows = await tx.all<StoredTriggers & { name: string }>(
    `SELECT name, ${COLUMNS} FROM workflow_triggers WHERE org = $1 AND playbook = $2 ORDER BY name`,
    [playbookKey.org, playbookKey.playbook],
  );
  return rows.map((row) => ({ name: row.name, ...rowOf(row) }));
}

export async function putTriggers(
  tx: WriteTransaction,
  playbookKey: PlaybookKey,
  name: string,
  row: TriggerRow,
): Promise<void> {
  const { triggers, anchor, secret, gatherings, paused } = row;
  await tx.run(
    `INSERT INTO workflow_triggers (org, playbook, name, ${COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
     ON CONFLICT (org, playbook, name) DO UPDATE
     SET triggers = $4, anchor = $5, secret = $6, gatherings = $7, paused_at = $8, paused_by = $9`,
    [
      playbookKey.org,
      playbookKey.playbook,
      name,
      triggers,
      anchor,
      secret,
      JSON.stringify(gatherings),
      paused?.at ?? null,
      paused?.by ?? null,
    ],
  );
}

export async function deleteTriggers(tx: WriteTransaction, playbookKey: PlaybookKey, name: string): Promise<void> {
  await tx.run(`DELETE FROM workflow_triggers WHERE ${OF}`, [playbookKey.org, playbookKey.playbook, name]);
}

/** Whether any playbook has triggers. */
export async function selectAnyTriggers(tx: ReadTransaction): Promise<boolean> {
  return (await tx.get('SELECT 1 AS one FROM workflow_triggers LIMIT 1', [])) !== undefined;
}

export async function selectTriggerNames(tx: ReadTransaction, playbookKey: PlaybookKey): Promise<string[]> {
  const rows = await tx.all<{ name: string }>(`SELECT name FROM workflow_triggers WHERE org = $1 AND playbook = $2`, [
    playbookKey.org,
    playbookKey.playbook,
  ]);
  return rows.map(({ name }) => name);
}
