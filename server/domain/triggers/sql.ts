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
}

const OF = 'org = $1 AND playbook = $2 AND name = $3';

export async function selectTriggers(
  tx: ReadTransaction,
  place: PlaybookKey,
  name: string,
): Promise<TriggerRow | undefined> {
  const row = await tx.get<{ triggers: string; anchor: number | string; secret: string; gatherings: string }>(
    `SELECT triggers, anchor, secret, gatherings FROM workflow_triggers WHERE ${OF}`,
    [place.org, place.playbook, name],
  );
  return (
    row && {
      triggers: row.triggers,
      anchor: Number(row.anchor),
      secret: row.secret,
      gatherings: JSON.parse(row.gatherings) as StoredGathering[],
    }
  );
}

export async function putTriggers(
  tx: WriteTransaction,
  place: PlaybookKey,
  name: string,
  row: TriggerRow,
): Promise<void> {
  await tx.run(
    `INSERT INTO workflow_triggers (org, playbook, name, triggers, anchor, secret, gatherings) VALUES ($1, $2, $3, $4, $5, $6, $7)
     ON CONFLICT (org, playbook, name) DO UPDATE SET triggers = $4, anchor = $5, secret = $6, gatherings = $7`,
    [place.org, place.playbook, name, row.triggers, row.anchor, row.secret, JSON.stringify(row.gatherings)],
  );
}

export async function deleteTriggers(tx: WriteTransaction, place: PlaybookKey, name: string): Promise<void> {
  await tx.run(`DELETE FROM workflow_triggers WHERE ${OF}`, [place.org, place.playbook, name]);
}

/** Whether any playbook has triggers. */
export async function selectAnyTriggers(tx: ReadTransaction): Promise<boolean> {
  return (await tx.get('SELECT 1 AS one FROM workflow_triggers LIMIT 1', [])) !== undefined;
}

export async function selectTriggerNames(tx: ReadTransaction, place: PlaybookKey): Promise<string[]> {
  const rows = await tx.all<{ name: string }>(`SELECT name FROM workflow_triggers WHERE org = $1 AND playbook = $2`, [
    place.org,
    place.playbook,
  ]);
  return rows.map(({ name }) => name);
}
